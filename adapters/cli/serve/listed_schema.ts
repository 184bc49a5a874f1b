/**
 * JSON schemas for the MCP SDK that are listed and not compiled: the tools check what comes in by themselves.
 * Compiling them would take longer than loading the SDK's other half, and its refusals would have no code.
 *
 * @module
 */

/** A schema as the SDK takes it. */
export interface ListedSchema<Value> {
  /** The interface of "Standard Schema", version 1, with its JSON schema. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: Value };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** A schema that the SDK lists as it is and takes any value for. */
export function listedSchema<Value>(schema: object): ListedSchema<Value> {
  const copy = (): Record<string, unknown> => ({ ...schema });
  return {
    "~standard": {
      version: 1,
      vendor: "codex-mcp",
      validate: (value) => ({ value: value as Value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}
