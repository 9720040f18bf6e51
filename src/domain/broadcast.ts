// When a broadcast may be answered, and how it goes on: told, open, closed (`contract.md` 5). Pure.
import { type Refusal, refuse } from "./refusal.ts";
import { formatInstant } from "./time.ts";

export type BroadcastStatus = "queued" | "open" | "closed" | "errored";

/** What is asked of a broadcast's recipients. */
export type BroadcastQuestion = {
  readonly status: BroadcastStatus;
  readonly responseRequested: boolean;
  /** The deadline (epoch ms), excluded; null = none. */
  readonly responseRequestedBy: number | null;
};

/** Why an answer at `now` (epoch ms) comes to nothing, else null. */
export function answerRefusal(question: BroadcastQuestion, now: number): Refusal | null {
  const { status, responseRequested, responseRequestedBy } = question;
  if (status === "closed") return refuse("conflict", "the broadcast is closed");
  if (!responseRequested) return refuse("conflict", "the broadcast requests no response");
  if (responseRequestedBy !== null && now >= responseRequestedBy) {
    const deadline = formatInstant(responseRequestedBy);
    return refuse("conflict", `responses were accepted until ${deadline}`);
  }
  return null;
}

/** How far the telling is. */
export type BroadcastProgress = {
  /** Whom it has been sent to, or is on its way to. */
  readonly told: ReadonlySet<string>;
  /** Pages that are not confirmed. */
  readonly unconfirmed: number;
  /** Attempts by how they stand. */
  readonly sent: number;
  readonly waiting: number;
};

export type BroadcastStep = {
  /** Account users who are to be told now: each is told once. */
  readonly tell: readonly string[];
  /** What the status is to be; one that is over stays. */
  readonly status: BroadcastStatus;
  /** When to look again without being asked (epoch ms); null = there is no need. */
  readonly lookAt: number | null;
};

/** Attempts that somebody has put aside (quiet hours, many at once) are looked at again after this (ms). */
const LOOK_AGAIN_MS = 15_000;

/** What happens next to a broadcast at `now` (epoch ms); `recipients` as its destinations stand now. */
export function nextOfBroadcast(
  question: BroadcastQuestion,
  recipients: readonly string[],
  progress: BroadcastProgress,
  now: number,
): BroadcastStep {
  const { status, responseRequested, responseRequestedBy: deadline } = question;
  if (status === "closed" || status === "errored") return { tell: [], status, lookAt: null };
  const tell = recipients.filter((id) => !progress.told.has(id));
  if (tell.length > 0) return { tell, status: "open", lookAt: deadline };
  if (deadline !== null && deadline <= now) return { tell, status: "closed", lookAt: null };
  if (progress.unconfirmed > 0) return { tell, status: "open", lookAt: deadline };
  if (progress.waiting > 0) {
    const again = now + LOOK_AGAIN_MS;
    return { tell, status: "open", lookAt: Math.min(again, deadline ?? again) };
  }
  if (progress.sent === 0) return { tell, status: "errored", lookAt: null };
  if (!responseRequested) return { tell, status: "closed", lookAt: null };
  return { tell, status: "open", lookAt: deadline };
}
