// A person's e-mail addresses and telephone numbers.
import * as z from "zod";
import {
  bothIds,
  choice,
  flag,
  identifier,
  listOf,
  prefixIdentifier,
  text,
} from "../../../kernel/contract/fields.ts";

export const Email = z.object({
  id: identifier("email", "The record's identifier, a ULID.").nullable(),
  prefix_id: prefixIdentifier(
    "email",
    "The other form of `id`. Every parameter accepts either form.",
  ).nullable(),
  email: text("The primary e-mail address.", "ada@example.com"),
  primary: flag("Whether it is the primary one, which is used first.", true),
  blocked: flag("Whether it is blocked: it bounced, or its owner sent STOP."),
  verified: flag(
    "Whether the person has verified the address. Only verified addresses identify a person at sign-in and for invitations.",
    true,
  ),
});
export type Email = z.output<typeof Email>;

export const Phone = z.object({
  ...bothIds("phone"),
  phone: text("The number, in E.164 format.", "+14155550123"),
  primary: flag("Whether it is the primary one, which is used first.", true),
  country: text(
    "The country of the number (ISO 3166 alpha-2), determined by the service.",
    "US",
  ).nullable(),
  blocked: flag("Whether it is blocked: it bounced, or its owner sent STOP."),
  confirmation_method: choice(["sms", "voice"], "The channel of the confirmation code."),
  confirmed: flag("Whether the number is confirmed. Unconfirmed numbers are never used.", true),
});
export type Phone = z.output<typeof Phone>;

export const ContactCard = z.object({
  numbers: listOf(
    text("A number, in E.164 format.", "+14155550100"),
    "The numbers that call and send SMS; those that call are first.",
  ),
  vcard: text(
    "The numbers as a vCard 3.0; null if this deployment has no number of its own.",
    "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Tocsin\r\nTEL;TYPE=voice,cell:+14155550100\r\nEND:VCARD\r\n",
  ).nullable(),
});
export type ContactCard = z.output<typeof ContactCard>;
