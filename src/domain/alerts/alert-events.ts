// The outgoing events of one step of an alert, and whom they concern. Derived from the alert before
// and after, so that no path through the state machine can omit one. Pure.

import type { Audience, OutgoingEvent } from "../integrations/announcement.ts";
import { formatInstant } from "../shared/time.ts";
import { type Alert, ownWorkflowsOf, type Workflow } from "./alert.ts";
import type { Command, CommandAuthor } from "./commands.ts";
import { beforeMute, describeNews } from "./news.ts";

export type AlertEvent = {
  readonly event: OutgoingEvent;
  readonly by: CommandAuthor | null;
  readonly detail: string | null;
};

/**
 * The events of one step, in order.
 *
 * @param now the instant (epoch ms) at which the step was decided
 */
export function alertEvents(
  before: Alert | null,
  after: Alert,
  command: Command,
  now: number,
): readonly AlertEvent[] {
  const by = "by" in command ? command.by : null;
  const events: AlertEvent[] = [];
  const add = (event: OutgoingEvent, detail: string | null = null) =>
    events.push({ event, by, detail });
  const became = (status: Alert["status"]) =>
    after.status === status && before?.status !== status && after.deletedAt === null;
  if (before === null) add("alert.created");
  const isReported = command.type === "create" || by?.integrationId !== undefined;
  // What a maintenance window kept quiet is told at its end.
  const isTold = (isReported || before?.muted !== undefined) && after.muted === undefined;
  const news = before !== null && isTold ? describeNews(beforeMute(before), after) : null;
  if (became("open") && command.type !== "handoff")
    add("alert.open", news ?? reasonOfOpening(command));
  else if (news !== null && after.status === "open") add("alert.open", news);
  if (command.type === "tick")
    for (const it of timedOutLayers(before, now)) add("alert.timeout", it);
  if (command.type === "reject") add("alert.rejected");
  if (isAcknowledgement(before, after, command)) add("alert.acknowledged", snoozeOf(after));
  if (command.type === "undo" && became("acknowledged")) add("alert.acknowledged");
  if (command.type === "snooze") add("alert.snoozed", snoozeOf(after));
  if (command.type === "escalate") add("alert.escalated");
  if (command.type === "request_responders")
    add("alert.responders_requested", addedResponders(before, after, now));
  if (command.type === "merge")
    add("alert.merged", command.alerts.map(({ title }) => title).join(", "));
  if (command.type === "handoff") add("alert.handoff", command.note);
  else for (const name of addedDestinations(before, after)) add("alert.assigned", name);
  if (became("dropped")) add("alert.dropped");
  if (became("resolved")) add("alert.resolved");
  if (after.deletedAt !== null && before?.deletedAt === null) add("alert.destroyed");
  return events;
}

/** Why the alert is open again; null where the event is sufficient. */
function reasonOfOpening(command: Command): string | null {
  if (command.type === "undo") return `undone by ${command.by.name}`;
  if (command.type === "reopen") return `reopened by ${command.by.name}`;
  return null;
}

const snoozeOf = ({ snoozedUntil }: Alert) =>
  snoozedUntil == null ? null : `snoozed until ${formatInstant(snoozedUntil)}`;

/** The names of the requested responders, as the timeline has them. */
const addedResponders = (before: Alert | null, { workflows }: Alert, now: number): string =>
  workflows
    .filter((it) => it.isRequested && it.updatedAt === now && !before?.workflows.includes(it))
    .map(({ destinationName }) => destinationName)
    .join(", ");

/** The layers that timed out, as text. */
function timedOutLayers(before: Alert | null, now: number): readonly string[] {
  const isDue = (it: Workflow) =>
    it.state === "open" && it.nextStepAt !== null && it.nextStepAt <= now;
  const isAutoResolve = before?.autoResolveAt != null && before.autoResolveAt <= now;
  const due = isAutoResolve ? [] : (before?.workflows.filter(isDue) ?? []);
  return due.map(({ destinationName, layer }) => `${destinationName}, step ${layer}`);
}

/**
 * Whether the step acknowledged the alert: by a person, or by a sender's earlier acknowledgement
 * that takes effect when the delay ends.
 */
function isAcknowledgement(before: Alert | null, after: Alert, { type }: Command): boolean {
  if (before === null || !["acknowledge", "snooze", "tick"].includes(type)) return false;
  if (after.status === "queued") return false;
  const previousIds = acknowledgedIds(before);
  const hasNew = [...acknowledgedIds(after)].some((id) => !previousIds.has(id));
  const endsSnooze = before.snoozedUntil != null && after.snoozedUntil == null;
  const isNow = before.status !== "acknowledged" || endsSnooze;
  return hasNew || (type === "acknowledge" && after.status === "acknowledged" && isNow);
}

/** A requested responder's answer does not acknowledge the alert. */
const acknowledgedIds = (alert: Alert) =>
  new Set(ownWorkflowsOf(alert).flatMap((it) => (it.state === "acknowledged" ? [it.id] : [])));

/** Names of the destinations added after the first ones. */
function addedDestinations(before: Alert | null, after: Alert): readonly string[] {
  if (before === null || before.workflows.length === 0) return [];
  const previousIds = new Set(before.workflows.map((it) => it.id));
  return ownWorkflowsOf(after)
    .filter((it) => !previousIds.has(it.id))
    .map((it) => it.destinationName);
}

/** Whom an alert concerns: its destinations and everyone it asked. */
export function alertAudience({ teamIds, routerIds, accountUserIds, workflows }: Alert): Audience {
  const idsOf = (type: "team" | "account_user") =>
    workflows.flatMap(({ destination }) => (destination.type === type ? [destination.id] : []));
  return {
    teamIds: [...new Set([...teamIds, ...idsOf("team")])],
    routerIds,
    accountUserIds: [
      ...new Set([
        ...accountUserIds,
        ...idsOf("account_user"),
        ...workflows.flatMap((it) => it.askedIds),
      ]),
    ],
  };
}
