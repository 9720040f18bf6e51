// Whom an unanswered alert goes to next at one of its destinations: a glance ahead, by the same rule that takes the step.
import { nextStep, type OnCallPerson } from "./escalation.ts";
import type { OnCallEvent } from "./on-call-event.ts";
import { onCallAt } from "./oncall.ts";

export type NextStep = {
  readonly layer: number;
  readonly pass: number;
  readonly accountUserIds: readonly string[];
};

type Waiting = {
  /** The layer and pass that are asked now. */
  readonly layer: number | null;
  readonly pass: number;
  /** The policy's layers, ascending, and how often it starts again. */
  readonly layers: readonly number[];
  readonly repeat: number;
  /** Those of the schedule. */
  readonly events: readonly OnCallEvent[];
  /** Who is not asked, though they stand in the schedule. */
  readonly absent: ReadonlySet<string>;
  /** When the step is taken (epoch ms). */
  readonly at: number;
};

/** Who is asked at `at` if nobody answers before; null where nobody is left. */
export function stepAfter(waiting: Waiting): NextStep | null {
  const onCall: Record<number, OnCallPerson[]> = {};
  for (const { layer, attendees } of onCallAt(waiting.events, waiting.at)) {
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
