// What people answered at a standby while it was active: read there, and given again at the primary.

import { sql } from "drizzle-orm";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { all, first, select } from "../../../kernel/db/select.ts";
import { commentOn } from "../../alerts/comments/create-comment.ts";
import { selectStoredAlert } from "../../alerts/object/stored-alert-rows.ts";
import { alerts } from "../../schema/alerts.ts";
import { comments } from "../../schema/messages.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { alertObject } from "../../stubs.ts";

/** An answer or comment of a person. */
export type StandbyAnswer = {
  /** Tells it from others. */
  readonly key: string;
  readonly accountId: string;
  readonly alertId: string;
  /** By which the primary finds its own alert, if it did not make this one. */
  readonly sourceId: string | null;
  readonly thirdpartyId: string | null;
  readonly type: "acknowledge" | "resolve" | "comment";
  readonly by: { readonly accountUserId: string; readonly name: string };
  readonly comment: { readonly id: string; readonly body: string } | null;
};

const selectName = (accountUserId: string) =>
  select(
    { name: users.name },
    sql`from ${users} join ${accountUsers} on ${accountUsers.userId} = ${users.id}
      where ${accountUsers.id} = ${accountUserId}`,
  );

const selectAnswered = (since: number) =>
  select(
    { accountId: alerts.accountId, id: alerts.id },
    sql`from ${alerts} where ${alerts.status} in ('acknowledged', 'resolved')
      and coalesce(${alerts.resolvedAt}, ${alerts.acknowledgedAt}) >= ${since}`,
  );

const selectWritten = (since: number) =>
  select(
    {
      ...{ id: comments.id, body: comments.body },
      ...{ accountId: comments.accountId, alertId: alerts.id },
      ...{ sourceId: alerts.sourceId, thirdpartyId: alerts.thirdpartyId },
      ...{ accountUserId: comments.accountUserId, name: comments.createdByName },
    },
    sql`from ${comments} join ${alerts} on ${alerts.accountId} = ${comments.accountId}
        and ${alerts.id} = ${comments.commentableId}
      where ${comments.createdAt} >= ${since} and ${comments.accountUserId} is not null
      order by ${comments.id}`,
  );

/** Reads what people answered since an instant (epoch ms). */
export async function readAnswers(db: D1Database, since: number): Promise<StandbyAnswer[]> {
  const answers: StandbyAnswer[] = [];
  for (const { accountId, id } of await all(db, selectAnswered(since))) {
    const stored = await first(db, selectStoredAlert(accountId, { form: "id", value: id }));
    if (stored === null) continue;
    const { status, workflows, undoable, source, thirdpartyId } = stored.alert;
    const type = status === "resolved" ? "resolve" : "acknowledge";
    const who =
      undoable?.type === type
        ? undoable.by
        : type === "acknowledge" && workflows.find((it) => it.acknowledgedBy)?.acknowledgedBy;
    // What its sender did is in its event.
    if (!who) continue;
    const by = { accountUserId: who, name: (await first(db, selectName(who)))?.name ?? "" };
    const about = { accountId, alertId: id, sourceId: source.id, thirdpartyId };
    answers.push({ key: `${id} ${type}`, ...about, type, by, comment: null });
  }
  for (const written of await all(db, selectWritten(since))) {
    const { id, body, accountUserId, name, ...about } = written;
    const by = { accountUserId: accountUserId ?? "", name: name ?? "" };
    const comment = { id, body };
    answers.push({ key: id, ...about, type: "comment", by, comment });
  }
  return answers;
}

/** The primary's alert that an answer is about; null: there is none, or not yet. */
async function findAlert(
  db: D1Database,
  { accountId, alertId, sourceId, thirdpartyId }: StandbyAnswer,
): Promise<string | null> {
  const query = select(
    { id: alerts.id },
    sql`from ${alerts} where ${alerts.accountId} = ${accountId} and (${alerts.id} = ${alertId}
        or ${alerts.sourceId} = ${sourceId} and ${alerts.thirdpartyId} = ${thirdpartyId}
          and ${alerts.status} <> 'resolved')
      order by ${alerts.id} = ${alertId} desc, ${alerts.id} desc limit 1`,
  );
  return (await first(db, query))?.id ?? null;
}

/** Gives answers at the primary. Returns the keys of those that are done, or refused for good. */
export async function giveAnswers(
  env: Cloudflare.Env,
  answers: readonly StandbyAnswer[],
  now: number,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<string[]> {
  const done: string[] = [];
  for (const answer of answers) {
    const { key, accountId, type, by, comment } = answer;
    const id = await findAlert(env.DB, answer);
    if (id === null) continue;
    if (comment !== null) {
      const actor = { kind: "link", accountId, ...by } as const;
      const context = { env, db: env.DB, actor, now, stillAllowed: [], waitUntil };
      const { id: same } = comments;
      const isThere = await first(
        env.DB,
        select({ same }, sql`from ${comments} where ${same} = ${comment.id}`),
      );
      const on = { type: "Alert", identifier: { form: "id", value: id } } as const;
      if (!isThere) await commentOn(context, comment.id, on, { body: comment.body });
    } else if (type !== "comment") {
      const object = alertObject(env, prefixIdOf("alert", id));
      const result = await object.command(accountId, { type, by }, "for_readers");
      if (isRefusal(result) && result.reason === "unavailable") continue;
    }
    done.push(key);
  }
  return done;
}
