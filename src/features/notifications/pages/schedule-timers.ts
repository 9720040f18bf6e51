// Schedules the later steps of a page in the person's object before the page is confirmed: timed
// stages of the rule, deferred notifications, and repeated calls. Most pages have none and make no
// call.
import { repeatCallMessage, repeatTime } from "../../../domain/notifications/repeat-call.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { Timer } from "../../rpc.ts";
import { personObject } from "../../stubs.ts";
import type { PageInProgress } from "./work.ts";

/** Registers the timers with each person's object. Throws if one fails: the page is retried. */
export async function scheduleTimers(
  all: readonly PageInProgress[],
  env: Cloudflare.Env,
): Promise<void> {
  const byPerson = new Map<string, Timer[]>();
  for (const work of all) {
    const timers = [...stageTimers(work), ...releaseTimers(work), ...callTimers(work)];
    if (timers.length === 0) continue;
    const name = prefixIdOf("account_user", work.message.page.accountUserId);
    byPerson.set(name, [...(byPerson.get(name) ?? []), ...timers]);
  }
  await Promise.all([...byPerson].map(([name, timers]) => personObject(env, name).expect(timers)));
}

/** Timers for the stages not yet reached; only the first message of a page registers them. */
function stageTimers({ message, plan, over, stage }: PageInProgress): Timer[] {
  if (message.stage > 0 || over || plan.kind !== "stages") return [];
  return plan.stages.flatMap(({ kind, at }, i) =>
    kind === "timed" && i > stage ? [{ at, message: { ...message, stage: i } }] : [],
  );
}

/** Timers that repeat the calls which a provider has accepted. */
function callTimers({ message, plan, rows, outcomes }: PageInProgress): Timer[] {
  const { accountId, alert, page } = message;
  if (plan.kind !== "stages" || alert === null) return [];
  return [...rows.values()].flatMap(({ id, channel, to, stage }) => {
    const sentAt = outcomes.get(id)?.sentAt ?? null;
    const isRepeated = plan.repeatedCalls.some(
      (it) => it.stage === stage && it.contact.channel === channel && it.contact.to === to,
    );
    const at = isRepeated && sentAt !== null ? repeatTime(sentAt, page.until) : null;
    if (at === null) return [];
    return [{ at, message: repeatCallMessage(accountId, alert.id, id, page) }];
  });
}

function releaseTimers({ message, rows, outcomes }: PageInProgress): Timer[] {
  const { accountId, page } = message;
  return [...rows.values()].flatMap(({ id, channel }) => {
    const { dueAt, bundle, status } = outcomes.get(id) ?? {};
    if (!dueAt || !bundle || status !== "queued" || channel === "none") return [];
    const { accountUserId } = page;
    const release = { accountUserId, channel, kind: bundle, dueAt };
    return [{ at: dueAt, message: { accountId, release } }];
  });
}
