// Big integers for the calendar library, which brings its own implementation for runtimes that have none. Ours has one,
// which is faster and no part of the worker: `alias` in wrangler.toml puts this in the place of the library's.

/** What the calendar library calls, each as the operator of the same meaning. */
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
  greaterThan: (one: bigint, other: bigint): boolean => one > other,
} as const;

export { JSBI as default };
