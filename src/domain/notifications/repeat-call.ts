// A call about an open alert is repeated once, a minute later, unless somebody has answered the
// alert: phones let a second call through their silence, and a voice mailbox acknowledges nothing
// (contract 6, Channels). Pure.
import type { Page } from "../alerts/alert.ts";
import { type Channel, type Contact, contactKey } from "../people/contact.ts";
import { MINUTE, SECOND } from "../shared/time.ts";

/** The time between a call and its repetition (ms). */
export const REPEAT_CALL_MS = MINUTE;

/** The repetitions of a bundle are gathered until the next multiple of this (ms). */
const GATHER_MS = 10 * SECOND;

/** A repeated call is stored with the stage of the call that it repeats, plus this. */
const REPEATED_STAGE = 1000;

/** The stage of the notification that repeats a call of a stage. */
export const repeatedStage = (stage: number): number => stage + REPEATED_STAGE;

/** Whether a notification repeats a call; it is not repeated itself. */
export const isRepeatedCall = (stage: number): boolean => stage >= REPEATED_STAGE;

/** Queue message: repeat a call unless the alert has been answered. */
export type RepeatCallMessage = {
  readonly accountId: string;
  readonly repeatCall: {
    /** The notification of the call to repeat. */
    readonly notificationId: string;
    readonly alertId: string;
    readonly page: Pick<Page, "effectId" | "accountUserId" | "workflowId" | "layer" | "pass">;
  };
};

/** The message that repeats the call of a notification of a page. */
export function repeatCallMessage(
  accountId: string,
  alertId: string,
  notificationId: string,
  { effectId, accountUserId, workflowId, layer, pass }: RepeatCallMessage["repeatCall"]["page"],
): RepeatCallMessage {
  const page = { effectId, accountUserId, workflowId, layer, pass };
  return { accountId, repeatCall: { notificationId, alertId, page } };
}

/** Idempotency key of a repeat-call message. */
export const repeatCallKey = ({ notificationId }: RepeatCallMessage["repeatCall"]): string =>
  `call:${notificationId}`;

/** Whether a queue message is a valid repeat-call message. */
export function isRepeatCallMessage(body: unknown): body is RepeatCallMessage {
  const message = body as Partial<RepeatCallMessage> | null | undefined;
  const { notificationId, alertId, page } = message?.repeatCall ?? {};
  const texts = [message?.accountId, notificationId, alertId, page?.effectId, page?.accountUserId];
  return texts.every((it) => typeof it === "string");
}

/** A call of a plan that is repeated. */
export type RepeatedCall = {
  /** The stage of the call. */
  readonly stage: number;
  readonly contact: Contact;
  /** When it is repeated, if the call is made in time (epoch ms). */
  readonly at: number;
};

type PlannedStage = {
  readonly at: number;
  readonly contacts: readonly Contact[];
  readonly kind: "timed" | "held" | "reserve";
};

/**
 * The calls of a plan that are repeated: not those that a later stage repeats anyway within the
 * time, nor those whose layer ends before.
 */
export function planRepeatedCalls(
  stages: readonly PlannedStage[],
  { event, until }: Pick<Page, "event" | "until">,
): readonly RepeatedCall[] {
  if (event !== "alert.open") return [];
  return stages.flatMap(({ at: calledAt, contacts }, stage) => {
    const at = repeatTime(calledAt, until);
    if (at === null) return [];
    const isCalledAgain = (contact: Contact) =>
      stages.some(
        (other) =>
          other.kind === "timed" &&
          other.at > calledAt &&
          other.at <= at &&
          other.contacts.some((it) => contactKey(it) === contactKey(contact)),
      );
    return contacts
      .filter((contact) => contact.channel === "voice" && !isCalledAgain(contact))
      .map((contact) => ({ stage, contact, at }));
  });
}

/**
 * When a call is repeated (epoch ms); null if its layer has ended by then.
 *
 * @param calledAt epoch ms
 * @param until the end of the layer (epoch ms); null: none
 */
export function repeatTime(calledAt: number, until: number | null): number | null {
  const at = calledAt + REPEAT_CALL_MS;
  return until === null || at < until ? at : null;
}

/** A notification of the page, as stored. Times in epoch ms. */
export type StoredCall = {
  readonly id: string;
  readonly channel: Channel | "none";
  readonly to: string | null;
  readonly status: string;
  readonly createdAt: number;
  readonly sentAt: number | null;
  /** When it is, or was, sent with others as one message; null: by itself. */
  readonly dueAt: number | null;
};

export type RepeatCallDecision =
  /** To be made at `dueAt` (epoch ms). `isPlanned`: its notification is stored already. */
  | { readonly kind: "call"; readonly dueAt: number; readonly isPlanned: boolean }
  /** The call has not been made yet, or the minute is not over (epoch ms). */
  | { readonly kind: "wait"; readonly until: number }
  | { readonly kind: "none" };

export type RepeatCallRequest = {
  /** The call that may be repeated. */
  readonly callId: string;
  /** The notification that repeats it. */
  readonly repeatId: string;
  /** All notifications of the page to this person. */
  readonly stored: readonly StoredCall[];
  /** Null if there is no such membership. */
  readonly person: {
    readonly active: boolean;
    readonly repeatsCalls: boolean;
    readonly addresses: Readonly<Partial<Record<Channel, readonly string[]>>>;
  } | null;
  readonly available: ReadonlySet<Channel>;
};

/** Decides whether a call is repeated now. Whether the alert is answered is known elsewhere. */
export function decideRepeatCall(
  { callId, repeatId, stored, person, available }: RepeatCallRequest,
  now: number,
): RepeatCallDecision {
  const call = stored.find(({ id }) => id === callId);
  if (call === undefined || call.to === null) return { kind: "none" };
  const { to, createdAt, sentAt, status } = call;
  const repeat = stored.find(({ id }) => id === repeatId);
  if (repeat !== undefined) return { kind: "call", dueAt: repeat.dueAt ?? now, isPlanned: true };
  const isCallable = available.has("voice") && person?.addresses.voice?.includes(to) === true;
  if (!person?.active || !person.repeatsCalls || !isCallable) return { kind: "none" };
  if (sentAt === null) {
    return status === "queued" ? { kind: "wait", until: now + REPEAT_CALL_MS } : { kind: "none" };
  }
  const at = sentAt + REPEAT_CALL_MS;
  if (at > now) return { kind: "wait", until: at };
  const isCalledAgain = stored.some(
    (it) => it.channel === "voice" && it.to === to && it.createdAt > createdAt,
  );
  if (isCalledAgain) return { kind: "none" };
  // One call was about many alerts: so is the second one.
  const dueAt = call.dueAt === null ? now : Math.ceil(now / GATHER_MS) * GATHER_MS;
  return { kind: "call", dueAt, isPlanned: false };
}
