// In the place of drizzle's own file of this purpose (`alias` in wrangler.toml), which compares the names of classes all the
// way up for every part of every statement, in case there are two copies of the library. The worker has one.
export const entityKind = Symbol.for("drizzle:entityKind");
export const hasOwnEntityKind = Symbol.for("drizzle:hasOwnEntityKind");

/** Whether a value is an instance of one of drizzle's classes. */
export const is = (value: unknown, type: abstract new (...args: never[]) => unknown): boolean =>
  typeof value === "object" && value instanceof type;
