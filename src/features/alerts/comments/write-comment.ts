// Writes a comment if its parent exists, checked in the same statement, so that a concurrent delete
// leaves no orphan. A comment and its deliveries to outgoing integrations are written in one batch,
// so where integrations may be notified, the comment waits for that decision.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PersonActor } from "../../../domain/access/actor.ts";
import type { AnnouncementTarget } from "../../../domain/integrations/announcement.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { selectId } from "../../../kernel/db/records.ts";
import { select } from "../../../kernel/db/select.ts";
import { selectTargets } from "../../../products/outgoing/announcement-targets.ts";
import { commentAnnouncement } from "../../../products/outgoing/comment-announcement.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { insertDeliveries } from "../../outgoing/delivery-rows.ts";
import { selectOutgoing, wakeOutgoing } from "../../outgoing/queue-announcements.ts";
import { comments } from "../../schema/messages.ts";
import { notifyWatchers } from "../../stubs.ts";
import { selectWatched } from "../object/watched-account-rows.ts";
import type { Comment } from "./contract.ts";
import type { CommentOn } from "./parameters.ts";
import {
  COMMENTED,
  type CommentableType,
  type CommentContext,
  commentRecords,
  NO_CONTEXT,
  selectCommentContext,
} from "./rows.ts";

/** The parent of a comment. */
export type Commentable = { readonly type: CommentableType; readonly identifier: Identifier };

/** A comment to write. */
export type CommentDraft = {
  /** The ULID of the new comment. */
  readonly id: string;
  readonly body: CommentOn;
  /** Null for a free-standing comment. */
  readonly on: Commentable | null;
  /** The id of the integration by which it came, which is not told of it; none by default. */
  readonly from?: string;
};

/** Who is told of a comment, and what it is about. */
type Audience = {
  readonly targets: readonly AnnouncementTarget[];
  readonly context: CommentContext;
  readonly parentId: string | null;
};

/**
 * Writes a comment of the actor. One round trip; a second where outgoing integrations may be
 * notified.
 *
 * @returns the comment; null if the parent does not exist
 */
export async function writeComment(
  context: Context<PersonActor>,
  draft: CommentDraft,
): Promise<Comment | null> {
  const { accountId } = context.actor;
  const parent = parentOf(accountId, draft.on);
  const nobodyHears = sql`not exists (${selectOutgoing(accountId)})`;
  const { after, rows } = await commitComment(
    context,
    draft,
    [insertComment(context, draft, nobodyHears)],
    [
      selectOutgoing(accountId),
      selectCommentContext(accountId, parent),
      selectWatched(accountId, context.now),
      select({ id: sql<string | null>`id` }, sql`from (${parent})`),
    ],
  );
  const [targets, [found], watched, [parentRow]] = rows;
  const notify = (comment: Comment | null) => {
    const { commentable_id: alertId = null } = comment ?? {};
    if (draft.on?.type !== "Alert" || alertId === null || watched.length === 0) return;
    context.waitUntil(notifyWatchers(context.env, [{ accountId, alertId }]));
  };
  if (after !== null) {
    notify(after);
    return after;
  }
  if (targets.length === 0) return null;
  const audience = { targets, context: found ?? NO_CONTEXT, parentId: parentRow?.id ?? null };
  const written = await writeWithDeliveries(context, draft, audience);
  notify(written);
  return written;
}

/** Writes a comment and its deliveries in one batch; null if the parent does not exist. */
async function writeWithDeliveries(
  context: Context<PersonActor>,
  draft: CommentDraft,
  audience: Audience,
): Promise<Comment | null> {
  const { env, actor, now } = context;
  const { accountId } = actor;
  const { id, body, on, from = null } = draft;
  const announcement = commentAnnouncement(
    {
      ...{ id, accountId, at: now, body: body.body, meta: body.meta ?? {}, from },
      ...{ authorId: actor.accountUserId, authorName: actor.name },
      ...{ commentableType: on?.type ?? null, commentableId: audience.parentId },
    },
    audience.context,
  );
  const targets = selectTargets(audience.targets, announcement);
  const planned = targets.map((it) => ({ integrationId: it.id, announcement }));
  // The parent may have been deleted meanwhile: then there is no comment.
  const isThere = sql`exists (select 1 from ${comments} where ${comments.id} = ${id})`;
  const { after } = await commitComment(context, draft, [
    insertComment(context, draft, sql`true`),
    ...(planned.length > 0 ? [insertDeliveries(accountId, planned, now, isThere)] : []),
  ]);
  if (after !== null) await wakeOutgoing(env, targets);
  return after;
}

const commitComment = <const Reads extends readonly SQLWrapper[] = readonly []>(
  context: Context,
  { id }: CommentDraft,
  writes: readonly SQLWrapper[],
  reads?: Reads,
) =>
  commitChange(
    context,
    { verb: "create", records: commentRecords, id, before: null, writes },
    reads,
  );

/** Selects the id of the parent; null for a free-standing comment. */
const parentOf = (accountId: string, on: Commentable | null): SQL =>
  on ? selectId(COMMENTED[on.type], accountId, on.identifier) : sql`select null as id where true`;

/** Inserts a comment if its parent exists and the condition holds. */
function insertComment(
  { actor, now }: Context<PersonActor>,
  { id: recordId, body, on }: CommentDraft,
  condition: SQL,
): SQL {
  const { id, prefixId } = newIdentity("comment", now, recordId);
  const { accountId } = actor;
  return sql`insert into ${comments} (id, prefix_id, created_at, updated_at, account_id, meta, body,
      commentable_type, commentable_id, parent_id, account_user_id, created_by_name)
    select ${id}, ${prefixId}, ${now}, ${now}, ${accountId}, ${JSON.stringify(body.meta ?? {})},
      ${body.body}, ${on?.type ?? null}, parent.id, ${on?.type === "Comment" ? sql`parent.id` : sql`null`},
      ${actor.accountUserId}, ${actor.name}
    from (${parentOf(accountId, on)}) as parent where ${condition}`;
}
