// What a step of an alert is to others: which events it was, and whom they concern. Told from the alert before and after,
// so that no way through the state machine can forget to say it. Pure.
import type { Alert, Workflow } from "./alert.ts";
import type { Audience, OutgoingEvent } from "./announcement.ts";
import type { By, Command } from "./commands.ts";

export type AlertEvent = {
  readonly event: OutgoingEvent;
  readonly by: By | null;
  readonly detail: string | null;
};

/** The events of one step, in the order they are told. `now` (epoch ms) as the step was decided at. */
export function alertEvents(
  before: Alert | null,
  after: Alert,
  command: Command,
  now: number,
): readonly AlertEvent[] {
  const by = "by" in command ? command.by : null;
  const told: AlertEvent[] = [];
  const tell = (event: OutgoingEvent, detail: string | null = null) =>
    told.push({ event, by, detail });
  const became = (status: Alert["status"]) =>
    after.status === status && before?.status !== status && after.deletedAt === null;
  if (before === null) tell("alert.created");
  if (became("open") && command.type !== "handoff") tell("alert.open");
  if (command.type === "tick") for (const it of timedOut(before, now)) tell("alert.timeout", it);
  if (command.type === "reject") tell("alert.rejected");
  if (isAcknowledgement(before, after, command)) tell("alert.acknowledged");
  if (command.type === "handoff") tell("alert.handoff", command.note);
  else for (const name of assigned(before, after)) tell("alert.assigned", name);
  if (became("dropped")) tell("alert.dropped");
  if (became("resolved")) tell("alert.resolved");
  if (after.deletedAt !== null && before?.deletedAt === null) tell("alert.destroyed");
  return told;
}

/** The layers whose time was over, in words. */
function timedOut(before: Alert | null, now: number): readonly string[] {
  const isDue = (it: Workflow) =>
    it.state === "open" && it.nextStepAt !== null && it.nextStepAt <= now;
  const resolvedByItself = before?.autoResolveAt != null && before.autoResolveAt <= now;
  const due = resolvedByItself ? [] : (before?.workflows.filter(isDue) ?? []);
  return due.map(({ destinationName, layer }) => `${destinationName}, layer ${layer}`);
}

/** Somebody's word, or one that a sender gave while the alert waited for its delay. */
function isAcknowledgement(before: Alert | null, after: Alert, { type }: Command): boolean {
  if (before === null || !["acknowledge", "tick"].includes(type)) return false;
  if (after.status === "queued") return false;
  const had = acknowledgedIds(before);
  const isNew = [...acknowledgedIds(after)].some((id) => !had.has(id));
  return isNew || (type === "acknowledge" && after.status === "acknowledged");
}

const acknowledgedIds = ({ workflows }: Alert) =>
  new Set(workflows.flatMap((it) => (it.state === "acknowledged" ? [it.id] : [])));

/** Destinations that came in after the first ones, by name. */
function assigned(before: Alert | null, after: Alert): readonly string[] {
  if (before === null || before.workflows.length === 0) return [];
  const had = new Set(before.workflows.map((it) => it.id));
  return after.workflows.filter((it) => !had.has(it.id)).map((it) => it.destinationName);
}

/** Whom an alert concerns: where it was sent, whoever was asked. */
export function audienceOfAlert({
  teamIds,
  routerIds,
  accountUserIds,
  workflows,
}: Alert): Audience {
  const led = (type: "team" | "account_user") =>
    workflows.flatMap(({ destination }) => (destination.type === type ? [destination.id] : []));
  return {
    teamIds: [...new Set([...teamIds, ...led("team")])],
    routerIds,
    accountUserIds: [
      ...new Set([
        ...accountUserIds,
        ...led("account_user"),
        ...workflows.flatMap((it) => it.askedIds),
      ]),
    ],
  };
}
