// A comment on an alert, a broadcast or another comment.
import * as z from "zod";
import { common, identifier, text } from "../shared/fields.ts";

export const Comment = z.object({
  ...common("comment"),
  commentable_type: text("What kind of record it is on.", "Alert").nullable(),
  commentable_id: identifier("alert", "The record it is on.").nullable(),
  parent_id: text("The comment that it is on.", null).nullable(),
  account_user_id: identifier("account_user", "Who wrote it.").nullable(),
  created_by_name: text("The name of its author.", "Ada Lovelace").nullable(),
  body: text("The text.", "It is the log volume; clearing it."),
});
export type Comment = z.output<typeof Comment>;
