// What an alert's object owes others after a step: announcements to the account's outgoing
// integrations, merged alerts, notices that may be taken back. Pure.
import type { Alert } from "../../../domain/alerts/alert.ts";
import { alertAudience, alertEvents } from "../../../domain/alerts/alert-events.ts";
import type { Command, CommandAuthor, Outcome } from "../../../domain/alerts/commands.ts";
import type { Announcement } from "../../../domain/integrations/announcement.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { presentAlert } from "../alerts/alert-rows.ts";
import type { CommittedStep } from "./alert-storage.ts";

type Changed = Extract<Outcome, { kind: "changed" }>;

/** The step to commit, which was decided at `now` (epoch ms). */
export function stepOf(
  env: Cloudflare.Env,
  before: Alert | null,
  outcome: Changed,
  command: Command,
  now: number,
): CommittedStep {
  const { alert, mergedIds = [] } = outcome;
  const by = "by" in command ? command.by : null;
  const delayMs = Number(env.NOTICE_DELAY_SECONDS) * SECOND;
  return {
    ...outcome,
    announcements: announcementsOf(before, alert, command, now),
    merges: by === null ? [] : mergedIds.map((id) => ({ id, by })),
    noticesAt: alert.undoable?.at === now && delayMs > 0 ? now + delayMs : null,
    isUndo: command.type === "undo",
  };
}

/** Exceeds the number of events that one step can have. */
const MAX_EVENTS_PER_STEP = 1_000;

/** The announcements of a step that was decided at `now` (epoch ms). */
function announcementsOf(
  before: Alert | null,
  after: Alert,
  command: Command,
  now: number,
): readonly Announcement[] {
  const events = alertEvents(before, after, command, now);
  if (events.length === 0) return [];
  const alert = presentAlert(after);
  const payload = {
    about: "alert",
    alert,
    sourceName: after.source.name,
    destinations: after.workflows.map((it) => it.destinationName),
  } as const;
  const audience = alertAudience(after);
  return events.map(({ event, by, detail }, i) => ({
    effectId: `${after.id}:${after.version}:${i}`,
    event,
    at: now,
    lane: after.id,
    sequence: after.version * MAX_EVENTS_PER_STEP + i,
    alertId: after.id,
    audience,
    from: reporterOf(after, command, by),
    trail: [...(command.type === "create" ? (command.draft.trail ?? []) : (by?.trail ?? []))],
    payload: { ...payload, by: actorOf(event === "alert.created" ? creatorOf(after) : by), detail },
  }));
}

const actorOf = (by: CommandAuthor | null) =>
  by && { accountUserId: by.accountUserId, name: by.name };

const creatorOf = ({ source }: Alert): CommandAuthor => ({
  accountUserId: source.type === "AccountUser" ? source.id : null,
  name: source.name,
});

/** The id of the integration that reported the event; null if none did. */
function reporterOf({ source }: Alert, command: Command, by: CommandAuthor | null): string | null {
  if (command.type !== "create") return by?.integrationId ?? null;
  return source.type === "Integration" ? source.id : null;
}
