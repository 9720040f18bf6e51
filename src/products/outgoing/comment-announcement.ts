// Builds the announcement of a new comment for outgoing integrations. Pure.
import type { Announcement, Audience } from "../../domain/integrations/announcement.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";

/** A stored comment. */
export type StoredComment = {
  readonly id: string;
  readonly accountId: string;
  /** Epoch ms. */
  readonly at: number;
  readonly body: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly commentableType: string | null;
  readonly commentableId: string | null;
  readonly authorId: string | null;
  readonly authorName: string;
  /** The id of the integration that created it, if any. */
  readonly from: string | null;
};

/** The record that the comment, or its whole thread, is about. */
type Context = {
  readonly alertId: string | null;
  readonly title: string | null;
  readonly audience: Audience;
};

/** The `comment.created` announcement. */
export function commentAnnouncement(
  comment: StoredComment,
  { alertId, title, audience }: Context,
): Announcement {
  const { id, at, authorId, authorName, commentableType, commentableId } = comment;
  const author = authorId && {
    id: authorId,
    prefix_id: prefixIdOf("account_user", authorId),
    user: { name: authorName },
  };
  const written = new Date(at).toISOString();
  return {
    effectId: `${id}:created`,
    event: "comment.created",
    at,
    lane: alertId ?? id,
    sequence: 0,
    alertId,
    audience,
    from: comment.from,
    trail: [],
    payload: {
      about: "comment",
      on: title,
      comment: {
        id,
        prefix_id: prefixIdOf("comment", id),
        account_id: comment.accountId,
        created_at: written,
        updated_at: written,
        meta: comment.meta,
        commentable_type: commentableType,
        commentable_id: commentableId,
        parent_id: commentableType === "Comment" ? commentableId : null,
        account_user_id: authorId,
        account_user: author,
        created_by_name: authorName,
        body: comment.body,
        alert_id: alertId,
      },
    },
  };
}
