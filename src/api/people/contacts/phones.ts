// Confirms a telephone number by a six-digit code (contract 6, Phones). Only a hash of the code is
// stored. Codes expire after ten minutes and five attempts, and are limited per day: they are the
// only use of an unconfirmed number, and must not be a way to call strangers.
import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { canSendCode, sendCode } from "../../../channels/phone/phone-code.ts";
import type { Phone as ShownPhone } from "../../../contract/people/contact.ts";
import { ConfirmPhone } from "../../../contract/people/phone-parameters.ts";
import { isProven, isSeenBy, settleProven } from "../../../db/people/contact-rows.ts";
import type { RawRow } from "../../../db/records/attributes.ts";
import { identified } from "../../../db/records/records.ts";
import { accountUsers, phoneCodeSends, userPhones, users } from "../../../db/schema/people.ts";
import { statement } from "../../../db/shared/database.ts";
import { maskedAddress } from "../../../domain/people/masked-address.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { DAY, MINUTE } from "../../../domain/shared/time.ts";
import { type Answer, found } from "../../../http/answers.ts";
import { pathIdentifier } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../../http/route.ts";
import { exactly } from "../../../http/shown.ts";
import { securityNotices } from "../../access/security-notices.ts";
import { foundPerson, selectPerson } from "../held-person.ts";
import { isSelf, mayNotChange } from "../person-access.ts";
import { phonesOf } from "./contacts.ts";

// ── Shape ──

/** The validity of a code, its attempts, and the limits on sending. */
const CODE_MS = 10 * MINUTE;
const MOST_TRIES = 5;
const BETWEEN_SENDS_MS = MINUTE / 2;
const MOST_TO_NUMBER = 5;
const MOST_OF_ACCOUNT = 100;

// ── Rows ──

type Phone = {
  readonly id: string;
  readonly number: string;
  readonly method: "sms" | "voice";
  /** Whether the number is confirmed from the actor's point of view. */
  readonly confirmed: boolean;
  readonly userId: string;
  readonly blocked: boolean;
};

/**
 * Reads the number in the path; a refusal if it is not in the account, or the actor may not confirm
 * it.
 */
async function readPhone(request: ApiRequest<unknown>): Promise<Phone | Refusal> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, "phone");
  if (isRefusal(identifier)) return identifier;
  const matches = sql`${identified(userPhones, identifier)} and ${userPhones.userId} in
    (select user_id from account_users where account_id = ${actor.accountId})
    and ${isSeenBy(userPhones, sql`${actor.accountId}`)}`;
  const membership = sql`${accountUsers.accountId} = ${actor.accountId} and ${accountUsers.userId} =
    (select ${userPhones.userId} from ${userPhones} where ${matches})`;
  const phone = sql`select ${userPhones.id} as id, ${userPhones.phone} as number,
      ${userPhones.confirmationMethod} as method, ${userPhones.blocked} as blocked,
      ${userPhones.confirmedAt} as confirmed_at, ${isProven(userPhones)} as is_proven from ${userPhones} where ${matches}`;
  const [people, phones] = await db.batch<RawRow>([
    statement(db, selectPerson(membership)),
    statement(db, phone),
  ]);
  const person = foundPerson(people?.results);
  const row = phones?.results[0];
  // The contacts of an invited person are not visible.
  if (person === null || person.state === "pending" || !row) return notFound("phone");
  const refusal = mayNotChange(actor, person);
  if (refusal) return refusal;
  return {
    id: String(row.id),
    number: String(row.number),
    method: row.method === "voice" ? "voice" : "sms",
    // A confirmation by an admin counts only in this account: the person can still confirm the
    // number.
    confirmed: isSelf(actor, person) ? row.is_proven === 1 : row.confirmed_at !== null,
    userId: person.userId,
    blocked: row.blocked === 1,
  };
}

/**
 * Counts a code before it is sent; returns no row when the number or the account is over its limit.
 */
const reserveSend = (accountId: string, number: string, now: number): SQL =>
  sql`insert into ${phoneCodeSends} (account_id, phone, sent_at)
    select ${accountId}, ${number}, ${now}
    where (select count(*) from ${phoneCodeSends} where phone = ${number} and sent_at > ${now - DAY})
        < ${MOST_TO_NUMBER}
      and not exists (select 1 from ${phoneCodeSends}
        where phone = ${number} and sent_at > ${now - BETWEEN_SENDS_MS})
      and (select count(*) from ${phoneCodeSends}
        where account_id = ${accountId} and sent_at > ${now - DAY}) < ${MOST_OF_ACCOUNT}
    returning sent_at`;

const deleteOldSends = (accountId: string, now: number): SQL =>
  sql`delete from ${phoneCodeSends} where account_id = ${accountId} and sent_at <= ${now - DAY}`;

const storeCode = ({ id }: Phone, codeHash: string, now: number): SQL =>
  sql`update ${userPhones}
    set code_hash = ${codeHash}, code_sent_at = ${now}, code_attempts = 0, updated_at = ${now}
    where id = ${id} and not ${isProven(userPhones)}`;

/** Counts an attempt before the comparison, so that concurrent attempts cannot exceed the limit. */
const countAttempt = ({ id }: Phone, now: number): SQL =>
  sql`update ${userPhones} set code_attempts = code_attempts + 1
    where id = ${id} and not ${isProven(userPhones)} and code_hash is not null
      and code_attempts < ${MOST_TRIES} and code_sent_at > ${now - CODE_MS}
    returning code_hash`;

const confirmNumber = ({ id }: Phone, codeHash: string, bySelf: boolean, now: number): SQL =>
  sql`update ${userPhones} set confirmed_at = ${now}, confirmed_by_self = ${bySelf}, code_hash = null,
      updated_at = ${now}
    where id = ${id} and code_hash = ${codeHash}`;

const selectShown = ({ id }: Phone, accountId: string): SQL =>
  sql`select it.value as phone
    from ${users}, json_each(${phonesOf(users.id, sql`${accountId}`)}) as it
    where ${users.id} = (select ${userPhones.userId} from ${userPhones} where ${userPhones.id} = ${id})
      and it.value ->> 'id' = ${id}`;

// ── Rules ──

const NO_CODE = refuse("conflict", "the code has expired; request another one");
const WRONG_CODE = refuse("invalid", "code is incorrect", "code");
const TOO_MANY = refuse(
  "too_many",
  `a number gets a code every ${BETWEEN_SENDS_MS / 1000} seconds and ${MOST_TO_NUMBER} a day at most`,
);

/** The refusal if the number cannot be confirmed, else null. */
function refuseConfirmation({ confirmed, blocked }: Phone): Refusal | null {
  if (confirmed) return refuse("conflict", "the number is confirmed already");
  return blocked ? refuse("conflict", "the number is blocked until its owner sends START") : null;
}

/** The stored hash of a code, salted with the number's id. */
const hashOfCode = (phoneId: string, code: string) =>
  createHash("sha256").update(`${phoneId}:${code}`).digest("hex");

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

// ── Routes ──

async function respondWithPhone({ db, actor }: ApiRequest<unknown>, phone: Phone): Promise<Answer> {
  const row = await statement(db, selectShown(phone, actor.accountId)).first<{ phone: string }>();
  return row ? found<ShownPhone>(JSON.parse(row.phone)) : notFound("phone");
}

async function send(request: ApiRequest): Promise<Answer> {
  const { db, env, actor, now } = request;
  const phone = await readPhone(request);
  if (isRefusal(phone)) return phone;
  const refusal = refuseConfirmation(phone);
  if (refusal) return refusal;
  if (!canSendCode(env, phone.method)) {
    return refuse("conflict", `this deployment cannot send codes by ${phone.method}`);
  }
  const [, reserved] = await db.batch<RawRow>([
    statement(db, deleteOldSends(actor.accountId, now)),
    statement(db, reserveSend(actor.accountId, phone.number, now)),
  ]);
  if (reserved?.results.length !== 1) return TOO_MANY;
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  // Stored before it is sent, so that a code that arrives is always valid.
  await statement(db, storeCode(phone, hashOfCode(phone.id, code), now)).run();
  const sent = await sendCode(env, phone.method, phone.number, code);
  if (sent.kind === "temporary") {
    return refuse("unavailable", `the code could not be sent (${sent.reason}); try again`);
  }
  if (sent.kind === "permanent") {
    return refuse("conflict", `the code could not be sent: ${sent.reason}`);
  }
  return respondWithPhone(request, phone);
}

async function confirm(request: ApiRequest<ConfirmPhone>): Promise<Answer> {
  const { db, env, actor, now, body } = request;
  const phone = await readPhone(request);
  if (isRefusal(phone)) return phone;
  if (phone.confirmed) return refuseConfirmation(phone) as Refusal;
  const row = await statement(db, countAttempt(phone, now)).first<{ code_hash: string }>();
  if (row === null) return NO_CODE;
  if (!isSame(row.code_hash, hashOfCode(phone.id, body.code))) return WRONG_CODE;
  const { id, userId, number } = phone;
  const { accountId } = actor;
  const context = { userId, accountId, byUserId: actor.userId };
  const notice = { kind: "phone_confirmed", detail: maskedAddress(number) } as const;
  const writes = [
    ...(await securityNotices(env, context, [notice], now)),
    confirmNumber(phone, row.code_hash, isSelf(actor, phone), now),
    ...settleProven(userPhones, userId, id),
  ];
  await db.batch(writes.map((write) => statement(db, write)));
  return respondWithPhone(request, phone);
}

export const phoneRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/phones/:id/confirm",
    operation: "confirmPhone",
    summary: "Confirm a telephone number",
    description: `Requires the code that was sent to the number. A code is valid for ${CODE_MS / MINUTE} minutes and ${MOST_TRIES} attempts. Allowed for the person (signed in, or with a key that they created), or for an admin while this account is the person's only one; a confirmation by an admin counts only in this account.`,
    shows: exactly("Phone"),
    refuses: ["conflict"],
    body: ConfirmPhone,
    forbids: async (request) => {
      const phone = await readPhone(request);
      return isRefusal(phone) ? phone : null;
    },
    handle: confirm,
  }),
  route({
    method: "POST",
    path: "/phones/:id/send_code",
    operation: "sendPhoneCode",
    summary: "Send a code to a telephone number",
    description: `Sends a 6-digit code by the number's \`confirmation_method\`. Earlier codes become invalid. A number receives at most ${MOST_TO_NUMBER} codes a day.`,
    shows: exactly("Phone"),
    refuses: ["conflict"],
    handle: send,
  }),
];
