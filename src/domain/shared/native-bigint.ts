// Native big integers for the Temporal polyfill, which bundles its own implementation. The native
// one is faster and adds nothing to the worker; `alias` in wrangler.toml substitutes this file.

/** The functions that the polyfill calls, mapped to native operators. */
const JSBI = {
  BigInt: (value: string | number | bigint | boolean): bigint => BigInt(value),
  toNumber: (value: bigint): number => Number(value),
  unaryMinus: (value: bigint): bigint => -value,
  add: (one: bigint, other: bigint): bigint => one + other,
  subtract: (one: bigint, other: bigint): bigint => one - other,
  multiply: (one: bigint, other: bigint): bigint => one * other,
  divide: (one: bigint, other: bigint): bigint => one / other,
  remainder: (one: bigint, other: bigint): bigint => one % other,
  equal: (one: bigint, other: bigint): boolean => one === other,
  lessThan: (one: bigint, other: bigint): boolean => one < other,
  lessThanOrEqual: (one: bigint, other: bigint): boolean => one <= other,
  greaterThan: (one: bigint, other: bigint): boolean => one > other,
  greaterThanOrEqual: (one: bigint, other: bigint): boolean => one >= other,
} as const;

export { JSBI as default };
