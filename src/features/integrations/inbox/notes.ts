// Stores senders' notes as comments on the alert of an `Id`. They are written before the reply, so
// that an accepted request means that its comments are stored.
import { type SQLWrapper, sql } from "drizzle-orm";
import type { AnnouncementTarget } from "../../../domain/integrations/announcement.ts";
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { build, statement } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { first } from "../../../kernel/db/select.ts";
import type { InboundEvent } from "../../../products/integration-type.ts";
import { selectTargets } from "../../../products/outgoing/announcement-targets.ts";
import {
  commentAnnouncement,
  type StoredComment,
} from "../../../products/outgoing/comment-announcement.ts";
import { NO_CONTEXT, selectCommentContext } from "../../alerts/comments/rows.ts";
import { insertDeliveries } from "../../outgoing/delivery-rows.ts";
import { readAnnouncementTargets, wakeOutgoing } from "../../outgoing/queue-announcements.ts";
import { comments } from "../../schema/messages.ts";
import { alertObject } from "../../stubs.ts";
import type { InboxStorage } from "./inbox-storage.ts";
import { selectNewest, selectReferenced } from "./request-log-rows.ts";

export type Note = Extract<InboundEvent, { kind: "note" }>;

const NOT_STORED = refuse("unavailable", "the note cannot be stored now; send it again");
/** Maximum number of checks whether D1 has the alert of a note, and their interval (ms). */
const MAX_CHECKS = 40;
const CHECK_INTERVAL_MS = 50;

/** An alert with a new comment. `orderingKey`: its key in the inbox; null if unknown. */
export type CommentedAlert = { readonly alertId: string; readonly orderingKey: string | null };

/**
 * Stores notes as comments and queues their announcements.
 *
 * @returns the alerts commented on; a refusal if the notes could not be stored
 */
export async function storeNotes(
  env: Cloudflare.Env,
  storage: InboxStorage,
  configuration: IntegrationConfiguration,
  notes: readonly Note[],
): Promise<readonly CommentedAlert[] | Refusal> {
  try {
    const written: StoredComment[] = [];
    const noted: CommentedAlert[] = [];
    for (const note of notes) {
      // A note without an alert is dropped.
      const found = await findAlert(env, storage, configuration, note);
      if (found === NOT_PROJECTED) return NOT_STORED;
      if (found === null) continue;
      written.push(commentOf(note, found.alertId, configuration));
      noted.push(found);
    }
    if (written.length === 0) return [];
    const targets = await readAnnouncementTargets(env.DB, configuration.accountId);
    const queries = await Promise.all(written.map((it) => buildWrites(env, it, targets)));
    await env.DB.batch(queries.flat().map((query) => statement(env.DB, query)));
    await wakeOutgoing(env, targets);
    return noted;
  } catch (error) {
    logFault("a note could not be stored", error);
    return NOT_STORED;
  }
}

const commentOf = (
  { body, author }: Note,
  alertId: string,
  { id, accountId, name }: IntegrationConfiguration,
): StoredComment => ({
  ...{ id: newIdentity("comment", Date.now()).id, accountId, at: Date.now(), body, meta: {} },
  ...{ commentableType: "Alert", commentableId: alertId },
  ...{ authorId: null, authorName: author ?? name, from: id },
});

/** The inserts of a comment and of the deliveries that announce it. */
async function buildWrites(
  env: Cloudflare.Env,
  comment: StoredComment,
  targets: readonly AnnouncementTarget[],
): Promise<SQLWrapper[]> {
  const { id, accountId, at, body, commentableType, commentableId, authorName } = comment;
  const row = {
    ...{ id, prefixId: prefixIdOf("comment", id), createdAt: at, updatedAt: at },
    ...{ accountId, body, commentableType, commentableId, createdByName: authorName },
  };
  const insert = build.insert(comments).values(row);
  if (targets.length === 0) return [insert];
  const query = selectCommentContext(accountId, sql`select ${commentableId} as id`);
  const context = (await first(env.DB, query)) ?? NO_CONTEXT;
  const announcement = commentAnnouncement(comment, context);
  const planned = selectTargets(targets, announcement).map((target) => ({
    integrationId: target.id,
    announcement,
  }));
  return [insert, insertDeliveries(accountId, planned, at)];
}

const NOT_PROJECTED = Symbol("not yet");

/**
 * Finds the alert of an `Id` and waits until D1 has it, since a comment's audience is read from its
 * row. Null if there is none, and none is about to be created.
 */
async function findAlert(
  env: Cloudflare.Env,
  storage: InboxStorage,
  configuration: IntegrationConfiguration,
  note: Note,
): Promise<CommentedAlert | typeof NOT_PROJECTED | null> {
  const { thirdpartyId, reference } = note;
  if (thirdpartyId === null || !storage.exists) return null;
  const id = (reference ? storage.findByReference(reference) : null) ?? thirdpartyId;
  for (let check = 0; check < MAX_CHECKS; check += 1) {
    // Read before asking the alert: an event that is delivered meanwhile is not taken for absent.
    const isPending = storage.events.index.pending(id, 1).length > 0;
    const alertId = storage.orderingKeys.newest(id);
    const isProjected =
      alertId === null
        ? null
        : await alertObject(env, prefixIdOf("alert", alertId)).show(configuration.accountId);
    if (isProjected === true && alertId !== null) return { alertId, orderingKey: id };
    if (alertId === null && !isPending) return findForgotten(env, configuration, note);
    if (isProjected === null && !isPending) return null;
    await scheduler.wait(CHECK_INTERVAL_MS);
  }
  return NOT_PROJECTED;
}

/** The alert in D1 that a note refers to: its ordering key is forgotten. */
async function findForgotten(
  env: Cloudflare.Env,
  { id, accountId }: IntegrationConfiguration,
  { thirdpartyId, reference }: Note,
): Promise<CommentedAlert | null> {
  const named = reference ? await first(env.DB, selectReferenced(accountId, id, reference)) : null;
  if (named !== null) return { alertId: named.id, orderingKey: named.thirdpartyId };
  if (thirdpartyId === null) return null;
  const newest = await first(env.DB, selectNewest(accountId, id, thirdpartyId));
  return newest && { alertId: newest.id, orderingKey: thirdpartyId };
}
