// What follows from every committed change, whoever made it: the log, and notices of on-call changes.
import type { AnswerName } from "../answers.ts";
import type { Change } from "./change.ts";
import { DECIDE_ON_CALL } from "./change-writes.ts";
import type { Context } from "./context.ts";
import { notifyChanges } from "./notify-changes.ts";

type Followed = {
  readonly change: Pick<Change<AnswerName>, "verb" | "records" | "id" | "before">;
  /** The record after the change; null once it is deleted. */
  readonly after: unknown;
};

/** Logs committed changes, and has objects notified if they may change who is on call. */
export function followChanges(context: Context, changes: readonly Followed[]): void {
  for (const it of changes) logChange(context, it);
  if (!changes.some(({ change }) => DECIDE_ON_CALL.has(change.records.kind))) return;
  const { env, actor, waitUntil } = context;
  // After the response: the caller does not wait for notifications.
  waitUntil(scheduler.wait(1).then(() => notifyChanges(env, actor.accountId)));
}

function logChange({ env, actor }: Context, { change, after }: Followed): void {
  if (env.LOG_CHANGES !== "on") return;
  console.log({
    message: "change",
    verb: change.verb,
    kind: change.records.kind,
    id: change.id,
    account: actor.accountId,
    by: actor.kind,
    person: "accountUserId" in actor ? actor.accountUserId : null,
    fields: changedFields(change.before, after),
  });
}

/** Names only: values may be secrets or personal. */
function changedFields(before: unknown, after: unknown): string[] {
  const [was, is] = [before ?? {}, after ?? {}].map((it) => new Map(Object.entries(it)));
  const names = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  return [...names].filter((name) => {
    const same = JSON.stringify(was?.get(name)) === JSON.stringify(is?.get(name));
    return name !== "updated_at" && !same;
  });
}
