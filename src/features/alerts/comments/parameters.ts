// The parameters of a comment (contract 2, Broadcasts and comments).
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

/** The longest body, in characters. */
const MAX_BODY = 65_536;

export const COMMENTABLE_TYPES = ["Alert", "Broadcast", "Comment"] as const;

/** `alert`, `ALERT` → `Alert`. */
const commentableType = z.preprocess((value) => {
  const text = typeof value === "string" ? value.trim().toLowerCase() : value;
  return COMMENTABLE_TYPES.find((type) => type.toLowerCase() === text) ?? value;
}, field.optionalChoice(COMMENTABLE_TYPES));

type Pair = { readonly commentable_type?: unknown; readonly commentable_id?: unknown };
const isPresent = (value: unknown) => value != null && value !== "";

/** Requires both parameters or neither; reported together with all other errors. */
const needed = (
  name: keyof Pair,
  by: keyof Pair,
): [(pair: Pair) => boolean, { error: string; path: string[]; when: () => boolean }] => [
  (pair) => isPresent(pair[name]) || !isPresent(pair[by]),
  { error: `can't be blank with ${by}`, path: [name], when: () => true },
];

/** A comment on the record in the path. */
export const CommentOn = z.object({
  body: field.requiredText(MAX_BODY),
  meta: field.hash.optional(),
});
export type CommentOn = z.output<typeof CommentOn>;

export const CreateComment = CommentOn.extend({
  commentable_type: commentableType,
  commentable_id: field.identifier,
})
  .refine(...needed("commentable_id", "commentable_type"))
  .refine(...needed("commentable_type", "commentable_id"));
export type CreateComment = z.output<typeof CreateComment>;
