// Consumer of welcome mails: claims a mail, sends it, records the result and reports it to its
// object. A message is only a wake-up and is never retried; the object repeats it.

import { MAX_PAUSE_MS } from "../../../domain/notifications/attempt-pause.ts";
import { type Welcome, welcomeObjectName } from "../../../domain/people/welcome.ts";
import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { actionLink } from "../../../kernel/links.ts";
import type { Sent } from "../../../products/channel.ts";
import { isMailSetUp } from "../../../products/mail/mail-provider.ts";
import { passwordWork } from "../../access/sessions/password-work.ts";
import { hashPassword } from "../../access/sessions/passwords.ts";
import { FIRST_PASSWORD_MS } from "../../access/sessions/session-rows.ts";
import { welcomeObject } from "../../stubs.ts";
import { recordAttempts } from "../channels/attempt-rows.ts";
import { sendMail } from "../channels/mail-services.ts";
import { firstPassword, invitationLetter, passwordLetter } from "../mails/welcome-mail.ts";
import { claimWelcome, skipWelcome, storeFirstPassword, type WelcomeMail } from "./welcome-rows.ts";

/** Attempts before the mail is given up: with the object's pauses, most of an hour. */
const MAX_ATTEMPTS = 60;

const NO_LONGER_WANTED = "there is nothing to tell them any more";

/** Handles the welcome mail of one new member. Never throws. */
export async function sendWelcome(welcome: Welcome, env: Cloudflare.Env): Promise<void> {
  try {
    const result = await handle(welcome, env);
    if (result !== "waits") await welcomeObject(env, welcomeObjectName(welcome)).done(result);
  } catch (error) {
    logFault("a welcome mail is postponed", error);
  }
}

async function handle(welcome: Welcome, env: Cloudflare.Env): Promise<"over" | "none" | "waits"> {
  const { accountId, accountUserId } = welcome;
  const mail = await claimWelcome(env.DB, welcome, Date.now());
  if (mail === null) return "none";
  if (mail.status !== "queued") return "over";
  if (!mail.isClaimed) return "waits";
  if (!mail.isWanted) {
    await statement(env.DB, skipWelcome(welcome, NO_LONGER_WANTED, Date.now())).run();
    return "over";
  }
  const sent = await send(welcome, mail, env);
  const isOver = sent.kind !== "temporary" || mail.attempts >= MAX_ATTEMPTS;
  const attempt = {
    ...{ accountId, accountUserId, id: accountUserId },
    status: sent.kind === "sent" ? "sent" : isOver ? "failed" : "queued",
    reason: sent.kind === "sent" ? null : sent.reason,
    providerId: sent.kind === "sent" ? sent.providerId : null,
    claimedUntil:
      sent.kind === "temporary"
        ? Date.now() + Math.min(sent.retryAfterMs ?? 0, MAX_PAUSE_MS)
        : null,
  } as const;
  await statement(env.DB, recordAttempts([attempt], Date.now())).run();
  return isOver ? "over" : "waits";
}

async function send(welcome: Welcome, mail: WelcomeMail, env: Cloudflare.Env): Promise<Sent> {
  const { accountId, accountUserId } = welcome;
  // The same for every attempt at one mail; a later invitation gets another key.
  const key = `${accountUserId}:${mail.createdAt}`;
  if (!isMailSetUp(env)) return { kind: "permanent", reason: "e-mail is not set up" };
  if (mail.event === "user.invitation") {
    const subject = { accountId, recordId: accountUserId, accountUserId };
    const link = await actionLink(env, { ...subject, purpose: "invitation" }, mail.createdAt);
    if (link === null) return { kind: "permanent", reason: "the deployment has no links" };
    return sendMail(env, await invitationLetter(mail, link), key);
  }
  const password = env.OIDC_ISSUER ? null : firstPassword(env, mail.userId);
  if (password !== null) {
    const hash = await hashPassword(password, 1, passwordWork(env));
    const until = Date.now() + FIRST_PASSWORD_MS;
    await statement(env.DB, storeFirstPassword(mail.userId, hash, until)).run();
  }
  return sendMail(env, await passwordLetter(mail, password, env.PUBLIC_URL), key);
}
