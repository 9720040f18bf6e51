// What is told, in words: the same for every chat, which each sets in its own form. Plain text throughout; whoever
// sets it escapes it.
import type { SaidOfAlert, SaidOfComment, SaidOfShift } from "../domain/announcement.ts";
import type { Told } from "./integration-type.ts";

export type Tone = "critical" | "high" | "medium" | "low" | "acknowledged" | "resolved" | "quiet";

/** As chats colour what stands beside a message. */
export const COLOURS: Readonly<Record<Tone, string>> = {
  critical: "#b71c1c",
  high: "#ff5252",
  medium: "#fb8c00",
  low: "#1e88e5",
  acknowledged: "#fb8c00",
  resolved: "#4caf50",
  quiet: "#555555",
};

export type Words = {
  /** What has happened, in one line: "Acknowledged by Ada". */
  readonly headline: string;
  readonly title: string;
  readonly text: string | null;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly tone: Tone;
  readonly url: string | null;
  /** What belongs together goes below one message, where a chat can do that. */
  readonly thread: string | null;
};

const MOST_TITLE = 300;
const MOST_TEXT = 1_500;

/** At most so many characters, the last one "…" when there were more; no character is cut in two. */
export function shortened(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  return `${whole.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const line = (text: string, most: number) =>
  shortened(text.replace(/[\s\p{Cc}]+/gu, " ").trim(), most);

/** The message in words. */
export function wordsOf(told: Told): Words {
  const { said, url } = told;
  switch (said.about) {
    case "alert":
      return { ...ofAlert(told, said), url };
    case "comment":
      return { ...ofComment(said), url };
    case "shift":
      return ofShift(told, said);
    case "test": {
      const title = `This is a test of ${line(said.name, MOST_TITLE)}`;
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
  "alert.rejected": "Rejected",
  "alert.timeout": "Not answered in time",
  "alert.handoff": "Handed off",
  "alert.dropped": "Dropped: nobody answered",
  "alert.resolved": "Resolved",
  "alert.destroyed": "Deleted",
};

function ofAlert({ event }: Told, said: SaidOfAlert): Omit<Words, "url"> {
  const { alert, by, detail, destinations, sourceName } = said;
  const who = by === null || event === "alert.open" ? "" : ` by ${by.name}`;
  const why = detail === null ? "" : `: ${detail}`;
  const facts: (readonly [string, string])[] = [
    ["Status", textOf(alert.status)],
    ["Urgency", textOf(alert.urgency)],
    ["Source", line(sourceName, 200)],
  ];
  if (destinations.length > 0) facts.push(["For", line(destinations.join(", "), 300)]);
  const description = textOf(alert.description).trim();
  return {
    headline: line(`${HEADLINES[event] ?? event}${who}${why}`, MOST_TITLE),
    title: line(textOf(alert.title), MOST_TITLE),
    text: description === "" ? null : shortened(description, MOST_TEXT),
    facts,
    tone: toneOf(event, alert.urgency),
    thread: textOf(alert.id),
  };
}

function toneOf(event: string, urgency: unknown): Tone {
  if (event === "alert.resolved") return "resolved";
  if (event === "alert.acknowledged") return "acknowledged";
  if (event === "alert.destroyed") return "quiet";
  const known = (["critical", "high", "medium", "low"] as const).find((it) => it === urgency);
  return known ?? "quiet";
}

function ofComment({ comment, on }: SaidOfComment): Omit<Words, "url"> {
  const author = textOf(comment.created_by_name) || "Somebody";
  return {
    headline: line(`Comment by ${author}`, MOST_TITLE),
    title: line(on ?? "A comment", MOST_TITLE),
    text: shortened(textOf(comment.body).trim(), MOST_TEXT),
    facts: [],
    tone: "quiet",
    thread: textOf(comment.commentable_id) || null,
  };
}

function ofShift({ event, url }: Told, said: SaidOfShift): Words {
  const { personName, teamNames, layer, at } = said;
  const isOn = event === "event_reminder.going_on_call";
  const when = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return {
    headline: isOn ? "Going on call" : "Going off call",
    title: line(`${personName} goes ${isOn ? "on" : "off"} call at ${when}`, MOST_TITLE),
    text: null,
    facts: [
      ["For", line(teamNames.join(", "), 300)],
      ["Layer", String(layer)],
    ],
    tone: "quiet",
    url,
    thread: null,
  };
}
