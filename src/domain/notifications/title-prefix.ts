// What precedes an alert's title in short messages, so that a title alone says what happened.
import type { PageEvent } from "../alerts/alert.ts";

const PREFIXES: Readonly<Partial<Record<PageEvent, string>>> = {
  "alert.acknowledged": "Acknowledged: ",
  "alert.rejected": "Passed on: ",
  "alert.resolved": "Resolved: ",
  "alert.dropped": "Unanswered: ",
  "alert.timeout": "Timed out: ",
  "alert.handoff": "Handed off: ",
  "alert.unreached": "Not reached: ",
};

/** The prefix of an alert's title; empty for an open alert, and for what is not about an alert. */
export const titlePrefix = (event: PageEvent): string => PREFIXES[event] ?? "";
