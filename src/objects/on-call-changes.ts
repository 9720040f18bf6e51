// Notifies the objects of schedules and teams of changes of who is on call. The rows that say so are written with the
// change itself and leave only afterwards: a crash in between delays a notice, and loses none.
import { statement } from "../db/database.ts";
import {
  deleteOnCallChanges,
  type OnCallChange,
  readOnCallChanges,
} from "../db/on-call-change-rows.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { scheduleObject, teamObject } from "./stubs.ts";

/** Changes that are read at a time. */
const MOST = 50;

/** Notifies the objects of an account's changes, or (null) of those of all accounts. Throws when one fails. */
export async function notifyOnCallChanges(
  env: Cloudflare.Env,
  accountId: string | null,
): Promise<void> {
  for (;;) {
    const changes = await readOnCallChanges(env.DB, accountId, MOST);
    if (changes.length === 0) return;
    const looked = await Promise.allSettled(changes.map((change) => notify(env, change)));
    const done = changes.filter((_, i) => looked[i]?.status === "fulfilled");
    if (done.length > 0) await statement(env.DB, deleteOnCallChanges(done)).run();
    const failed = looked.find((it) => it.status === "rejected");
    if (failed) throw failed.reason;
    if (changes.length < MOST) return;
  }
}

async function notify(
  env: Cloudflare.Env,
  { id, accountId, kind, teamIds }: OnCallChange,
): Promise<void> {
  const teams = kind === "team" ? [id] : teamIds;
  await Promise.all([
    ...teams.map((team) => teamObject(env, prefixIdOf("team", team)).look({ id: team, accountId })),
    ...(kind === "schedule"
      ? [scheduleObject(env, prefixIdOf("schedule", id)).watch({ id, accountId })]
      : []),
  ]);
}
