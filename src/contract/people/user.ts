// A person.
import * as z from "zod";
import { choice, common, flag, identifier, instant, listOf, text } from "../shared/fields.ts";
import { Email, Phone } from "./contact.ts";

export const User = z.object({
  ...common("user"),
  account_user_id: identifier("account_user", "The membership of the person in the account."),
  state: choice(["active", "pending"], "`pending` until the person accepts the invitation."),
  name: text("The person's full name.", "Ada Lovelace"),
  email: text("The primary e-mail address.", "ada@example.com"),
  time_zone: text(
    "A name that `GET /events/time_zones` lists, or an IANA zone.",
    "Europe/London",
  ).nullable(),
  preferred_language: text("A language tag.", "en").nullable(),
  last_sign_in_at: instant("When the person last signed in.", null).nullable(),
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
export type User = z.output<typeof User>;
