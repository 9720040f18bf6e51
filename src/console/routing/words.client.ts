// The words of the builder: operators, fields, events and days.
import { ALERT_URGENCIES } from "../../domain/alerts/alert.ts";
import { channelWord, MESSENGERS } from "../../domain/people/messengers.ts";
import type { FieldOperator } from "../../domain/routing/builder/model.ts";
import { capitalized, eventWord } from "../../domain/shared/words.ts";
import type { Option } from "./elements.client.ts";

export const OPERATORS: readonly (readonly [FieldOperator, string])[] = [
  ["is", "is"],
  ["is_not", "is not"],
  ["one_of", "is one of"],
  ["none_of", "is none of"],
  ["has_all", "has all of"],
  ["contains", "contains"],
  ["contains_any_case", "contains (any case)"],
  ["not_contains", "does not contain"],
  ["not_contains_any_case", "does not contain (any case)"],
  ["more_than", "is more than"],
  ["at_least", "is at least"],
  ["less_than", "is less than"],
  ["at_most", "is at most"],
  ["matches", "matches the pattern"],
  ["matches_any_case", "matches the pattern (any case)"],
  ["not_matches", "does not match the pattern"],
  ["not_matches_any_case", "does not match the pattern (any case)"],
  ["exists", "exists"],
  ["missing", "does not exist"],
];

/** What is no field of an alert, and the fields of every alert. */
export const SPECIAL: readonly Option[] = [
  ["always", "Always"],
  ["time", "Time of day"],
  ["day", "Day of the week"],
];
export const ALERT_FIELDS: readonly Option[] = [
  ["alert.urgency", "Urgency"],
  ["alert.title", "Title"],
  ["alert.description", "Description"],
  ["alert.tags", "Tags"],
  ["alert.source_id", "Source"],
  ["alert.dedup_keys", "Deduplication keys"],
  ["alert.thirdparty_id", "Sender's identifier"],
];

export const URGENCIES = ALERT_URGENCIES.toReversed().map((it): Option => [it, it]);
export const SEVERITIES: readonly Option[] = ["SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5"].map(
  (it): Option => [it, it],
);
export const CHANNELS: readonly Option[] = [
  ...["push", "sms", "voice", "email"].map((it): Option => [it, capitalized(channelWord(it))]),
  ...MESSENGERS.map((it): Option => [it, channelWord(it)]),
];
export const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map(
  (name, at): Option => [String(at + 1), name],
);

export const ROUTER_ACTIONS: readonly Option[] = [
  ["assign", "Notify"],
  ["ignore", "Ignore the alert"],
  ["setval", "Change the alert"],
  ["incident", "Flag as an incident"],
  ["aggregate", "Aggregate and notify"],
];
export const NOTIFICATION_ACTIONS: readonly Option[] = [
  ["notify", "Notify on"],
  ["hold", "Hold until"],
  ["repeat", "Repeat"],
  ["ignore", "Do not notify"],
];

export const EVENTS = [
  "alert.open",
  "alert.acknowledged",
  "alert.rejected",
  "alert.resolved",
  "alert.dropped",
  "alert.timeout",
  "alert.handoff",
  "oncall.handoff",
  "broadcast.sent",
].map((event): Option => [event, capitalized(eventWord(event))]);
