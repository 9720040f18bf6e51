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
  listOf,
  nested,
  text,
} from "../shared/fields.ts";
import { Email, Phone } from "./contact.ts";

export const Roles = z.object({
  admin: flag("May change the configuration.", true),
  billing: flag("May see to the billing."),
  broadcaster: flag("May send broadcasts."),
  communicator: flag("May communicate to the outside."),
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
  notify_push: flag("Whether pages go to the person by push.", true).nullable(),
  notify_email: flag("Whether pages go to the person by e-mail.", true).nullable(),
  notify_sms: flag("Whether pages go to the person by SMS.", true).nullable(),
  notify_voice: flag("Whether pages go to the person by telephone.").nullable(),
  emails: listOf(
    Email,
    "The person's e-mail addresses: those that are verified, and those that this account wrote down.",
  ),
  phones: listOf(
    Phone,
    "The person's telephone numbers: those that they confirmed themself, and those that this account wrote down.",
  ),
});
export type Person = z.output<typeof Person>;

export const AccountUser = z.object({
  ...common("account_user"),
  state: choice(["active", "pending"], "`pending` until the person accepts the invitation."),
  invited_at: instant("When the invitation was sent; null while none was.", null).nullable(),
  roles: nested(Roles, "What the person may do in the account."),
  notification_rule_id: identifier(
    "notification_rule",
    "The rule that says how the person is told.",
  ).nullable(),
  member_team_ids: identifiers("team", "The teams that the person is a member of."),
  team_ids: identifiers("team", "Another name of `member_team_ids`."),
  user: nested(Person, "The person. Of somebody who has not accepted yet: what the inviter sent."),
});
export type AccountUser = z.output<typeof AccountUser>;
