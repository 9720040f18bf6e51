// What the two ways of writing to Slack share: an alert's message in a channel, and a notification in
// a direct message. Both have the same buttons, which one callback receives.

/** What the actions of an alert are called; `alert:<id>` is the id of their block. */
export const ALERT_BLOCK = "alert:";
export const ACTION_IDS = {
  acknowledge: "acknowledge",
  reject: "reject",
  resolve: "resolve",
  snooze: "snooze",
  handOff: "hand_off",
  open: "open",
} as const;

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
