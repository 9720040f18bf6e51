// A person's e-mail addresses and telephone numbers: how they are written, what they show, and the rows that a
// request makes of them (specification, User: emails, phones). A number is unconfirmed until its code is entered,
// and again once it is another number.
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import { build } from "../db/database.ts";
import { demand } from "../db/demand.ts";
import { newId, newIdentity } from "../db/identifiers.ts";
import { userEmails, userPhones } from "../db/schema/people.ts";
import * as shape from "../db/shape.ts";
import {
  type ContactChange,
  type ContactChanges,
  changeContacts,
  type HeldContact,
} from "../domain/contact-changes.ts";
import { parsePhoneNumber } from "../domain/phone-number.ts";
import type { FieldError } from "../domain/refusal.ts";
import {
  type EmailChanges,
  foundingOnly,
  type HeldEmail,
  keepVerified,
} from "../domain/verified-addresses.ts";
import * as field from "../http/fields.ts";

// ── Shape ──

const MOST_CONTACTS = 20;
const CONFIRMATION_METHODS = ["sms", "voice"] as const;
const ADDRESS =
  /^[^\s@<>(),;:"\\[\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** An e-mail address, in lower case. */
export const emailAddress = z
  .string({ error: (issue) => (issue.input == null ? "can't be blank" : "must be a string") })
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => text !== "", { error: "can't be blank", abort: true })
  .refine((text) => text.length <= 254 && ADDRESS.test(text), "is not an e-mail address")
  .meta({ format: "email", maxLength: 254 });

const phoneNumber = z
  .string({ error: (issue) => (issue.input == null ? "can't be blank" : "must be a string") })
  .transform((text, context) => {
    const parsed = parsePhoneNumber(text);
    if (parsed !== null) return parsed;
    const message = text.trim() === "" ? "can't be blank" : "must be in E.164 format, +14155550123";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const emailEntry = z
  .object(
    {
      id: field.identifier,
      email: emailAddress.optional(),
      primary: field.optionalFlag,
      _destroy: field.optionalFlag,
    },
    "must be an object",
  )
  .refine(...field.neededToAdd("email"));

const phoneEntry = z
  .object(
    {
      id: field.identifier,
      phone: phoneNumber.optional(),
      confirmation_method: field.optionalChoice(CONFIRMATION_METHODS),
      primary: field.optionalFlag,
      _destroy: field.optionalFlag,
    },
    "must be an object",
  )
  .refine(...field.neededToAdd("phone"));

export const emailsAttributes = field.recordList(emailEntry, MOST_CONTACTS);
export const phonesAttributes = field.recordList(phoneEntry, MOST_CONTACTS);

type EmailEntry = z.output<typeof emailEntry>;
type PhoneEntry = z.output<typeof phoneEntry>;

// ── Rows ──

/** An address as people show it; of somebody who is only invited it has no id. */
export const emailShape = shape.object("Email", {
  id: shape.orNull(shape.text),
  prefix_id: shape.orNull(shape.text),
  email: shape.text,
  primary: shape.boolean,
  blocked: shape.boolean,
  verified: shape.boolean,
});

export const phoneShape = shape.object("Phone", {
  id: shape.text,
  prefix_id: shape.text,
  phone: shape.text,
  primary: shape.boolean,
  country: shape.orNull(shape.text),
  blocked: shape.boolean,
  confirmation_method: shape.oneOf(CONFIRMATION_METHODS),
  confirmed: shape.boolean,
});

const jsonFlag = (condition: SQLWrapper) => sql`json(iif(${condition}, 'true', 'false'))`;

/** The addresses of `userId` as JSON, in the order they were added. */
export const emailsOf = (userId: SQLWrapper): SQL =>
  sql`(select json_group_array(json_object('id', ${userEmails.id}, 'prefix_id', ${userEmails.prefixId},
      'email', ${userEmails.email}, 'primary', ${jsonFlag(userEmails.primary)},
      'blocked', ${jsonFlag(sql`${userEmails.blockedAt} is not null`)},
      'verified', ${jsonFlag(sql`${userEmails.verifiedAt} is not null`)}) order by ${userEmails}.rowid)
    from ${userEmails} where ${userEmails.userId} = ${userId})`;

/** The numbers of `userId` as JSON, in the order they were added. */
export const phonesOf = (userId: SQLWrapper): SQL =>
  sql`(select json_group_array(json_object('id', ${userPhones.id}, 'prefix_id', ${userPhones.prefixId},
      'phone', ${userPhones.phone}, 'primary', ${jsonFlag(userPhones.primary)},
      'country', ${userPhones.country}, 'blocked', ${jsonFlag(userPhones.blocked)},
      'confirmation_method', ${userPhones.confirmationMethod},
      'confirmed', ${jsonFlag(sql`${userPhones.confirmedAt} is not null`)}) order by ${userPhones}.rowid)
    from ${userPhones} where ${userPhones.userId} = ${userId})`;

/** Makes exactly one row primary: the one chosen, or whichever is left if that is gone by now. */
function settlePrimary(
  table: typeof userEmails | typeof userPhones,
  userId: string,
  chosen: string | null,
): SQLWrapper {
  return sql`update ${table} set "primary" = (id = (select id from ${table} where user_id = ${userId}
    order by id = ${chosen} desc, "primary" desc, rowid limit 1)) where user_id = ${userId}`;
}

const removeRows = (
  table: typeof userEmails | typeof userPhones,
  userId: string,
  ids: readonly string[],
): SQLWrapper =>
  sql`delete from ${table} where user_id = ${userId}
    and id in (select value from json_each(${JSON.stringify(ids)}))`;

const hasVerified = (userId: string): SQL =>
  sql`exists (select 1 from ${userEmails}
    where ${userEmails.userId} = ${userId} and ${userEmails.verifiedAt} is not null)`;

/** The statements that make a person's addresses what they have become. */
export function writeEmails(
  userId: string,
  { removed, changed, added, primaryId, verified }: EmailChanges,
  now: number,
): SQLWrapper[] {
  const verifiedAt = (email: string) => verified.get(email) ?? null;
  const differing = changed.filter(({ differs }) => differs);
  return [
    ...(removed.length > 0 ? [removeRows(userEmails, userId, removed)] : []),
    // Addresses that change places would meet on the way: those that change stand aside first.
    ...differing.map(({ id }) =>
      build.update(userEmails).set({ email: id }).where(eq(userEmails.id, id)),
    ),
    ...differing.map(({ id, value }) =>
      build
        .update(userEmails)
        .set({ email: value, blockedAt: null, verifiedAt: verifiedAt(value), updatedAt: now })
        .where(eq(userEmails.id, id)),
    ),
    ...added.map(({ id, value }) =>
      build.insert(userEmails).values({
        ...newIdentity("email", now, id),
        userId,
        email: value,
        verifiedAt: verifiedAt(value),
      }),
    ),
    settlePrimary(userEmails, userId, primaryId),
    // What was read may have been changed meanwhile: a person does not lose their last one by two requests either.
    ...(verified.size > 0 ? [demand(hasVerified(userId))] : []),
  ];
}

/** The statements that make a person's numbers what they have become. */
export function writePhones(
  userId: string,
  { removed, changed, added, primaryId }: ContactChanges<PhoneChange>,
  now: number,
): SQLWrapper[] {
  const unconfirmed = {
    blocked: false,
    confirmedAt: null,
    codeHash: null,
    codeSentAt: null,
    codeAttempts: 0,
  };
  const columnsOf = ({ country, method }: PhoneChange) => ({
    ...(country !== undefined && { country }),
    ...(method && { confirmationMethod: method }),
  });
  return [
    ...(removed.length > 0 ? [removeRows(userPhones, userId, removed)] : []),
    ...changed.map(({ id, value, differs, change }) =>
      build
        .update(userPhones)
        .set({
          ...columnsOf(change),
          ...(differs && { phone: value, ...unconfirmed }),
          updatedAt: now,
        })
        .where(eq(userPhones.id, id)),
    ),
    ...added.map(({ id, value, change }) =>
      build
        .insert(userPhones)
        .values({ ...newIdentity("phone", now, id), userId, phone: value, ...columnsOf(change) }),
    ),
    settlePrimary(userPhones, userId, primaryId),
  ];
}

// ── Rules ──

export type PhoneChange = ContactChange & {
  readonly country?: string | null | undefined;
  readonly method?: "sms" | "voice" | null | undefined;
};

/**
 * What a request makes of a person's addresses. `email` is the primary one: another value replaces it, unless
 * the person has that address already. Of a new person (`current` null) the primary one is verified.
 */
export function emailChanges(
  current: readonly HeldEmail[] | null,
  given: {
    readonly email?: string | undefined;
    readonly emails_attributes?: readonly EmailEntry[] | undefined;
  },
  within: string,
  now: number,
): EmailChanges {
  const { email, emails_attributes: entries = [] } = given;
  const held = current ?? [];
  const replaced = held.some(({ value }) => value === email)
    ? undefined
    : held.find(({ primary }) => primary);
  const changes: ContactChange[] = entries.map((entry, i) => ({
    field: `${within}emails_attributes[${i}]`,
    id: entry.id,
    value: entry.email,
    primary: entry.primary,
    remove: entry._destroy === true,
    newId: newId(now),
  }));
  if (email !== undefined) {
    const whole = { field: `${within}email`, value: email, primary: true, remove: false };
    changes.unshift({ ...whole, id: replaced?.id, newId: newId(now) });
  }
  const changed = changeContacts(held, changes);
  return atMost(
    "emails_attributes",
    within,
    current === null
      ? foundingOnly(changed, now)
      : keepVerified(current, changed, newId(now), `${within}emails_attributes`),
  );
}

/** What a request makes of a person's numbers. */
export function phoneChanges(
  current: readonly HeldContact[],
  entries: readonly PhoneEntry[],
  within: string,
  now: number,
): ContactChanges<PhoneChange> {
  const changes = entries.map((entry, i) => ({
    field: `${within}phones_attributes[${i}]`,
    id: entry.id,
    value: entry.phone?.phone,
    country: entry.phone?.country,
    method: entry.confirmation_method,
    primary: entry.primary,
    remove: entry._destroy === true,
    newId: newId(now),
  }));
  return atMost("phones_attributes", within, changeContacts(current, changes));
}

function atMost<Changes extends ContactChanges<ContactChange>>(
  name: string,
  within: string,
  changes: Changes,
): Changes {
  if (changes.left <= MOST_CONTACTS) return changes;
  const message = `${within}${name} would be more than ${MOST_CONTACTS}`;
  const error: FieldError = { field: `${within}${name}`, message };
  return { ...changes, errors: [...changes.errors, error] };
}
