// The parameters of a user (contract 2, Users).
import * as z from "zod";
import {
  MAX_REMINDER_MINUTES,
  MAX_REMINDERS,
  REMINDER_CHANNELS,
} from "../../../domain/oncall/notices/reminders.ts";
import { TIME_OF_DAY, WEEKDAYS } from "../../../domain/oncall/notices/weekly.ts";
import { parsePhoneNumber } from "../../../domain/people/phone-number.ts";
import { isKnownZone } from "../../../domain/shared/time-zones.ts";
import * as field from "../../../kernel/contract/parameters.ts";

/** The most email addresses of a person, and the most numbers. */
export const MOST_CONTACTS = 20;

const CONFIRMATION_METHODS = ["sms", "voice"] as const;
const ADDRESS =
  /^[^\s@<>(),;:"\\[\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** An e-mail address, in lower case; a pasted one may be a link, in angle brackets or have invisible characters. */
export const emailAddress = z
  .string({ error: (issue) => (issue.input == null ? "can't be blank" : "must be a string") })
  .transform((text) =>
    text
      .replace(/\p{Cf}/gu, "")
      .trim()
      .toLowerCase(),
  )
  .transform((text) => text.replace(/^<(.*)>$/, "$1").replace(/^mailto:/, ""))
  .refine((text) => text !== "", { error: "can't be blank", abort: true })
  .refine((text) => text.length <= 254 && ADDRESS.test(text), "is not an e-mail address")
  .meta({ format: "email", maxLength: 254 });

const phoneNumber = z
  .string({ error: (issue) => (issue.input == null ? "can't be blank" : "must be a string") })
  .transform((text, context) => {
    const parsed = parsePhoneNumber(text);
    if (parsed !== null) return parsed;
    const message =
      text.trim() === ""
        ? "can't be blank"
        : `${JSON.stringify(text.trim().slice(0, 40))} is not a complete phone number with its country code, such as +14155550123`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const emailEntry = z
  .object(
    {
      id: field.identifier,
      email: emailAddress.optional(),
      primary: field.optionalFlag,
      _destroy: field.destroy,
    },
    "must be an object",
  )
  .refine(...field.neededToAdd("email"));
export type EmailEntry = z.output<typeof emailEntry>;

const phoneEntry = z
  .object(
    {
      id: field.identifier,
      phone: phoneNumber.optional(),
      confirmation_method: field.optionalChoice(CONFIRMATION_METHODS),
      primary: field.optionalFlag,
      _destroy: field.destroy,
    },
    "must be an object",
  )
  .refine(...field.neededToAdd("phone"));
export type PhoneEntry = z.output<typeof phoneEntry>;

export const ABOUT_EMAILS = {
  description: "Addresses to add, change (`id`) or remove (`id` and `_destroy`).",
  example: [{ email: "ada@example.com", primary: true }],
};

export const emailsAttributes = field.recordList(emailEntry, MOST_CONTACTS).meta(ABOUT_EMAILS);

const phonesAttributes = field.recordList(phoneEntry, MOST_CONTACTS).meta({
  description: "Numbers to add, change (`id`) or remove (`id` and `_destroy`).",
  example: [{ phone: "+14155550123", confirmation_method: "sms" }],
});

const shiftReminder = z.object(
  {
    minutes_before: field.integer(0, MAX_REMINDER_MINUTES),
    channel: field.optionalChoice(REMINDER_CHANNELS).transform((channel) => channel ?? null),
  },
  "must be an object",
);

/** Replaces the whole list. */
const shiftReminders = field
  .recordList(shiftReminder, MAX_REMINDERS)
  .transform((reminders) => [
    ...new Map(
      reminders
        .toSorted((a, b) => b.minutes_before - a.minutes_before)
        .map((it) => [`${it.minutes_before} ${it.channel}`, it]),
    ).values(),
  ]);

const timeOfDay = z
  .string("must be a time of day, HH:mm")
  .refine((text) => TIME_OF_DAY.test(text), "must be a time of day, HH:mm")
  .meta({ pattern: TIME_OF_DAY.source });

const blankIsAbsent = (value: unknown) =>
  value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;

/** The parameters of a person in every body that has them. All are optional. */
export const personParameters = {
  name: field.requiredText(255).optional(),
  email: emailAddress.optional(),
  time_zone: z.preprocess(
    blankIsAbsent,
    z.string("must be a string").refine(isKnownZone, "is not a time zone").optional(),
  ),
  preferred_language: z.preprocess(
    blankIsAbsent,
    z
      .string("must be a string")
      .refine((tag) => /^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,3}$/i.test(tag), "is not a language tag")
      .optional(),
  ),
  notify_push: field.optionalFlag,
  notify_email: field.optionalFlag,
  notify_sms: field.optionalFlag,
  notify_voice: field.optionalFlag,
  notify_voice_repeat: field.optionalFlag,
  shift_notices: field.optionalFlag,
  shift_reminders: shiftReminders.optional(),
  /** Null ends the digest. */
  shift_digest_day: field.optionalChoice(WEEKDAYS),
  shift_digest_time_of_day: z.preprocess(blankIsAbsent, timeOfDay.optional()),
  emails_attributes: emailsAttributes.optional(),
  phones_attributes: phonesAttributes.optional(),
  meta: field.hash.optional(),
};

/** The parameters of the invitation, where a person is added. */
export const invitationParameters = {
  /** False: no email is sent; `POST /account_users/:id/invite` sends it later. */
  invite: field.optionalFlag.meta({
    description:
      "`false` creates the membership without an e-mail; `POST /account_users/{id}/invite` sends it later.",
    example: true,
  }),
};

export const CreateUser = z
  .object({
    ...personParameters,
    ...invitationParameters,
    name: field.requiredText(255),
    email: emailAddress,
  })
  .meta({ inExample: ["phones_attributes", "invite"] });
export type CreateUser = z.output<typeof CreateUser>;

export const UpdateUser = z.object(personParameters).meta({ inExample: ["name", "email"] });
export type UpdateUser = z.output<typeof UpdateUser>;
