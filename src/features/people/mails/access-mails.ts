// Consumer of access mails (address verification, password reset, identity link): claims a mail
// from its object, sends it and reports the result. A message is only a wake-up and is never
// retried; the object repeats it until the mail is done.
import { createHash } from "node:crypto";
import type {
  AccessMail,
  AddressMail,
  IdentityMail,
  PasswordMail,
} from "../../../domain/access/access-mail.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import type { Letter } from "../../../products/mail/mail-provider.ts";
import { isMailSetUp } from "../../../products/mail/mail-provider.ts";
import { accessLink } from "../../access/sessions/access-links.ts";
import { findResettableUser } from "../../access/sessions/password-reset-rows.ts";
import { reserveLink } from "../../access/sessions/sign-in-rows.ts";
import { accessMailObject } from "../../stubs.ts";
import { sendMail } from "../channels/mail-services.ts";
import { readAddressMail } from "../contacts/email-rows.ts";
import { addressLetter, identityLetter, passwordResetLetter } from "./access-mail.ts";

/** Handles one access mail. Never throws. */
export async function sendAccessMail(name: string, env: Cloudflare.Env): Promise<void> {
  try {
    const object = accessMailObject(env, name);
    const mail = await object.take();
    if (mail !== null) await object.done(mail.at, await send(mail, env));
  } catch (error) {
    logFault("an access mail is postponed", error);
  }
}

async function send(mail: AccessMail, env: Cloudflare.Env): Promise<"over" | "waits"> {
  if (!isMailSetUp(env)) return "over";
  const letter = await buildLetter(mail, env);
  if (typeof letter === "string") return letter;
  const id = createHash("sha256").update(JSON.stringify(mail)).digest("base64url").slice(0, 26);
  const sent = await sendMail(env, letter, id);
  if (sent.kind === "sent") return "over";
  const { kind, reason } = sent;
  console.warn({ message: "an access mail was not sent", kind, reason });
  return kind === "temporary" ? "waits" : "over";
}

function buildLetter(mail: AccessMail, env: Cloudflare.Env): Promise<Letter | "over" | "waits"> {
  switch (mail.kind) {
    case "address":
      return buildAddressLetter(mail, env);
    case "password":
      return buildPasswordLetter(mail, env);
    case "identity":
      return buildIdentityLetter(mail, env);
  }
}

/** `waits` while the address has no row yet. The object limits the retries. */
async function buildAddressLetter(
  mail: AddressMail,
  env: Cloudflare.Env,
): Promise<Letter | "over" | "waits"> {
  const { email, emailId, byUserId, at } = mail;
  const read = await readAddressMail(env.DB, mail);
  if (read === null) return "waits";
  if (read.isVerified) return "over";
  const { userId } = read;
  const link = await accessLink(env, "address", { userId, emailId, state: [email] }, at);
  if (link === null) return "over";
  return addressLetter({ ...read, to: email, isOwn: byUserId === userId }, link);
}

/** Sends nothing to an address that no user signs in with. */
async function buildPasswordLetter(
  { email, place, at }: PasswordMail,
  env: Cloudflare.Env,
): Promise<Letter | "over"> {
  const user = await findResettableUser(env.DB, email);
  if (user === null) return "over";
  const { userId, emailId, passwordHash } = user;
  const madeAt = await reserveLink(env.DB, { purpose: "password", userId, place, at }, Date.now());
  if (madeAt === null) return "over";
  if (env.OIDC_ISSUER && passwordHash === null)
    return passwordResetLetter(email, null, env.PUBLIC_URL);
  const state = [email, passwordHash ?? ""];
  const link = await accessLink(env, "password", { userId, emailId, state }, madeAt);
  return link === null ? "over" : passwordResetLetter(email, link, env.PUBLIC_URL);
}

/** Each link is for one browser, so that over the limit no earlier link is sent instead. */
async function buildIdentityLetter(
  { email, place, identity, browser, at }: IdentityMail,
  env: Cloudflare.Env,
): Promise<Letter | "over"> {
  const user = await findResettableUser(env.DB, email);
  if (user === null) return "over";
  const { userId, emailId } = user;
  const madeAt = await reserveLink(env.DB, { purpose: "identity", userId, place, at }, Date.now());
  if (madeAt !== at) return "over";
  const state = [email, identity.issuer, identity.subject, browser];
  const link = await accessLink(env, "identity", { userId, emailId, state }, at);
  return link === null ? "over" : identityLetter(email, link);
}
