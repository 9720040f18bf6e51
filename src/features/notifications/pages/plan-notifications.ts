// Plans the notification rows of a page: recipient, channel and time, or the reason why nothing is
// sent. Sends nothing itself.
import { createHash } from "node:crypto";
import { isAnswered } from "../../../domain/alerts/alert.ts";
import {
  type NotificationPlan,
  planNotification,
  type Stage,
} from "../../../domain/notifications/notification-plan.ts";
import { messageKey, type PageMessage } from "../../../domain/notifications/page.ts";
import { identifierOf } from "../../../domain/shared/identifiers.ts";
import { availableChannels } from "../../people/channels/channels.ts";
import { type RecipientFacts, readRecipients } from "../../people/contacts/recipient-rows.ts";
import type { PlannedNotification } from "../notifications/rows.ts";

/** Reason of a skipped page. */
export const NO_LONGER_NEEDED = "the alert no longer waits for an answer";
const DELIVERED_BEFORE = "a message before it was delivered";

/** A page, its notification plan, and whether it is obsolete (`over`). */
export type PlannedPage = {
  readonly message: PageMessage;
  readonly plan: NotificationPlan;
  /** The person's name in the timeline. */
  readonly name: string;
  readonly over: boolean;
  /** The stages that nobody needs, since a message before them was delivered. */
  readonly spared: Set<number>;
};

/** Plans pages with one statement for all of them. Copies of a page are planned once. */
export async function planPages(
  messages: readonly PageMessage[],
  env: Cloudflare.Env,
): Promise<PlannedPage[]> {
  const available = availableChannels(env);
  const recipients = await readRecipients(env.DB, messages);
  const distinct = new Map(messages.map((message) => [messageKey(message), message]));
  return [...distinct.values()].map((message) => {
    const { page, alert, notice, view } = message;
    const found = recipients.get(page.effectId);
    const person = found?.person ?? null;
    const rule = found?.rule ?? null;
    const urgency = alert?.urgency ?? null;
    const channels = notice?.channels ?? null;
    return {
      message,
      plan: planNotification({ page, urgency, view, person, rule, available, channels }),
      name: person?.name || page.accountUserId,
      over: isOver(message, found?.workflow ?? null),
      spared: new Set(),
    };
  });
}

/** True if D1, not older than the page, shows that the workflow needs no answer any more. */
function isOver({ alert }: PageMessage, workflow: RecipientFacts["workflow"]): boolean {
  if (alert === null || workflow === null) return false;
  return workflow.version >= alert.version && isAnswered(workflow.state);
}

/** The rows of a stage. The first stage also inserts the held rows, which makes them visible. */
export function rowsAt(planned: PlannedPage, number: number): PlannedNotification[] {
  const { message, plan, over, name, spared } = planned;
  if (plan.kind === "not_asked_for") return [];
  if (plan.kind === "unreachable") {
    if (over) return [rowWithoutChannel(message, "skipped", NO_LONGER_NEEDED)];
    return [rowWithoutChannel(message, "failed", `${name} ${plan.reason}`)];
  }
  if (plan.kind === "ignored") return [rowWithoutChannel(message, "skipped", plan.reason)];
  return plan.stages.flatMap((stage, i) => {
    const isHeld = number === 0 && stage.kind === "held" && !over;
    const notNeeded = over ? NO_LONGER_NEEDED : spared.has(i) ? DELIVERED_BEFORE : null;
    return i === number || isHeld ? rowsOf(message, stage, i, notNeeded) : [];
  });
}

function rowsOf(
  message: PageMessage,
  { contacts, kind, at }: Stage,
  stage: number,
  notNeeded: string | null,
): PlannedNotification[] {
  return contacts.map(({ channel, to }, i) => {
    const same = contacts.slice(0, i).filter((other) => other.channel === channel).length;
    return {
      id: idOf(message, `${stage}:${channel}:${same}`),
      message,
      stage,
      channel,
      to,
      status: notNeeded === null ? "queued" : "skipped",
      reason: notNeeded,
      // A digest lists only alerts: other notices are not held.
      aside:
        kind === "held" && notNeeded === null && message.alert !== null
          ? { bundle: "digest", dueAt: at }
          : null,
    };
  });
}

/** A row without a channel that states why a page was not sent. */
export function rowWithoutChannel(
  message: PageMessage,
  status: "skipped" | "failed",
  reason: string,
): PlannedNotification {
  const row = { stage: message.stage, channel: "none", to: null, aside: null } as const;
  return { id: idOf(message, "none"), message, ...row, status, reason };
}

/** An id derived from the effect and the channel, so that every copy writes the same row. */
export function idOf({ page }: PageMessage, key: string): string {
  const digest = createHash("sha256").update(`${page.effectId}:${key}`).digest();
  return identifierOf(page.at, digest);
}
