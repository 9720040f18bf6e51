// Comments on alerts, broadcasts and other comments, or free-standing (contract 5). Comments are
// immutable, and deleted with their parent.
import { type SQL, sql } from "drizzle-orm";
import {
  type COMMENTABLE_TYPES,
  CommentOn,
  CreateComment,
} from "../../contract/alerts/comment-parameters.ts";
import { alertRecords } from "../../db/alerts/alert-rows.ts";
import { broadcastRecords } from "../../db/broadcasts/broadcast-records.ts";
import { commonAttributes, type RawRow, reference, string } from "../../db/records/attributes.ts";
import {
  presentRecord,
  type Records,
  selectId,
  selectOne,
  type Whereabouts,
} from "../../db/records/records.ts";
import { alerts } from "../../db/schema/alerts.ts";
import { broadcasts, comments } from "../../db/schema/messages.ts";
import { accountUsers } from "../../db/schema/people.ts";
import { statement } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import { type Identifier, parseIdentifier } from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { type Answer, created } from "../../http/answers.ts";
import { listRecords, pathIdentifier, readRoutes, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { made, many } from "../../http/shown.ts";
import { selectTargets } from "../../integrations/outgoing/announcement-targets.ts";
import { commentAnnouncement } from "../../integrations/outgoing/comment-announcement.ts";
import { wakeOutgoing } from "../../objects/integrations/queue-announcements.ts";
import {
  audienceQueries,
  insertDeliveriesOf,
  nobodyHears,
  toAudience,
} from "./comment-audience.ts";

type CommentableType = (typeof COMMENTABLE_TYPES)[number];

// ── Rows ──

const commentRecords: Records<"Comment"> = {
  kind: "comment",
  shows: "Comment",
  from: comments,
  accountId: comments.accountId,
  id: comments.id,
  prefixId: comments.prefixId,
  attributes: {
    ...commonAttributes(comments),
    commentable_type: string(comments.commentableType),
    commentable_id: reference(
      comments.commentableId,
      comments.accountId,
      alerts,
      broadcasts,
      comments,
    ),
    parent_id: reference(comments.parentId, comments.accountId, comments),
    account_user_id: reference(comments.accountUserId, comments.accountId, accountUsers),
    created_by_name: string(comments.createdByName),
    body: string(comments.body),
  },
  search: [comments.body],
  total: "comments",
};

// ── Rules ──

const PLACES: Readonly<Record<CommentableType, Whereabouts>> = {
  Alert: alertRecords,
  Broadcast: broadcastRecords,
  Comment: commentRecords,
};

/** The parent of a new comment. */
type Commentable = { readonly type: CommentableType; readonly identifier: Identifier };

/** The parent in `commentable_type` and `commentable_id`; null for a free-standing comment. */
function commentableOf(body: CreateComment): Commentable | Refusal | null {
  const { commentable_type: type, commentable_id: id } = body;
  if (type == null || id == null) return null;
  const identifier = parseIdentifier(PLACES[type].kind, id);
  return identifier === null ? refuseUnknownParent(type, id) : { type, identifier };
}

const refuseUnknownParent = (type: CommentableType, id: string): Refusal =>
  refuse(
    "invalid",
    `commentable_id: no such ${type.toLowerCase()} ${id.slice(0, 64)}`,
    "commentable_id",
  );

// ── Routes ──

/** Selects the id of the parent; null for a free-standing comment. */
const parentOf = (accountId: string, on: Commentable | null): SQL =>
  on ? selectId(PLACES[on.type], accountId, on.identifier) : sql`select null as id where true`;

/** Inserts a comment if its parent exists and the condition holds. */
function insertComment(
  { actor, now, body, recordId }: ApiRequest<CommentOn>,
  on: Commentable | null,
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

/**
 * Writes a comment if its parent exists, checked in the same statement, so that a concurrent delete
 * leaves no orphan. One round trip; a second where outgoing integrations may be notified.
 *
 * @param missing the response when the parent does not exist
 */
async function writeComment(
  request: ApiRequest<CommentOn>,
  on: Commentable | null,
  missing: Refusal,
): Promise<Answer> {
  const { db, actor, recordId } = request;
  const { accountId } = actor;
  const queries = [
    insertComment(request, on, nobodyHears(accountId)),
    selectOne(commentRecords, accountId, { form: "id", value: recordId }),
    ...audienceQueries(accountId, parentOf(accountId, on)),
  ];
  const results = await db.batch<RawRow>(queries.map((query) => statement(db, query)));
  const [, made, ...audienceRows] = results.map((it) => it.results);
  if (made?.[0]) return created(presentRecord(commentRecords, made[0]));
  const audience = toAudience(audienceRows);
  return audience.tellers.length === 0
    ? missing
    : writeWithDeliveries(request, on, audience, missing);
}

/** Writes a comment and its deliveries in one batch. */
async function writeWithDeliveries(
  request: ApiRequest<CommentOn>,
  on: Commentable | null,
  audience: ReturnType<typeof toAudience>,
  missing: Refusal,
): Promise<Answer> {
  const { db, env, actor, now, body, recordId: id } = request;
  const { accountId } = actor;
  const announcement = commentAnnouncement(
    {
      ...{ id, accountId, at: now, body: body.body, meta: body.meta ?? {}, from: null },
      ...{ authorId: actor.accountUserId, authorName: actor.name },
      ...{ commentableType: on?.type ?? null, commentableId: audience.parentId },
    },
    audience.context,
  );
  const targets = selectTargets(audience.tellers, announcement);
  const planned = targets.map((it) => ({ integrationId: it.id, announcement }));
  const deliveries = planned.length > 0 ? [insertDeliveriesOf(accountId, id, planned, now)] : [];
  const writes = [insertComment(request, on, sql`true`), ...deliveries];
  const identifier = { form: "id", value: id } as const;
  const record = await writeAndRead(db, writes, commentRecords, accountId, identifier);
  if (isRefusal(record)) return missing;
  await wakeOutgoing(env, targets);
  return created(record);
}

/** `GET` and `POST /things/:id/comments`. */
function routesBelow(path: string, type: CommentableType): DeclaredRoute[] {
  const parent = PLACES[type];
  const article = type === "Alert" ? "an" : "a";
  const ofThe = `${article} ${type.toLowerCase()}'s`;
  return [
    route({
      method: "GET",
      path: `${path}/:id/comments`,
      operation: `list${type}Comments`,
      summary: `List ${ofThe} comments`,
      shows: many(commentRecords),
      handle: async (request) => {
        const identifier = pathIdentifier(request, parent.kind);
        if (isRefusal(identifier)) return identifier;
        return listRecords(request, commentRecords, {
          below: {
            parent,
            identifier,
            scope: (parentId) => sql`${comments.commentableId} = (${parentId})`,
          },
        });
      },
    }),
    route({
      method: "POST",
      path: `${path}/:id/comments`,
      operation: `create${type}Comment`,
      summary: `Comment on ${article} ${type.toLowerCase()}`,
      shows: made(commentRecords),
      body: CommentOn,
      makes: commentRecords,
      handle: async (request) => {
        const identifier = pathIdentifier(request, parent.kind);
        if (isRefusal(identifier)) return identifier;
        return writeComment(request, { type, identifier }, notFound(parent.kind));
      },
    }),
  ];
}

export const commentRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/comments", "Comment", commentRecords),
  route({
    method: "POST",
    path: "/comments",
    operation: "createComment",
    summary: "Create a comment",
    shows: made(commentRecords),
    body: CreateComment,
    makes: commentRecords,
    handle: async (request) => {
      const on = commentableOf(request.body);
      if (isRefusal(on)) return on;
      const sent = String(request.body.commentable_id);
      return writeComment(request, on, refuseUnknownParent(on?.type ?? "Comment", sent));
    },
  }),
  ...routesBelow("/alerts", "Alert"),
  ...routesBelow("/broadcasts", "Broadcast"),
  ...routesBelow("/comments", "Comment"),
];
