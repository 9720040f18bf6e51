// Sends the verification link of an email address again. Any member may add any address to their
// own data, so a daily limit protects the owners of addresses from unwanted email.
import { type SQL, sql } from "drizzle-orm";
import { isSeenBy } from "../../../db/people/contact-rows.ts";
import {
  deleteOldLinkSends,
  LINK_INTERVAL_MS,
  MAX_LINKS_PER_ADDRESS,
  reserveLinkSends,
} from "../../../db/people/email-rows.ts";
import type { RawRow } from "../../../db/records/attributes.ts";
import { identified } from "../../../db/records/records.ts";
import { accountUsers, userEmails, users } from "../../../db/schema/people.ts";
import { statement } from "../../../db/shared/database.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { type Answer, found } from "../../../http/answers.ts";
import { pathIdentifier } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../../http/route.ts";
import { exactly } from "../../../http/shown.ts";
import { foundPerson, selectPerson } from "../held-person.ts";
import { mayNotChange } from "../person-access.ts";
import { canSendLinks, expectMails } from "./address-mails.ts";
import { emailsOf } from "./contacts.ts";

// ── Rows ──

type Email = {
  readonly id: string;
  readonly email: string;
  readonly verified: boolean;
  readonly blocked: boolean;
};

/**
 * Reads the address in the path; a refusal if it is not in the account, or the actor may not verify
 * it.
 */
async function readEmail(request: ApiRequest<unknown>): Promise<Email | Refusal> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, "email");
  if (isRefusal(identifier)) return identifier;
  const matches = sql`${identified(userEmails, identifier)} and ${userEmails.userId} in
    (select user_id from account_users where account_id = ${actor.accountId})
    and ${isSeenBy(userEmails, sql`${actor.accountId}`)}`;
  const membership = sql`${accountUsers.accountId} = ${actor.accountId} and ${accountUsers.userId} =
    (select ${userEmails.userId} from ${userEmails} where ${matches})`;
  const address = sql`select ${userEmails.id} as id, ${userEmails.email} as email,
      ${userEmails.verifiedAt} as verified_at, ${userEmails.blockedAt} as blocked_at
    from ${userEmails} where ${matches}`;
  const [people, emails] = await db.batch<RawRow>([
    statement(db, selectPerson(membership)),
    statement(db, address),
  ]);
  const person = foundPerson(people?.results);
  const row = emails?.results[0];
  // The contacts of an invited person are not visible.
  if (person === null || person.state === "pending" || !row) return notFound("email");
  const refusal = mayNotChange(actor, person);
  if (refusal) return refusal;
  return {
    id: String(row.id),
    email: String(row.email),
    verified: row.verified_at !== null,
    blocked: row.blocked_at !== null,
  };
}

const selectShown = (id: string, accountId: string): SQL =>
  sql`select it.value as email
    from ${users}, json_each(${emailsOf(users.id, sql`${accountId}`)}) as it
    where ${users.id} = (select ${userEmails.userId} from ${userEmails} where ${userEmails.id} = ${id})
      and it.value ->> 'id' = ${id}`;

// ── Rules ──

const NO_LINKS = refuse("conflict", "this deployment cannot send links by e-mail");
const VERIFIED = refuse("conflict", "the address is verified already");
const BLOCKED = refuse("conflict", "e-mail to the address bounced");
const TOO_MANY = refuse(
  "too_many",
  `an address gets a link every ${LINK_INTERVAL_MS / 1000} seconds and ${MAX_LINKS_PER_ADDRESS} a day at most`,
);

// ── Routes ──

async function send(request: ApiRequest): Promise<Answer> {
  const { db, env, actor, now } = request;
  const email = await readEmail(request);
  if (isRefusal(email)) return email;
  if (email.verified) return VERIFIED;
  if (email.blocked) return BLOCKED;
  if (!canSendLinks(env)) return NO_LINKS;
  const [, reserved] = await db.batch<RawRow>([
    statement(db, deleteOldLinkSends(actor.accountId, now)),
    statement(db, reserveLinkSends(actor.accountId, [email.email], now)),
  ]);
  if (reserved?.results.length !== 1) return TOO_MANY;
  await expectMails(env, actor, [email], now);
  const row = await statement(db, selectShown(email.id, actor.accountId)).first<{
    email: string;
  }>();
  return row ? found<Email>(JSON.parse(row.email)) : notFound("email");
}

export const emailRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/emails/:id/send_link",
    operation: "sendEmailLink",
    summary: "Send a verification link to an e-mail address",
    description: `Sends an e-mail with a link that verifies the address: its owner opens the link while signed in to the console. The e-mail is sent automatically when an address is added or changed; this sends it again. An address receives at most ${MAX_LINKS_PER_ADDRESS} a day. Allowed for the person (signed in, or with a key that they created), or for an admin while this account is the person's only one.`,
    shows: exactly("Email"),
    refuses: ["conflict"],
    handle: send,
  }),
];
