// A broadcast's lifecycle: whether it accepts responses, and its next step (contract 5). Pure.
import { type Refusal, refuse } from "../shared/refusal.ts";
import { formatInstant } from "../shared/time.ts";

export type BroadcastStatus = "queued" | "open" | "closed" | "errored";

/** Whether and until when recipients are asked to respond. */
export type BroadcastQuestion = {
  readonly status: BroadcastStatus;
  readonly responseRequested: boolean;
  /** The deadline (epoch ms), exclusive; null = none. */
  readonly responseRequestedBy: number | null;
};

/** The refusal of a response at `now` (epoch ms); null if it is accepted. */
export function refuseResponse(question: BroadcastQuestion, now: number): Refusal | null {
  const { status, responseRequested, responseRequestedBy } = question;
  if (status === "closed") return refuse("conflict", "the broadcast is closed");
  if (!responseRequested) return refuse("conflict", "the broadcast requests no response");
  if (responseRequestedBy !== null && now >= responseRequestedBy) {
    const deadline = formatInstant(responseRequestedBy);
    return refuse("conflict", `responses were accepted until ${deadline}`);
  }
  return null;
}

/** Delivery progress. */
export type BroadcastProgress = {
  /** Recipients it was sent to or is being sent to. */
  readonly notified: ReadonlySet<string>;
  /** Pages that are not confirmed yet. */
  readonly unconfirmed: number;
  /** Number of attempts by state. */
  readonly sent: number;
  readonly waiting: number;
};

export type BroadcastStep = {
  /** Account users to notify now; each is notified once. */
  readonly toNotify: readonly string[];
  /** The next status; `closed` and `errored` are final. */
  readonly status: BroadcastStatus;
  /** When to run the next check (epoch ms); null = none is needed. */
  readonly checkAt: number | null;
};

/** Delay before checking attempts deferred by quiet hours or bundling again (ms). */
const RECHECK_MS = 15_000;

/**
 * The next step of a broadcast at `now` (epoch ms).
 *
 * @param recipients the current recipients of its destinations
 */
export function nextBroadcastStep(
  question: BroadcastQuestion,
  recipients: readonly string[],
  progress: BroadcastProgress,
  now: number,
): BroadcastStep {
  const { status, responseRequested, responseRequestedBy: deadline } = question;
  if (status === "closed" || status === "errored") return { toNotify: [], status, checkAt: null };
  const toNotify = recipients.filter((id) => !progress.notified.has(id));
  if (toNotify.length > 0) return { toNotify, status: "open", checkAt: deadline };
  if (deadline !== null && deadline <= now) return { toNotify, status: "closed", checkAt: null };
  if (progress.unconfirmed > 0) return { toNotify, status: "open", checkAt: deadline };
  if (progress.waiting > 0) {
    const recheckAt = now + RECHECK_MS;
    return { toNotify, status: "open", checkAt: Math.min(recheckAt, deadline ?? recheckAt) };
  }
  if (progress.sent === 0) return { toNotify, status: "errored", checkAt: null };
  if (!responseRequested) return { toNotify, status: "closed", checkAt: null };
  return { toNotify, status: "open", checkAt: deadline };
}
