// How a workflow moves through its policy (specification, concept 4; `contract.md` 3): layer by layer, layers
// with nobody on call skipped at once, the whole repeated as often as the policy says. Pure.
import type { Destination } from "./alert.ts";

/** Somebody on call, and why. */
export type OnCallPerson = {
  readonly accountUserId: string;
  readonly name: string;
  /** Why: "on call until …", for the log. */
  readonly reason: string;
  /** The events that their notification rule asks for, beside those that everybody is told of. */
  readonly wants?: readonly string[];
};

export type PolicyLayer = { readonly layer: number; readonly timeoutMs: number };

/** A destination as it stands at an instant: its policy, and who is on call on each layer. */
export type DestinationFacts = {
  readonly destination: Destination;
  readonly name: string;
  /** Ascending by number. */
  readonly layers: readonly PolicyLayer[];
  /** 0 to 3 more passes after the last layer. */
  readonly repeat: number;
  readonly onCall: Readonly<Record<number, readonly OnCallPerson[]>>;
  readonly memberIds: readonly string[];
  /** Whom to tell when nobody answers (`drop_notifications`). */
  readonly dropRecipientIds: readonly string[];
  /** Where the alert goes when the policy is exhausted. */
  readonly reassign: readonly Destination[];
};

/** A person as a destination is one layer of ten minutes, no policy. */
export const PERSON_TIMEOUT_MS = 10 * 60_000;

const UNIT_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
export const TIMEOUT_UNITS = ["seconds", "minutes", "hours", "days"] as const;
export type TimeoutUnit = (typeof TIMEOUT_UNITS)[number];

/** A layer waits for less than that. */
export const LONGEST_TIMEOUT_MS = 30 * 86_400_000;

/** A layer's time-out in ms. */
export function timeoutMs(timeout: number, unit: TimeoutUnit): number {
  return timeout * UNIT_MS[unit];
}

/** A person's own facts: they are on call for themselves. */
export function personFacts(
  destination: Destination,
  name: string,
  wants: readonly string[] = [],
): DestinationFacts {
  const reason = "named as the destination";
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

/** A layer passed over, and why. */
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

/**
 * The next layer that has somebody to ask, after `from`. A whole pass without anybody is the last one: repeating
 * it would find nobody again.
 *
 * @param from the layer and pass that were asked last; layer null before the first
 * @param rejectedIds those who said no: not asked again
 */
export function nextStep(
  facts: Pick<DestinationFacts, "layers" | "repeat" | "onCall">,
  from: { readonly layer: number | null; readonly pass: number },
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
