/**
 * An absence that asks: a person asks others to be on call instead, and the first who accepts is.
 * With hours in return it is a swap. Pure.
 */

import { type Refusal, refuse } from "../../shared/refusal.ts";
import { formatInstant } from "../../shared/time.ts";
import type { Interval } from "../override-precedence.ts";

export const ASKING_STATUSES = ["open", "accepted", "declined", "expired", "cancelled"] as const;
export type AskingStatus = (typeof ASKING_STATUSES)[number];

export const ANSWERS = ["pending", "accepted", "declined"] as const;

export const ANSWER_CHANNELS = ["api", "console", "link", "sms"] as const;
export type AnswerChannel = (typeof ANSWER_CHANNELS)[number];

/** A person who is asked. */
export type AskedPerson = {
  readonly accountUserId: string;
  readonly answer: (typeof ANSWERS)[number];
  /** Epoch ms. */
  readonly answeredAt: number | null;
  /** How they answered; null also for the answer of a person who has left the account. */
  readonly channel: AnswerChannel | null;
};

/** What is asked for: [startAt, endAt) in epoch ms. */
export type AskingTerms = Interval & {
  /** Who is to be covered. */
  readonly accountUserId: string;
  /** Null: all schedules of the account. The hours in return are of any. */
  readonly scheduleIds: readonly string[] | null;
  /** The hours that the person takes over from whoever accepts; null: none. */
  readonly inReturn: Interval | null;
};

export type Asking = {
  readonly status: AskingStatus;
  /** Epoch ms: from then on nobody can accept. */
  readonly expiresAt: number;
  readonly asked: readonly AskedPerson[];
};

/** Most people who are asked. */
export const MOST_ASKED = 200;

/** Most absences of a person for which people are asked: each notifies all of them. */
export const MOST_OPEN_ASKINGS = 50;

/** When a request must have expired (epoch ms): nothing that has begun can be given away. */
export const latestExpiry = ({ startAt, inReturn }: Pick<AskingTerms, "startAt" | "inReturn">) =>
  Math.min(startAt, inReturn?.startAt ?? startAt);

/** The status at `now`: a request expires exactly on time, whoever notes it when. */
export const statusAt = (
  { status, expiresAt }: Pick<Asking, "status" | "expiresAt">,
  now: number,
): AskingStatus => (status === "open" && expiresAt <= now ? "expired" : status);

export type AskingAction =
  | {
      readonly type: "accept" | "decline";
      readonly accountUserId: string;
      readonly channel: AnswerChannel;
    }
  | { readonly type: "cancel" };

const NOT_ASKED = refuse("forbidden", "only the people who are asked may answer the request");

/**
 * Decides what an action makes of a request.
 *
 * @param nameOf the name of an account user, for the refusal
 * @returns the new state; 403 for an answer of anyone who is not asked; 409 if the request is over,
 *   or the person has answered the same before
 */
export function transition(
  request: Asking,
  action: AskingAction,
  now: number,
  nameOf: (accountUserId: string) => string,
): Asking | Refusal {
  const isAnswer = action.type === "accept" || action.type === "decline";
  const own = isAnswer
    ? request.asked.find((it) => it.accountUserId === action.accountUserId)
    : undefined;
  if (isAnswer && own === undefined) return NOT_ASKED;
  const by = isAnswer ? action.accountUserId : null;
  const answered = own?.answer === (action.type === "accept" ? "accepted" : "declined");
  const same = answered && { done: `You have already ${own?.answer} the request` };
  const refusal = refuseClosed(request, now, by, nameOf);
  if (refusal) return { ...refusal, ...same };
  if (!isAnswer) return { ...request, status: "cancelled" };
  if (same) return { ...refuse("conflict", "you have already declined the request"), ...same };
  const answer = action.type === "accept" ? "accepted" : "declined";
  const { channel } = action;
  const asked = request.asked.map((it) =>
    it === own ? { ...it, answer, answeredAt: now, channel } : it,
  ) satisfies readonly AskedPerson[];
  if (answer === "accepted") return { ...request, asked, status: "accepted" };
  const isDeclined = asked.every((it) => it.answer === "declined");
  return { ...request, asked, status: isDeclined ? "declined" : "open" };
}

/** The refusal of anything to a request that is over; null while it is open. */
function refuseClosed(
  request: Asking,
  now: number,
  by: string | null,
  nameOf: (accountUserId: string) => string,
): Refusal | null {
  switch (statusAt(request, now)) {
    case "open":
      return null;
    case "accepted": {
      const taker = request.asked.find(({ answer }) => answer === "accepted");
      const name =
        taker?.accountUserId === by ? "you have" : `${nameOf(taker?.accountUserId ?? "")} has`;
      return refuse("conflict", `${name} already accepted the request`);
    }
    case "declined":
      return refuse("conflict", "everybody who was asked has declined the request");
    case "expired":
      return refuse("conflict", `the request expired at ${formatInstant(request.expiresAt)}`);
    case "cancelled":
      return refuse("conflict", "the request was cancelled");
  }
}
