// What the reference says of an attribute or a parameter: a description, then an example where the schema suggests no
// telling one. What has an example stands in the examples of requests, unless it is `shown only`.
export type Word = readonly [description: string, example?: unknown, where?: "shown only"];

/** By name, or by `Record.name` where a record means something of its own by it. */
export type Words = Readonly<Record<string, Word>>;
