// What people read in place of the API's words: one table for the console and for what leads into it, links and
// messages. The API keeps its words, and so do the names in the code.

export const capitalized = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Of states and answers; the others are read as they are, `timed_out` as "timed out". */
const STATES: Readonly<Record<string, string>> = {
  dropped: "unanswered",
  rejected: "passed on",
  suppressed: "muted",
};

/** The word for the state of an alert, a workflow, a broadcast or a notification. */
export const statusWord = (status: string): string => STATES[status] ?? status.replaceAll("_", " ");

/** Replaces the API's states in a text: `the alert is dropped`. */
export const withStatusWords = (text: string): string =>
  text.replace(/\b(?:dropped|rejected|suppressed)\b/g, statusWord);

/** Of events; the others are called as the state to which they lead. */
const EVENTS: Readonly<Record<string, string>> = {
  "alert.handoff": "handed off",
  "alert.open": "new alert",
  "alert.timeout": "timed out",
  "alert.unreached": "person not reached",
  "broadcast.sent": "broadcast",
  "oncall.cover_answer": "outcome",
  "oncall.cover_request": "asked for cover",
  "oncall.handoff": "on-call handoff",
};

/** What has happened: `alert.dropped` is "unanswered". */
export const eventWord = (event: string): string =>
  EVENTS[event] ?? statusWord(event.replace(/^alert\./, "")).replaceAll(".", " ");

/** Of channels, and of the ways by which people answer; messengers have their products' names. */
export const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  api: "API",
  email: "e-mail",
  push: "push",
  sms: "SMS",
  voice: "phone call",
  web: "console",
};

/** The labels of parameters, by the last segment of their path. */
export const FIELDS: Readonly<Record<string, string>> = {
  account_user_id: "Person",
  account_user_ids: "People",
  action_time: "Shift",
  admin_account_user_ids: "Team admins",
  company_holidays: "Company holidays",
  confirmation_method: "Send code by",
  covering_account_user_id: "Who takes it",
  days_of_week: "Days",
  default_receiver_account_user_id: "Otherwise goes to",
  default_receiver_router_id: "Otherwise goes to",
  default_receiver_team_id: "Otherwise goes to",
  destination_account_user_ids: "Goes to",
  destination_router_ids: "Goes to",
  destination_team_ids: "Goes to",
  effective_at: "Takes effect",
  email: "E-mail",
  emails_attributes: "E-mail addresses",
  end_datetime: "End",
  end_time: "End",
  escalation_layers_attributes: "Steps",
  exceptions: "Removed shifts",
  frequency: "Every",
  frequency_unit: "Unit",
  in_return: "In return",
  incident_severity: "Severity",
  integration_type_id: "Type",
  layer: "Step",
  leave_schedule: "Who leaves the team also leaves the rotations of its schedule",
  member_account_user_ids: "Members",
  member_team_ids: "Teams",
  meta: "Metadata",
  minutes_before: "Time before the shift",
  phone: "Phone number",
  phones_attributes: "Phone numbers",
  positions: "People",
  reassign_account_user_ids: "Reassign to people",
  reassign_team_ids: "Reassign to teams",
  repeat: "Repeats",
  repeat_end_datetime: "Last day",
  response_requested_by: "Respond by",
  restrictions: "Hours on call",
  shift_digest_day: "Day",
  shift_digest_time_of_day: "Time",
  shift_reminders: "Reminders",
  start_datetime: "Start",
  start_time: "Start",
  terminated_at: "End of the series",
  when_away: "When somebody is away",
};
