// A person's e-mail addresses and telephone numbers.
import * as z from "zod";
import { bothIds, choice, flag, identifier, prefixIdentifier, text } from "../shared/fields.ts";

export const Email = z.object({
  id: identifier("email", "The record's identifier, a ULID.").nullable(),
  prefix_id: prefixIdentifier(
    "email",
    "The other form of `id`; either may be used wherever an identifier is asked for.",
  ).nullable(),
  email: text("The primary e-mail address.", "ada@example.com"),
  primary: flag("Whether it is the one used first.", true),
  blocked: flag("Whether it must not be used: it bounced, or its owner sent STOP."),
  verified: flag(
    "Whether whoever signs in as the person is known to read it. Only such an address signs somebody in, or is invited as them.",
    true,
  ),
});
export type Email = z.output<typeof Email>;

export const Phone = z.object({
  ...bothIds("phone"),
  phone: text("The number, in E.164 format.", "+14155550123"),
  primary: flag("Whether it is the one used first.", true),
  country: text(
    "The number's country, ISO 3166 alpha-2, determined by the service.",
    "US",
  ).nullable(),
  blocked: flag("Whether it must not be used: it bounced, or its owner sent STOP."),
  confirmation_method: choice(["sms", "voice"], "How the code that confirms the number is sent."),
  confirmed: flag("Whether the number was confirmed; another is never used.", true),
});
export type Phone = z.output<typeof Phone>;
