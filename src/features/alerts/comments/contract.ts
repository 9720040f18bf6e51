// A comment on an alert, a broadcast or another comment.
import * as z from "zod";
import { common, identifier, text } from "../../../kernel/contract/fields.ts";

export const Comment = z.object({
  ...common("comment"),
  commentable_type: text("The type of the parent record.", "Alert").nullable(),
  commentable_id: identifier("alert", "The parent record.").nullable(),
  parent_id: text("The comment that this one replies to.", null).nullable(),
  account_user_id: identifier("account_user", "The author.").nullable(),
  created_by_name: text("The name of the author.", "Ada Lovelace").nullable(),
  body: text("The text.", "It is the log volume; clearing it."),
});
export type Comment = z.output<typeof Comment>;
