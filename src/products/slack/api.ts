// Calls to Slack's Web API, and what its answers mean (https://docs.slack.dev/apis/web-api: JSON with a
// bearer token, answered by `{ok, error}` with status 200; 429 with `Retry-After` over a rate limit).
import { valueAt } from "../../domain/shared/json.ts";
import type { ChatOutcome, OutgoingRequest } from "../integration-type.ts";

const API = "https://slack.com/api";

/** A call of a method with the token of the app's bot. */
export const slackCall = (method: string, token: string, body: unknown): OutgoingRequest => ({
  url: `${API}/${method}`,
  body,
  headers: { authorization: `Bearer ${token}` },
});

/** Errors of any method that pass (https://docs.slack.dev/reference/methods/chat.postMessage). */
export const TEMPORARY_SLACK_ERRORS: ReadonlySet<string> = new Set([
  "ratelimited",
  "rate_limited",
  "message_limit_exceeded",
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
  "team_added_to_org",
  "external_channel_migrating",
]);

/** The message was deleted, or can no longer be changed (…/reference/methods/chat.update). */
const LOST: ReadonlySet<string> = new Set([
  "message_not_found",
  "thread_not_found",
  "cant_update_message",
  "edit_window_closed",
]);

/** Reads an answer. Its body may repeat the message: only the error's name is passed on. */
export function readSlackAnswer(status: number, body: unknown): ChatOutcome {
  const [isDone, channel, messageId] = [
    valueAt(body, "ok"),
    valueAt(body, "channel"),
    valueAt(body, "ts"),
  ];
  if (isDone === true) {
    const isPosted = typeof channel === "string" && typeof messageId === "string";
    return { kind: "done", posted: isPosted ? { channel, messageId } : null };
  }
  const name = String(valueAt(body, "error") ?? "");
  const error = /^\w{1,60}$/.test(name) ? name : "";
  const reason = `Slack answered ${error === "" ? status : error}`;
  if (status === 429 || status >= 500 || TEMPORARY_SLACK_ERRORS.has(error))
    return { kind: "again", reason };
  if (LOST.has(error)) return { kind: "lost", reason };
  // Without an error's name it is no answer of Slack's.
  return { kind: error === "" ? "again" : "refused", reason };
}
