// How a workflow moves through its escalation policy (contract 3, Escalation):
// layer by layer. A layer with nobody on call is skipped at once, and the policy repeats as
// configured. Pure.
import type { Destination } from "./alert.ts";

/** A person on call, and why. */
export type OnCallPerson = {
  readonly accountUserId: string;
  readonly name: string;
  /** The reason for the timeline: "on call until …". */
  readonly reason: string;
  /** Events that their notification rule requests in addition to those everyone receives. */
  readonly wants?: readonly string[];
};

type PolicyLayer = { readonly layer: number; readonly timeoutMs: number };

/** A destination's state at an instant: its policy, and who is on call on each layer. */
export type DestinationFacts = {
  readonly destination: Destination;
  readonly name: string;
  /** Ascending by number. */
  readonly layers: readonly PolicyLayer[];
  /** Number of further passes after the last layer, 0 to 3. */
  readonly repeat: number;
  readonly onCall: Readonly<Record<number, readonly OnCallPerson[]>>;
  readonly memberIds: readonly string[];
  /** People to notify when nobody answers (`drop_notifications`). */
  readonly dropRecipientIds: readonly string[];
  /** Destinations that the alert is reassigned to when the policy is exhausted. */
  readonly reassign: readonly Destination[];
};

/** A person as a destination has one layer of ten minutes and no policy. */
const PERSON_TIMEOUT_MS = 10 * 60_000;

const UNIT_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
export const TIMEOUT_UNITS = ["seconds", "minutes", "hours", "days"] as const;
export type TimeoutUnit = (typeof TIMEOUT_UNITS)[number];

/** A layer waits for less than that. */
export const LONGEST_TIMEOUT_MS = 30 * 86_400_000;

/** A layer's timeout in ms. */
export function timeoutMs(timeout: number, unit: TimeoutUnit): number {
  return timeout * UNIT_MS[unit];
}

/** The facts of a person as a destination: they are on call for themselves. */
export function personFacts(
  destination: Destination,
  name: string,
  wants: readonly string[] = [],
): DestinationFacts {
  const reason = "named directly";
  const person = { accountUserId: destination.id, name, reason, wants };
  return {
    destination,
    name,
    layers: [{ layer: 1, timeoutMs: PERSON_TIMEOUT_MS }],
    repeat: 0,
    onCall: { 1: [person] },
    memberIds: [destination.id],
    dropRecipientIds: [],
    reassign: [],
  };
}

/** A skipped layer, and why. */
export type SkippedLayer = {
  readonly layer: number;
  readonly pass: number;
  readonly reason: "nobody" | "all_rejected";
};

export type EscalationStep =
  | {
      readonly kind: "ask";
      readonly layer: number;
      readonly pass: number;
      readonly people: readonly OnCallPerson[];
      readonly timeoutMs: number;
      readonly skipped: readonly SkippedLayer[];
    }
  | { readonly kind: "exhausted"; readonly skipped: readonly SkippedLayer[] };

/** The layer and pass asked last; layer null before the first. */
type Position = { readonly layer: number | null; readonly pass: number };

/** The position before the layer was asked. */
export const beforeLayer = ({ layer, pass }: Position): Position => ({
  layer: layer === null ? null : layer - 1,
  pass,
});

type Policy = Pick<DestinationFacts, "layers" | "repeat" | "onCall">;

/**
 * The next layer after `from` that has someone to ask. A complete pass without anyone is the last:
 * repeating it would find nobody either.
 *
 * @param from `acknowledgedBy`: this person alone was notified again, of news. Their own layer
 *   follows, unless nobody else is on it and the policy goes on
 * @param rejectedIds people who rejected the alert; they are not asked again
 */
export function nextStep(
  facts: Policy,
  from: Position & { readonly acknowledgedBy?: string },
  rejectedIds: ReadonlySet<string>,
): EscalationStep {
  const { acknowledgedBy, layer } = from;
  const onwards = stepAfter(facts, from, rejectedIds);
  if (acknowledgedBy === undefined) return onwards;
  const passed = new Set([...rejectedIds, acknowledgedBy]);
  const others = facts.onCall[layer ?? 0]?.some((it) => !passed.has(it.accountUserId)) ?? false;
  return others || onwards.kind === "exhausted"
    ? stepAfter(facts, beforeLayer(from), rejectedIds)
    : onwards;
}

function stepAfter(
  facts: Policy,
  from: Position,
  rejectedIds: ReadonlySet<string>,
): EscalationStep {
  const skipped: SkippedLayer[] = [];
  for (let pass = from.pass; pass <= facts.repeat + 1; pass += 1) {
    const first = pass === from.pass && from.layer !== null ? from.layer : Number.NEGATIVE_INFINITY;
    for (const { layer, timeoutMs: timeout } of facts.layers) {
      if (layer <= first) continue;
      const onCall = facts.onCall[layer] ?? [];
      const people = onCall.filter((person) => !rejectedIds.has(person.accountUserId));
      if (people.length > 0) {
        return { kind: "ask", layer, pass, people, timeoutMs: timeout, skipped };
      }
      skipped.push({ layer, pass, reason: onCall.length === 0 ? "nobody" : "all_rejected" });
    }
    if (first === Number.NEGATIVE_INFINITY) break;
  }
  return { kind: "exhausted", skipped };
}
