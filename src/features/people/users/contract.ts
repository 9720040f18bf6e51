// A person.
import * as z from "zod";
import {
  choice,
  common,
  flag,
  identifier,
  instant,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";
import { Email, Phone } from "../contacts/contract.ts";
import { shiftSettings } from "./shift-settings-contract.ts";

export const User = z.object({
  ...common("user"),
  account_user_id: identifier("account_user", "The person's membership in the account."),
  state: choice(["active", "pending"], "`pending` until the person accepts the invitation."),
  name: text("The person's full name.", "Ada Lovelace"),
  email: text("The primary e-mail address.", "ada@example.com"),
  time_zone: text(
    "A name that `GET /events/time_zones` lists, or an IANA zone.",
    "Europe/London",
  ).nullable(),
  preferred_language: text("A language tag.", "en").nullable(),
  last_sign_in_at: instant("When the person last signed in.", null).nullable(),
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
export type User = z.output<typeof User>;
