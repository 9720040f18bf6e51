// What an entry of a schedule's history says, in words. Pure.
import type { ScheduleChange } from "../../../features/oncall/history/contract.ts";
import { labelOf } from "../../../kernel/console/labels.ts";

const RECORDS: Readonly<Record<ScheduleChange["record_kind"], string>> = {
  absence: "absence",
  account_user: "person",
  calendar_import: "calendar import",
  cover: "cover",
  cover_request: "cover request",
  escalation_policy: "escalation policy",
  event: "shifts",
  schedule: "schedule",
  team: "team",
  unavailability: "absence",
};

/** Of changes that have words of their own. */
const WORDS: Readonly<Record<string, string>> = {
  "account_user delete": "Person left the account",
  "calendar_import read": "Read the imported calendar",
  "cover follow": "Covers adapted to the schedule",
  "cover_request accept": "Accepted a cover request",
  "cover refresh": "Covered all hours again",
  "event add_exception": "Removed a shift",
  "event change_following": "Changed this and following shifts",
  "event create": "Added shifts",
  "event delete": "Removed shifts",
  "event move_part": "Moved a shift",
  "event remove_part": "Removed hours of a shift",
  "event take_over": "Took over a shift",
  "event terminate_on": "Removed this and following shifts",
  "schedule flush": "Removed all events",
};

const VERBS: Readonly<Record<string, string>> = {
  create: "Created",
  update: "Changed",
  delete: "Deleted",
};

/** Fields of an event that say the same as others. */
const DERIVED = ["account_user_ids", "effective_at", "end_time", "event_attendees", "start_time"];

/** `Changed shifts: people` */
export function wordsOf(change: ScheduleChange): string {
  const words = changeWords(change);
  return change.corrects_past ? `${words}, also in the past` : words;
}

function changeWords(change: ScheduleChange): string {
  const { verb, record_kind: kind, record_name: name, fields } = change;
  if (verb === "undo") return "Undid a change";
  const own = WORDS[`${kind} ${verb}`];
  const record = RECORDS[kind];
  const what = own ?? `${VERBS[verb] ?? verb.replaceAll("_", " ")} ${record}`;
  const named = name && kind !== "schedule" ? `${what} ${name}` : what;
  const shown = fields.filter((field) => !DERIVED.includes(field));
  const words = shown.map((field) => labelOf(field).toLowerCase());
  return words.length === 0 ? named : `${named}: ${words.join(", ")}`;
}
