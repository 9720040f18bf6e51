// Formats outgoing messages as plain text, the same for every chat integration; each lays it out
// and escapes it in its own format.
import type {
  AlertPayload,
  CommentPayload,
  ShiftPayload,
} from "../../domain/integrations/announcement.ts";
import { stringOf } from "../../domain/shared/json.ts";
import { statusWord } from "../../domain/shared/words.ts";
import type { OutgoingMessage } from "../integration-type.ts";

export type MessageTone =
  | "critical"
  | "high"
  | "medium"
  | "low"
  | "acknowledged"
  | "resolved"
  | "quiet";

/** The colour that chats show beside a message, by tone. */
export const COLOURS: Readonly<Record<MessageTone, string>> = {
  critical: "#b71c1c",
  high: "#ff5252",
  medium: "#fb8c00",
  low: "#1e88e5",
  acknowledged: "#fb8c00",
  resolved: "#4caf50",
  quiet: "#555555",
};

/** The text of a message. */
export type MessageText = {
  /** What happened, in one line: "Acknowledged by Ada". */
  readonly headline: string;
  readonly title: string;
  readonly text: string | null;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly tone: MessageTone;
  readonly url: string | null;
  /** Groups related messages where a chat supports threads; null = no thread. */
  readonly thread: string | null;
};

const MAX_TITLE = 300;
const MAX_TEXT = 1_500;

/** Truncates to `most` UTF-16 code units, ending in `…`. Never splits a surrogate pair. */
export function truncateText(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  return `${whole.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const singleLine = (text: string, most: number) =>
  truncateText(text.replace(/[\s\p{Cc}]+/gu, " ").trim(), most);

/** Formats a message. */
export function formatMessage(message: OutgoingMessage): MessageText {
  const { payload, url } = message;
  switch (payload.about) {
    case "alert":
      return { ...formatAlert(message, payload), url };
    case "comment":
      return { ...formatComment(payload), url };
    case "shift":
      return formatShift(message, payload);
    case "test": {
      const title = `This is a test of ${singleLine(payload.name, MAX_TITLE)}`;
      const text = "Whoever reads this would read what the integration tells.";
      return { headline: "Test", title, text, facts: [], tone: "quiet", url, thread: null };
    }
  }
}

const HEADLINES: Readonly<Record<string, string>> = {
  "alert.created": "Created",
  "alert.open": "Open",
  "alert.assigned": "Assigned",
  "alert.acknowledged": "Acknowledged",
  "alert.rejected": "Passed on",
  "alert.timeout": "Not answered in time",
  "alert.handoff": "Handed off",
  "alert.escalated": "Escalated",
  "alert.responders_requested": "Responders requested",
  "alert.snoozed": "Snoozed",
  "alert.merged": "Other alerts merged",
  "alert.dropped": "Unanswered: nobody is left to notify",
  "alert.resolved": "Resolved",
  "alert.destroyed": "Deleted",
};

function formatAlert({ event }: OutgoingMessage, payload: AlertPayload): Omit<MessageText, "url"> {
  const { alert, by, detail, destinations, sourceName } = payload;
  const who = by === null || event === "alert.open" ? "" : ` by ${by.name}`;
  const why = detail === null ? "" : `: ${detail}`;
  const facts: (readonly [string, string])[] = [
    ["Status", statusWord(stringOf(alert.status))],
    ["Urgency", stringOf(alert.urgency)],
    ["Source", singleLine(sourceName, 200)],
  ];
  if (destinations.length > 0) facts.push(["For", singleLine(destinations.join(", "), 300)]);
  const description = stringOf(alert.description).trim();
  return {
    headline: singleLine(`${HEADLINES[event] ?? event}${who}${why}`, MAX_TITLE),
    title: singleLine(stringOf(alert.title), MAX_TITLE),
    text: description === "" ? null : truncateText(description, MAX_TEXT),
    facts,
    tone: toneOf(event, alert.urgency),
    thread: stringOf(alert.id),
  };
}

function toneOf(event: string, urgency: unknown): MessageTone {
  if (event === "alert.resolved") return "resolved";
  if (event === "alert.acknowledged" || event === "alert.snoozed") return "acknowledged";
  if (event === "alert.destroyed") return "quiet";
  const known = (["critical", "high", "medium", "low"] as const).find((it) => it === urgency);
  return known ?? "quiet";
}

function formatComment({ comment, on }: CommentPayload): Omit<MessageText, "url"> {
  const author = stringOf(comment.created_by_name) || "Somebody";
  return {
    headline: singleLine(`Comment by ${author}`, MAX_TITLE),
    title: singleLine(on ?? "A comment", MAX_TITLE),
    text: truncateText(stringOf(comment.body).trim(), MAX_TEXT),
    facts: [],
    tone: "quiet",
    thread: stringOf(comment.commentable_id) || null,
  };
}

function formatShift({ event, url }: OutgoingMessage, payload: ShiftPayload): MessageText {
  const { personName, teamNames, layer, at } = payload;
  const isOn = event === "event_reminder.going_on_call";
  const when = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return {
    headline: isOn ? "Going on call" : "Going off call",
    title: singleLine(`${personName} goes ${isOn ? "on" : "off"} call at ${when}`, MAX_TITLE),
    text: null,
    facts: [
      ["For", singleLine(teamNames.join(", "), 300)],
      ["Layer", String(layer)],
    ],
    tone: "quiet",
    url,
    thread: null,
  };
}
