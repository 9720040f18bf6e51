// When a broadcast may be answered (`contract.md` 5). Pure.
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
  if (!responseRequested) return refuse("conflict", "the broadcast asks for no response");
  if (responseRequestedBy !== null && now >= responseRequestedBy) {
    const deadline = formatInstant(responseRequestedBy);
    return refuse("conflict", `the broadcast was to be answered by ${deadline}`);
  }
  return null;
}
