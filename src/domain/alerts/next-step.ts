// Predicts whom an unanswered alert asks next at a destination, by the rule that takes the step.

import type { OnCallSchedule } from "../oncall/absences/absence.ts";
import { onCallAt } from "../oncall/oncall.ts";
import { nextStep, type OnCallPerson } from "./escalation.ts";

export type NextStep = {
  readonly layer: number;
  readonly pass: number;
  readonly accountUserIds: readonly string[];
};

type Waiting = {
  /** The layer and pass asked now. */
  readonly layer: number | null;
  readonly pass: number;
  /** Who is notified alone, of news; undefined if nobody is. */
  readonly acknowledgedBy?: string;
  /** The policy's layers, ascending, and its number of repetitions. */
  readonly layers: readonly number[];
  readonly repeat: number;
  readonly schedule: OnCallSchedule;
  /** People in the schedule who are not asked. */
  readonly absent: ReadonlySet<string>;
  /** When the step is due (epoch ms). */
  readonly at: number;
};

/** Who is asked at `at` if nobody answers before; null if nobody is left. */
export function predictNextStep(waiting: Waiting): NextStep | null {
  const onCall: Record<number, OnCallPerson[]> = {};
  for (const { layer, attendees } of onCallAt(waiting.schedule, waiting.at)) {
    const people = attendees.filter(({ attendeeId }) => !waiting.absent.has(attendeeId));
    const asked = people.map((it) => ({ accountUserId: it.attendeeId, name: "", reason: "" }));
    onCall[layer] = [...(onCall[layer] ?? []), ...asked];
  }
  const layers = waiting.layers.map((layer) => ({ layer, timeoutMs: 0 }));
  const step = nextStep({ layers, repeat: waiting.repeat, onCall }, waiting, waiting.absent);
  if (step.kind === "exhausted") return null;
  const ids = new Set(step.people.map(({ accountUserId }) => accountUserId));
  return { layer: step.layer, pass: step.pass, accountUserIds: [...ids] };
}
