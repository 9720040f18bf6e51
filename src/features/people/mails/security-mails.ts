// Consumer of security mails: reads a person's notices, sends one mail per address and deletes the
// sent ones. A message is only a wake-up and is never retried; the person's object repeats it.
import { createHash } from "node:crypto";
import type { StoredNotice } from "../../../domain/access/security-notice.ts";
import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { isMailSetUp } from "../../../products/mail/mail-provider.ts";
import { deleteNotices, readNotices } from "../../access/sessions/security-notice-rows.ts";
import { securityMailObject } from "../../stubs.ts";
import { sendMail } from "../channels/mail-services.ts";
import { securityLetter } from "./security-mail.ts";

/** A notice is given up after this time (ms). */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/** Sends the security mails of one person. Never throws. */
export async function sendSecurityMail(userId: string, env: Cloudflare.Env): Promise<void> {
  try {
    const object = securityMailObject(env, userId);
    const version = await object.take();
    if (version !== null) await object.done(version, await sendNotices(userId, env));
  } catch (error) {
    logFault("a security mail is postponed", error);
  }
}

async function sendNotices(
  userId: string,
  env: Cloudflare.Env,
): Promise<"sent" | "none" | "waits"> {
  const notices = await readNotices(env.DB, userId);
  if (notices.length === 0) return "none";
  let waits = false;
  for (const [to, group] of Map.groupBy(notices, (notice) => notice.to)) {
    if (await sendToAddress(to, group, env)) {
      await statement(env.DB, deleteNotices(group.map(({ id }) => id))).run();
    } else waits = true;
  }
  return waits ? "waits" : "sent";
}

/** Sends the mail of one address. Returns false if it must be retried. */
async function sendToAddress(
  to: string,
  notices: readonly StoredNotice[],
  env: Cloudflare.Env,
): Promise<boolean> {
  const letter = await securityLetter(to, notices, env.PUBLIC_URL);
  const ids = notices.map(({ id }) => id).join();
  const id = createHash("sha256").update(`${to} ${ids}`).digest("base64url").slice(0, 26);
  const sent = isMailSetUp(env)
    ? await sendMail(env, letter, id)
    : ({ kind: "permanent", reason: "e-mail is not set up" } as const);
  if (sent.kind === "sent") return true;
  const { kind, reason } = sent;
  console.warn({ message: "a security mail was not sent", kind, reason });
  return kind === "permanent" || Date.now() - (notices[0]?.at ?? 0) > GIVE_UP_AFTER_MS;
}
