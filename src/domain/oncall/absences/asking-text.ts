/**
 * The texts of notices about requests for cover, in the recipient's time zone. A subject is complete
 * in itself: an SMS consists of it. Pure.
 */

import { hoursText, momentText, type NoticeText } from "../notices/notice-text.ts";
import type { Interval } from "../override-precedence.ts";
import type { NoticeKind } from "./asking-notices.ts";

/** Hours on call, as texts name them. */
type NamedHours = Interval & {
  readonly layer: number;
  /** The names of the schedules. */
  readonly schedules: readonly string[];
};

export type AskingContent = {
  /** Who asks. */
  readonly requester: string;
  /** Who has accepted; empty: nobody. */
  readonly acceptedBy: string;
  /** The hours to be covered: what the person who asks serves in the time. */
  readonly hours: readonly NamedHours[];
  /** The time that was asked for. */
  readonly time: Interval;
  readonly inReturn: Interval | null;
  readonly reason: string | null;
  /** Epoch ms. */
  readonly expiresAt: number;
};

/** Maximum number of hours that a text lists; it states how many more there are. */
const MAX_LISTED = 20;

const placeText = ({ schedules, layer }: NamedHours) =>
  schedules.length === 0 ? `step ${layer}` : `${schedules.join(", ")}, step ${layer}`;

/** `Mon 4 Mar 09:00 – 17:00 (Payments, layer 1) and 2 more`. */
function summary({ hours, time }: AskingContent, zone: string): string {
  const [first] = hours;
  if (first === undefined) return hoursText(time, zone);
  const more = hours.length === 1 ? "" : ` and ${hours.length - 1} more`;
  return `${hoursText(first, zone)} (${placeText(first)})${more}`;
}

function listText({ hours, time }: AskingContent, zone: string): string[] {
  if (hours.length === 0) return [`- ${hoursText(time, zone)}`];
  const lines = hours
    .slice(0, MAX_LISTED)
    .map((it) => `- ${placeText(it)}: ${hoursText(it, zone)}`);
  const more = hours.length - lines.length;
  return more === 0 ? lines : [...lines, `- and ${more} more`];
}

const joined = (lines: readonly string[]) => `${lines.join("\n")}\n`;

/** The notice of a request to one of the people whom it concerns. */
export function askingText(kind: NoticeKind, content: AskingContent, zone: string): NoticeText {
  const { requester, acceptedBy, inReturn, reason, expiresAt } = content;
  const hours = summary(content, zone);
  const returned = inReturn && hoursText(inReturn, zone);
  const isSwap = returned !== null;
  const listed = listText(content, zone);
  const zoneLine = ["", `Times in ${zone}.`];
  switch (kind) {
    case "asked":
      return {
        subject: isSwap
          ? `${requester} asks you to swap: you take ${hours}, ${requester} takes ${returned}`
          : `${requester} asks you to cover ${hours}`,
        text: joined([
          isSwap ? `${requester} asks you to swap shifts.` : `${requester} asks you for cover.`,
          "",
          "You would be on call:",
          ...listed,
          ...(isSwap ? ["", `In return, ${requester} takes your shifts:`, `- ${returned}`] : []),
          ...(reason ? ["", `Reason: ${reason}`] : []),
          "",
          "The first who accepts gets it.",
          `The request expires on ${momentText(expiresAt, zone)}.`,
          ...zoneLine,
        ]),
      };
    case "accepted":
      return {
        subject: isSwap
          ? `${acceptedBy} swaps with you: ${acceptedBy} takes ${hours}, you take ${returned}`
          : `${acceptedBy} covers you: ${hours}`,
        text: joined([
          isSwap ? `${acceptedBy} accepted your swap.` : `${acceptedBy} accepted your request.`,
          "",
          `${acceptedBy} is on call instead of you:`,
          ...listed,
          ...(isSwap ? ["", `You are on call instead of ${acceptedBy}:`, `- ${returned}`] : []),
          ...zoneLine,
        ]),
      };
    case "confirmed":
      return {
        subject: isSwap
          ? `You swap with ${requester}: you take ${hours}, ${requester} takes ${returned}`
          : `You cover ${requester}: ${hours}`,
        text: joined([
          `You are on call instead of ${requester}:`,
          ...listed,
          ...(isSwap ? ["", `${requester} is on call instead of you:`, `- ${returned}`] : []),
          ...zoneLine,
        ]),
      };
    case "declined":
      return {
        subject: `Nobody covers you: everybody declined your request for ${hours}`,
        text: joined([
          "Everybody who was asked declined your request. You stay on call:",
          ...listed,
          ...zoneLine,
        ]),
      };
    case "expired":
      return {
        subject: `Nobody covers you: your request for ${hours} expired`,
        text: joined([
          "Nobody accepted your request before it expired. You stay on call:",
          ...listed,
          ...zoneLine,
        ]),
      };
    case "taken":
      return {
        subject: `${acceptedBy} covers ${requester}: ${hours}`,
        text: joined([
          `${acceptedBy} accepted ${requester}'s request. You need not answer it.`,
          "",
          ...listed,
          ...zoneLine,
        ]),
      };
    case "cancelled":
      return {
        subject: `${requester} no longer asks for cover: ${hours}`,
        text: joined([
          `The request of ${requester} was cancelled. You need not answer it.`,
          "",
          ...listed,
          ...zoneLine,
        ]),
      };
  }
}
