/**
 * What the type of a parsed command line is, given its options. `parse_args.ts` owns the parsing.
 *
 * @module
 */

/** Names of flags, `undefined` when none are given. */
export type Names = string | undefined;

type Text<N> = Extract<N, string>;

type Plain<B, S, C, N> =
  & { [K in Exclude<Text<B>, Text<C>>]: boolean }
  & { [K in Exclude<Text<S>, Text<C>>]?: K extends N ? string | false : string }
  & { [K in Extract<Text<C>, Text<S>>]: K extends N ? string[] | false : string[] }
  & { [K in Extract<Exclude<Text<C>, Text<S>>, Text<B>>]: boolean[] }
  & { [K in Exclude<Text<C>, Text<S> | Text<B>>]: K extends N ? unknown[] | false : unknown[] };

type WithDefaults<V, D> = D extends undefined ? V
  : Omit<V, keyof D> & { [K in keyof D]: K extends keyof V ? D[K] | NonNullable<V[K]> : unknown };

type AliasOf<K, A> = K extends keyof A
  ? A[K] extends string ? K | A[K] : A[K] extends readonly string[] ? K | A[K][number] : K
  : K;

type WithAliases<V, A> = A extends undefined ? V
  : { [K in keyof V as AliasOf<K, A> extends PropertyKey ? AliasOf<K, A> : never]: V[K] };

/** Flags by name: precise where the options name them, `unknown` elsewhere. */
export type Flags<B, S, C, N, D, A> =
  & Record<string, unknown>
  & (undefined extends B & S & C ? unknown : WithAliases<WithDefaults<Plain<B, S, C, N>, D>, A>);
