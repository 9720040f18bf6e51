// What answers show, by name, as far as the kernel knows it: nothing but that there are such names. The list of the
// contract's schemas declares them here (`src/features/answers.ts`, `src/features/queries.ts`), for the compiler alone.

/**
 * Name → what an answer of this name has.
 *
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the list of the contract's schemas.
export interface Answers {}

/**
 * The names of query parameters that a route may declare.
 *
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the list of the contract's queries.
export interface Queries {}

export type AnswerName = keyof Answers;

/** The type of the response with this name. */
export type AnswerNamed<Name extends AnswerName> = Answers[Name];

export type QueryName = keyof Queries;
