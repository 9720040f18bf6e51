// The labels of the API's parameters. Errors in the console name a field by its label on the page,
// never by its API path.

import type { FieldError } from "../../domain/shared/refusal.ts";

/** By the last segment of the path. */
const LABELS: Readonly<Record<string, string>> = {
  account_user_id: "Person",
  account_user_ids: "People",
  action_time: "Shift",
  admin_account_user_ids: "Team admins",
  covering_account_user_id: "Who takes it",
  company_holidays: "Company holidays",
  confirmation_method: "Send code by",
  days_of_week: "Days",
  default_receiver_account_user_id: "Default receiver",
  default_receiver_router_id: "Default receiver",
  default_receiver_team_id: "Default receiver",
  destination_account_user_ids: "Destination",
  destination_router_ids: "Destination",
  destination_team_ids: "Destination",
  effective_at: "Takes effect",
  email: "E-mail",
  emails_attributes: "E-mail addresses",
  end_datetime: "End",
  end_time: "End",
  escalation_layers_attributes: "Layers",
  frequency: "Every",
  frequency_unit: "Unit",
  in_return: "In return",
  incident_severity: "Severity",
  integration_type_id: "Type",
  leave_schedule: "Who leaves the team also leaves the rotations of its schedule",
  member_account_user_ids: "Members",
  member_team_ids: "Teams",
  minutes_before: "Time before the shift",
  phone: "Phone number",
  phones_attributes: "Phone numbers",
  positions: "People",
  reassign_account_user_ids: "Reassign to people",
  reassign_team_ids: "Reassign to teams",
  repeat: "Repeats",
  repeat_end_datetime: "Last day",
  response_requested_by: "Respond by",
  shift_digest_day: "Day",
  shift_digest_time_of_day: "Time",
  shift_reminders: "Reminders",
  restrictions: "Hours on call",
  start_datetime: "Start",
  start_time: "Start",
  when_away: "When somebody is away",
};

/** Messages about several parameters that are one field of a page, in the page's words. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^\w+ needs a destination: (.*) or an account user$/, "choose a destination: $1 or a person"],
  [
    /^at least one of team_ids, router_ids and account_user_ids must name a destination$/,
    "choose a destination: a team, a router or a person",
  ],
  [
    /^exactly one of default_receiver_.* must name the default receiver$/,
    "choose a default receiver",
  ],
  [/^covering_account_user_id can't be blank with instead: person$/, "choose who takes it"],
  [/^account_user_ids can't be blank$/, "choose whom to ask"],
];

/** `user_attributes.emails_attributes[0].email` at the beginning of a message. */
const PATH = /^[a-z]+(?:_[a-z0-9]+|\.[a-z0-9]+|\[\d*\])+(?=[ :])/;

/** The label of a parameter; without an entry, its name in words: `option_auto_resolve_after`. */
function labelOf(path: string): string {
  const name = path.replace(/\[\d*\]/g, "").replace(/^.*\./, "");
  const words = name.replace(/^option_|_attributes$|_ids?$/g, "").replaceAll("_", " ");
  return LABELS[name] ?? capitalized(words);
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Replaces other parameters that a message names: `must be after start_datetime`. */
const replacePaths = (message: string): string =>
  message
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => LABELS[name] ?? name)
    .replace("repeat is true", "Repeats is selected")
    .replace("an ISO 8601 date-time with an offset", "a date and a time")
    .replaceAll("an account user", "a person")
    .replaceAll("account user", "person");

function pathIn({ field, message }: FieldError): string {
  if (field && /^[ :]/.test(message.slice(field.length)) && message.startsWith(field)) return field;
  return PATH.exec(message)?.[0] ?? "";
}

/**
 * Formats an error as a sentence: "Title can't be blank."
 *
 * @param label the field's label, if the page that shows the error has the field
 */
export function faultText(error: FieldError, label?: string): string {
  for (const [pattern, text] of SENTENCES) {
    if (pattern.test(error.message)) return sentence(error.message.replace(pattern, text));
  }
  const path = pathIn(error);
  const rest = replacePaths(error.message.slice(path.length));
  return sentence(path === "" ? rest : `${label ?? labelOf(path)}${rest}`);
}

export const sentence = (text: string): string => {
  const capital = capitalized(text);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
};
