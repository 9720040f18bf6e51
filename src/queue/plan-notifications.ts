// Which notification rows a page makes: for whom, on which channel and when, or why not at all. Sends nothing.
import { createHash } from "node:crypto";
import { availableChannels } from "../channels/channels.ts";
import type { PlannedNotification } from "../db/notification-rows.ts";
import { type Known, readReachable } from "../db/reachable-rows.ts";
import { isAnswered } from "../domain/alert.ts";
import { identifierOf, prefixIdOf } from "../domain/identifiers.ts";
import {
  type NotificationPlan,
  planNotification,
  type Stage,
} from "../domain/notification-plan.ts";
import { messageKey, type PageMessage } from "../domain/page.ts";

/** Why a page is skipped. */
export const OVER = "the alert no longer waits for this destination";

/** A page, how it is to reach its person, and whether it still is to. */
export type PlannedPage = {
  readonly message: PageMessage;
  readonly plan: NotificationPlan;
  /** The person as the story calls them. */
  readonly name: string;
  readonly over: boolean;
};

/** The plans of pages, one statement for all of them; copies of a page are planned once. */
export async function planPages(
  messages: readonly PageMessage[],
  env: Cloudflare.Env,
): Promise<PlannedPage[]> {
  const available = availableChannels(env);
  const known = await readReachable(env.DB, messages);
  const distinct = new Map(messages.map((message) => [messageKey(message), message]));
  return [...distinct.values()].map((message) => {
    const { page, alert, view } = message;
    const found = known.get(page.effectId);
    const person = found?.person ?? null;
    const rule = found?.rule ?? null;
    const urgency = alert?.urgency ?? null;
    return {
      message,
      plan: planNotification({ page, urgency, view, person, rule, available }),
      name: person?.name || page.accountUserId,
      over: isOver(message, found?.workflow ?? null),
    };
  });
}

/** Readers' rows that are as new as the page, and say that nobody is to be asked any more. */
function isOver({ alert }: PageMessage, workflow: Known["workflow"]): boolean {
  if (alert === null || workflow === null) return false;
  return workflow.version >= alert.version && isAnswered(workflow.state);
}

/** The rows of a stage. With the first come those that are held: from then on they can be seen. */
export function rowsAt(planned: PlannedPage, number: number): PlannedNotification[] {
  const { message, plan, over, name } = planned;
  if (plan.kind === "not_asked_for") return [];
  if (plan.kind === "unreachable") {
    if (over) return [nowhere(message, "skipped", OVER)];
    return [nowhere(message, "failed", `${name} ${plan.reason}`)];
  }
  if (plan.kind === "ignored") return [nowhere(message, "skipped", plan.reason)];
  return plan.stages.flatMap((stage, i) => {
    const early = number === 0 && stage.kind === "held" && !over;
    return i === number || early ? rowsOf(message, stage, i, over) : [];
  });
}

function rowsOf(
  message: PageMessage,
  { contacts, kind, at }: Stage,
  stage: number,
  over: boolean,
): PlannedNotification[] {
  return contacts.map(({ channel, to }, i) => {
    const same = contacts.slice(0, i).filter((other) => other.channel === channel).length;
    return {
      ...identityOf(message, `${stage}:${channel}:${same}`),
      message,
      stage,
      channel,
      to,
      status: over ? "skipped" : "queued",
      reason: over ? OVER : null,
      // A digest lists alerts: what is none is not held.
      aside:
        kind === "held" && !over && message.alert !== null ? { bundle: "digest", dueAt: at } : null,
    };
  });
}

/** A row that says why a page went nowhere. */
export function nowhere(
  message: PageMessage,
  status: "skipped" | "failed",
  reason: string,
): PlannedNotification {
  const row = { stage: message.stage, channel: "none", to: null, aside: null };
  return { ...identityOf(message, "none"), message, ...row, status, reason };
}

/** An id that follows from the effect and the way it takes, so that every copy makes the same row. */
export function identityOf({ page }: PageMessage, way: string): { id: string; prefixId: string } {
  const digest = createHash("sha256").update(`${page.effectId}:${way}`).digest();
  const id = identifierOf(page.at, digest);
  return { id, prefixId: prefixIdOf("notification", id) };
}
