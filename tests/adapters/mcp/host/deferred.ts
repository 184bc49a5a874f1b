/** A promise that is settled from outside: `Promise.withResolvers`, which Node 20 has not. */
export interface Deferred<Value> {
  /** The promise. */
  readonly promise: Promise<Value>;
  /** Fulfils it. */
  readonly resolve: (value: Value) => void;
  /** Rejects it. */
  readonly reject: (error: unknown) => void;
}

/** Makes one. */
export function deferred<Value = void>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { promise, resolve, reject };
}
