// The canary: an event of an account of its own that takes the path of any event, from the webhook
// to a message, every few minutes. The message goes to an address that no provider serves. Pure.
import { MINUTE } from "../shared/time.ts";
import { LATE_MS } from "./invariants.ts";

/** The address of the only person of the canary's account: messages to it are not sent. */
export const CANARY_ADDRESS = "canary@tocsin.invalid";

/** How often a canary event is sent (ms). */
const CANARY_INTERVAL_MS = 5 * MINUTE;

/** A canary event. Instants in epoch ms. */
export type Canary = {
  /** The `Id` of the event, and the title of its alert. */
  readonly id: string;
  readonly sentAt: number;
  /** When its message arrived; null: not yet. */
  readonly arrivedAt: number | null;
  /** Whether it was counted as lost. */
  readonly isLost: boolean;
  /** Whether the one before it did not arrive either; earlier versions did not store it. */
  readonly isAfterLoss?: boolean;
};

/** Whether the next event is due. A time of sending in the future: the clock was set back. */
export const isCanaryDue = (latest: Canary | null, now: number): boolean =>
  latest === null || now - latest.sentAt >= CANARY_INTERVAL_MS || latest.sentAt > now;

/** Whether the event should have arrived and did not. */
export const isCanaryLate = (canary: Canary | null, now: number): boolean =>
  canary !== null && canary.arrivedAt === null && now - canary.sentAt > LATE_MS.canary;

/** Whether no event arrives: after a lost one, until another one has arrived. */
export const isCanaryMissing = (canary: Canary | null, now: number): boolean =>
  canary?.arrivedAt === null && (canary.isAfterLoss === true || isCanaryLate(canary, now));
