// What an import of a configuration file changes, or would change.
import * as z from "zod";
import {
  choice,
  flag,
  identifier,
  integer,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";
import { ChangedOnCall } from "../../oncall/on-call/contract.ts";

const CONFIGURED = [
  "notification_rule",
  "account_user",
  "schedule",
  "escalation_policy",
  "team",
  "event",
  "company_holiday",
  "absence_calendar",
  "absence",
  "router",
  "integration",
  "maintenance_window",
] as const;

/** The kinds of record that a file contains. */
export type ConfiguredKind = (typeof CONFIGURED)[number];

const value = (description: string, example: unknown) => z.unknown().meta({ description, example });

export const ConfigurationField = z.object({
  field: text("The field, as the file names it.", "members"),
  before: value("The stored value; null if there is none.", ["ada@example.com"]),
  after: value("The value of the file.", ["ada@example.com", "ben@example.com"]),
});

export const ConfigurationChange = z.object({
  path: text("The place in the file.", "teams[0]"),
  kind: choice(CONFIGURED, "The kind of the record.", "team"),
  key: text("The key of the record; of a person the e-mail address.", "payments"),
  record_id: identifier("team", "The record, also one that a preview would create."),
  action: choice(["create", "update"], "What the file does to the record.", "update"),
  fields: listOf(ConfigurationField, "The fields that differ; of a new record all."),
  note: text(
    "What is left to do once it is applied: the senders of a new integration need its URL, and its secrets are set again.",
    null,
  ).nullable(),
});
export type ConfigurationChange = z.output<typeof ConfigurationChange>;

export const ConfigurationOnCall = z.object({
  team_id: identifier(
    "team",
    "A team that is paged differently, or gets another schedule, policy, or layers of its policy; also one that a preview would create.",
  ),
  changes: listOf(
    ChangedOnCall,
    "Who is paged differently in the next 42 days, when: whoever is on call on a layer that the policy does not have is not paged.",
  ),
});
export type ConfigurationOnCall = z.output<typeof ConfigurationOnCall>;

export const ConfigurationImport = z.object({
  applied: flag("Whether the changes were written; false for a preview.", true),
  unchanged_count: integer("The number of entries that change nothing.", 12),
  changes: listOf(ConfigurationChange, "The records that are created or changed."),
  on_call: listOf(
    ConfigurationOnCall,
    "Who is paged differently, by teams. For a team that the file adds nobody is before.",
  ),
});
export type ConfigurationImport = z.output<typeof ConfigurationImport>;
