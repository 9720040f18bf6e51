// Which notification rows a page makes: for whom, on which channel, or why not at all. Sends nothing.
import { createHash } from "node:crypto";
import { availableChannels } from "../channels/channels.ts";
import type { RawRow } from "../db/attributes.ts";
import { statement } from "../db/database.ts";
import { type PlannedNotification, selectReachable } from "../db/notification-rows.ts";
import { isAnswered, type WorkflowState } from "../domain/alert.ts";
import { type Channel, planContacts, type Reachable } from "../domain/contact.ts";
import { identifierOf, prefixIdOf } from "../domain/identifiers.ts";
import type { PageMessage } from "../domain/page.ts";

/** Why a page is skipped. */
export const OVER = "the alert no longer needs an answer from this destination";

/** The notification rows of pages, one statement for all of them; a copy of a page adds nothing. */
export async function planNotifications(
  messages: readonly PageMessage[],
  env: Cloudflare.Env,
): Promise<PlannedNotification[]> {
  const available = availableChannels(env);
  const { results } = await statement(env.DB, selectReachable(messages)).all<RawRow>();
  const byEffect = new Map(results.map((row) => [String(row.effect_id), row]));
  const distinct = new Map(messages.map((message) => [message.page.effectId, message]));
  return [...distinct.values()].flatMap((message) =>
    planOne(message, byEffect.get(message.page.effectId) ?? {}, available),
  );
}

/** Readers' rows that are as new as the page, and say that nobody is to be asked any more. */
function isOver(message: PageMessage, row: RawRow): boolean {
  const seen = Number(row.workflow_version ?? -1);
  if (message.alert === null) return false;
  return seen >= message.alert.version && isAnswered(row.workflow_state as WorkflowState);
}

function planOne(
  message: PageMessage,
  row: RawRow,
  available: ReadonlySet<Channel>,
): PlannedNotification[] {
  const person: Reachable = {
    accountUserId: message.page.accountUserId,
    name: String(row.name ?? ""),
    active: row.state === "active",
    emails: JSON.parse(String(row.emails ?? "[]")) as string[],
  };
  const contacts = planContacts(person, available);
  const over = isOver(message, row);
  if (contacts.kind === "unreachable") {
    if (over) return [notification(message, "none", null, "skipped", OVER)];
    const who = person.name === "" ? message.page.accountUserId : person.name;
    return [notification(message, "none", null, "failed", `${who} ${contacts.reason}`)];
  }
  return contacts.contacts.map(({ channel, to }) =>
    over
      ? notification(message, channel, to, "skipped", OVER)
      : notification(message, channel, to, "queued", null),
  );
}

/** A row whose id follows from the effect and the channel, so that every copy makes the same one. */
function notification(
  message: PageMessage,
  channel: string,
  to: string | null,
  status: PlannedNotification["status"],
  reason: string | null,
): PlannedNotification {
  const digest = createHash("sha256").update(`${message.page.effectId}:${channel}`).digest();
  const id = identifierOf(message.page.at, digest);
  return { id, prefixId: prefixIdOf("notification", id), message, channel, to, status, reason };
}
