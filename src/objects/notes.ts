// Notes of senders: comments on the alert of an `Id`. They are written before the sender is answered, so that an
// answer means the comment is there.
import { type SQLWrapper, sql } from "drizzle-orm";
import type { RawRow } from "../db/attributes.ts";
import { selectCommentContext, toCommentContext } from "../db/comment-context-rows.ts";
import { build, statement } from "../db/database.ts";
import { newIdentity } from "../db/identifiers.ts";
import { insertDeliveries } from "../db/outgoing-rows.ts";
import { selectAlertOfRequest } from "../db/request-log-rows.ts";
import { comments } from "../db/schema/messages.ts";
import type { Teller } from "../domain/announcement.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import { type Refusal, refuse } from "../domain/refusal.ts";
import { commentAnnouncement, type WrittenComment } from "../integrations/comment-announcement.ts";
import type { InboundEvent } from "../integrations/integration-type.ts";
import { tellersOf } from "../integrations/tellers.ts";
import { readTellers, wake } from "./announce.ts";
import type { InboxStorage, Told } from "./inbox-storage.ts";
import { alertObject } from "./stubs.ts";

export type Note = Extract<InboundEvent, { kind: "note" }>;

const UNWRITTEN = refuse("unavailable", "the note cannot be stored now; send it again");
/** How long readers may take to see the alert of a note, in steps of `STEP_MS`. */
const MOST_STEPS = 40;
const STEP_MS = 50;

/** An alert that has been noted on, and the ordering key by which the inbox knows it, if it does. */
export type NotedAlert = { readonly alertId: string; readonly lane: string | null };

/** Stores notes as comments and queues their announcements: the alerts noted on, or a refusal when that failed. */
export async function keepNotes(
  env: Cloudflare.Env,
  kept: InboxStorage,
  configuration: IntegrationConfiguration,
  notes: readonly Note[],
): Promise<readonly NotedAlert[] | Refusal> {
  try {
    const written: WrittenComment[] = [];
    const noted: NotedAlert[] = [];
    for (const note of notes) {
      // A note on nothing is dropped.
      const found = await alertOf(env, kept, configuration.id, note);
      if (found === NOT_YET) return UNWRITTEN;
      if (found === null) continue;
      written.push(commentOf(note, found.alertId, configuration));
      noted.push(found);
    }
    if (written.length === 0) return [];
    const tellers = await readTellers(env.DB, configuration.accountId);
    const queries = await Promise.all(written.map((it) => writesOf(env, it, tellers)));
    await env.DB.batch(queries.flat().map((query) => statement(env.DB, query)));
    await wake(env, tellers);
    return noted;
  } catch (error) {
    console.error({ message: "a note could not be kept", error: String(error).slice(0, 200) });
    return UNWRITTEN;
  }
}

const commentOf = (
  { body, author }: Note,
  alertId: string,
  { id, accountId, name }: IntegrationConfiguration,
): WrittenComment => ({
  ...{ id: newIdentity("comment", Date.now()).id, accountId, at: Date.now(), body, meta: {} },
  ...{ commentableType: "Alert", commentableId: alertId },
  ...{ authorId: null, authorName: author ?? name, from: id },
});

/** The comment, and what is told of it. */
async function writesOf(
  env: Cloudflare.Env,
  comment: WrittenComment,
  tellers: readonly Teller[],
): Promise<SQLWrapper[]> {
  const { id, accountId, at, body, commentableType, commentableId, authorName } = comment;
  const row = {
    ...{ id, prefixId: prefixIdOf("comment", id), createdAt: at, updatedAt: at },
    ...{ accountId, body, commentableType, commentableId, createdByName: authorName },
  };
  const insert = build.insert(comments).values(row);
  if (tellers.length === 0) return [insert];
  const query = selectCommentContext(accountId, sql`select ${commentableId} as id`);
  const context = toCommentContext((await statement(env.DB, query).first<RawRow>()) ?? undefined);
  const announcement = commentAnnouncement(comment, context);
  const planned = tellersOf(tellers, announcement).map((teller) => ({
    integrationId: teller.id,
    announcement,
  }));
  return [insert, insertDeliveries(accountId, planned, at)];
}

const NOT_YET = Symbol("not yet");

/**
 * The alert of an `Id`, waited for until readers see it: whom a comment concerns is read from its row. Null when there
 * is none, and none on its way.
 */
async function alertOf(
  env: Cloudflare.Env,
  kept: InboxStorage,
  integrationId: string,
  { thirdpartyId, reference }: Note,
): Promise<NotedAlert | typeof NOT_YET | null> {
  if (thirdpartyId === null || !kept.exists) return null;
  const named = reference ? kept.laneOfReference(reference) : null;
  if (named === null && reference?.by === "request") {
    const alertId = await alertOfRequest(env, integrationId, reference.logId);
    if (alertId !== null) return { alertId, lane: null };
  }
  const id = named ?? thirdpartyId;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    // Looked at before the alert is asked: what is handed on meanwhile is not taken for gone.
    const onItsWay = kept.waiting(id, 1).length > 0;
    const alertId = kept.lanes.newest(id)?.alertId ?? null;
    const shown =
      alertId === null ? null : await alertObject(env, prefixIdOf("alert", alertId)).show();
    if (shown === true && alertId !== null) return { alertId, lane: id };
    if (shown === null && !onItsWay) return null;
    await scheduler.wait(STEP_MS);
  }
  return NOT_YET;
}

/** The alert of a request whose log has been written. */
async function alertOfRequest(
  env: Cloudflare.Env,
  integrationId: string,
  logId: string,
): Promise<string | null> {
  const query = selectAlertOfRequest(integrationId, logId);
  const row = await statement(env.DB, query).first<{ id: string }>();
  return row?.id ?? null;
}

/** What the log says of a request whose events change no alert. */
export function uncounted(events: readonly InboundEvent[], noted: readonly NotedAlert[]): Told {
  const ignored = events.filter((event) => event.kind === "ignored");
  if (ignored.length > 0) {
    const reasons = ignored.map(({ reason }) => reason).join("; ");
    const areRecords = ignored.every(({ isRecord }) => isRecord);
    return { level: "info", message: areRecords ? reasons : `Ignored: ${reasons}` };
  }
  const names = noted.map(({ alertId }) => prefixIdOf("alert", alertId));
  return names.length > 0
    ? { level: "info", message: `Noted on alert ${names.join(", ")}` }
    : { level: "warn", message: "Unmatched: no alert has this Id, the note is dropped" };
}
