// What follows from an answer to a test page or a drill: it resolves soon, and the end of a drill is
// reported (contract 3, Exercises). Pure.

import { counted } from "../shared/counted.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { Alert, AlertStatus } from "./alert.ts";
import { addLogEntry, addPage, startDraft } from "./alert-draft.ts";
import type { Command, CommandContext, Outcome } from "./commands.ts";

/** After this time an answered exercise resolves by itself (ms). */
const RESOLVES_AFTER_MS = 15 * MINUTE;

const isRunning = (status: AlertStatus) => status === "queued" || status === "open";

/**
 * Notes in the outcome of a command that an exercise was answered: it resolves soon, and the end of
 * a drill is written to the timeline and reported, once. Other alerts are unchanged.
 */
export function withExercise(outcome: Outcome, command: Command, context: CommandContext): Outcome {
  if (outcome.kind !== "changed" || outcome.alert.exercise === undefined) return outcome;
  const alert = resolvingSoon(outcome.alert, context.now);
  const { drill } = alert;
  if (!drill || drill.endedAt !== undefined || isRunning(alert.status) || alert.deletedAt !== null)
    return { ...outcome, alert };
  const by = command.type === "acknowledge" ? command.by : null;
  const ended = {
    ...drill,
    endedAt: context.now,
    ...(by?.accountUserId && { acknowledgedBy: by.accountUserId }),
  };
  const draft = startDraft({ ...alert, drill: ended }, context);
  const result = resultOf(alert, by?.name ?? null, context.now);
  addLogEntry(draft, `Drill ended: ${result}`);
  for (const id of drill.reportTo) addPage(draft, "drill.ended", id, null, result);
  return {
    ...outcome,
    alert: draft.alert,
    log: [...outcome.log, ...draft.log],
    pages: [...outcome.pages, ...draft.pages],
  };
}

/** An answered exercise needs nobody any more. */
function resolvingSoon(alert: Alert, now: number): Alert {
  if (alert.status !== "acknowledged") return alert;
  const at = now + RESOLVES_AFTER_MS;
  return alert.autoResolveAt !== null && alert.autoResolveAt <= at
    ? alert
    : { ...alert, autoResolveAt: at };
}

/** `95 s`, `12 min`. */
const lengthText = (ms: number) =>
  ms < 2 * MINUTE ? `${Math.round(ms / SECOND)} s` : `${Math.round(ms / MINUTE)} min`;

/** How a drill ended, as the timeline and its report say it. */
function resultOf({ status, createdAt, workflows }: Alert, by: string | null, now: number): string {
  const after = lengthText(Math.max(0, now - createdAt));
  const layers = Math.max(0, ...workflows.map(({ layer }) => layer ?? 0));
  const asked = new Set(workflows.flatMap(({ askedIds }) => askedIds)).size;
  const reach = `${counted(asked, "person", "people")} asked up to step ${layers}`;
  if (status === "acknowledged")
    return `acknowledged${by === null ? "" : ` by ${by}`} after ${after}, ${reach}`;
  if (status === "dropped") return `nobody acknowledged within ${after}, ${reach}`;
  return `${status} after ${after} without an acknowledgement, ${reach}`;
}
