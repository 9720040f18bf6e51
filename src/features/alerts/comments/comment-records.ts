// Comments: what a record shows, and the kinds of record that can be commented on (contract 5).

import { reference } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import { type Records, recordsIn, type Whereabouts } from "../../../kernel/db/records.ts";
import { alerts } from "../../schema/alerts.ts";
import { broadcasts, comments } from "../../schema/messages.ts";
import { accountUsers } from "../../schema/people.ts";
import type { COMMENTABLE_TYPES } from "./parameters.ts";

export type CommentableType = (typeof COMMENTABLE_TYPES)[number];

export const commentRecords: Records<"Comment"> = {
  kind: "comment",
  shows: "Comment",
  from: comments,
  accountId: comments.accountId,
  id: comments.id,
  prefixId: comments.prefixId,
  attributes: {
    ...plainAttributes("Comment", comments, []),
    commentable_id: reference(
      comments.commentableId,
      comments.accountId,
      alerts,
      broadcasts,
      comments,
    ),
    parent_id: reference(comments.parentId, comments.accountId, comments),
    account_user_id: reference(comments.accountUserId, comments.accountId, accountUsers),
  },
  search: [comments.body],
  total: "comments",
};

/** Where the records are that a comment can be on. */
export const COMMENTED: Readonly<Record<CommentableType, Whereabouts>> = {
  Alert: recordsIn("alert", alerts),
  Broadcast: recordsIn("broadcast", broadcasts),
  Comment: recordsIn("comment", comments),
};
