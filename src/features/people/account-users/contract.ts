// The membership of a person in an account.
import * as z from "zod";
import {
  bothIds,
  choice,
  common,
  flag,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  nested,
  text,
} from "../../../kernel/contract/fields.ts";
import { Email, Phone } from "../contacts/contract.ts";
import { shiftSettings } from "../users/shift-settings-contract.ts";

export const Roles = z.object({
  admin: flag("Can change the configuration.", true),
  billing: flag("Manages billing."),
  broadcaster: flag("Can send broadcasts."),
  communicator: flag("Communicates with people outside the account."),
});
export type Roles = z.output<typeof Roles>;

export const Person = z.object({
  ...bothIds("user"),
  name: text("The person's full name.", "Ada Lovelace"),
  time_zone: text(
    "A name that `GET /events/time_zones` lists, or an IANA zone.",
    "Europe/London",
  ).nullable(),
  preferred_language: text("A language tag.", "en").nullable(),
  notify_push: flag("Whether the person is notified by push.", true).nullable(),
  notify_email: flag("Whether the person is notified by e-mail.", true).nullable(),
  notify_sms: flag("Whether the person is notified by SMS.", true).nullable(),
  notify_voice: flag("Whether the person is notified by phone call.").nullable(),
  notify_voice_repeat: flag(
    "Whether a call about an alert is repeated once, a minute later, while nobody has answered.",
    true,
  ).nullable(),
  ...shiftSettings,
  emails: listOf(
    Email,
    "The person's e-mail addresses: the verified ones, and those that this account added.",
  ),
  phones: listOf(
    Phone,
    "The person's telephone numbers: those that the person confirmed, and those that this account added.",
  ),
});
export type Person = z.output<typeof Person>;

export const AccountUser = z.object({
  ...common("account_user"),
  state: choice(["active", "pending"], "`pending` until the person accepts the invitation."),
  invited_at: instant(
    "When the invitation was sent; null if it has not been sent.",
    null,
  ).nullable(),
  roles: nested(Roles, "The person's roles in the account."),
  notification_rule_id: identifier(
    "notification_rule",
    "The notification rule of the person.",
  ).nullable(),
  readiness_digest: flag(
    "Whether the person, as an admin, gets the account's weekly readiness digest.",
    true,
  ),
  member_team_ids: identifiers("team", "The teams that the person is a member of."),
  team_ids: identifiers("team", "An alias of `member_team_ids`."),
  user: nested(Person, "The person. For a pending membership, only what the inviter sent."),
});
export type AccountUser = z.output<typeof AccountUser>;

const IMPORT_STATUSES = ["added", "member", "pending", "repeated", "invalid", "refused"] as const;

export const ImportedPerson = z.object({
  email: text("The address, as it was sent.", "ada@example.com"),
  status: choice(
    IMPORT_STATUSES,
    "`added`: by this request. `member`, `pending`: was a member, or was invited, before. `repeated`: stands earlier in the list. `invalid`, `refused`: see `message`.",
    "added",
  ),
  account_user_id: identifier("account_user", "The membership; null if there is none.").nullable(),
  message: text("What is wrong with the entry; null if nothing is.", null).nullable(),
});
export type ImportedPerson = z.output<typeof ImportedPerson>;

export const AccountUserImport = z.object({
  added_count: integer("How many people were added.", 1),
  results: listOf(ImportedPerson, "One result per entry of `people`, in their order."),
});
export type AccountUserImport = z.output<typeof AccountUserImport>;
