// Counts how much of the day's limits of Cloudflare's free plan is used, and mails admins once a day when a limit is near.
import { createHash } from "node:crypto";
import { describeEffects, describeUse } from "../../../domain/operations/limit-words.ts";
import { type DayLimits, isOnFreePlan, startOfDay } from "../../../domain/shared/daily-limits.ts";
import { MINUTE } from "../../../domain/shared/time.ts";
import { joinUrl } from "../../../domain/shared/urls.ts";
import { decideStored, reportUsedUp, selectDay } from "../../../kernel/db/daily-use.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { usedUpLimit } from "../../../kernel/db/outage.ts";
import { all, batch, first } from "../../../kernel/db/select.ts";
import { formatMinute } from "../../../products/mail/mail.ts";
import { isMailSetUp, type Letter } from "../../../products/mail/mail-provider.ts";
import { sendMail } from "../../people/channels/mail-services.ts";
import { ACCESS_MAIL_DEFAULTS, renderLetter } from "../../people/mails/welcome-mail.ts";
import {
  addToDay,
  claimMail,
  countableTo,
  releaseMail,
  selectAdminAddresses,
  selectNewAlerts,
  selectNewMessages,
} from "./day-rows.ts";

/** What is younger is counted the next time (ms): rows may still be inserted among it. */
const LAG_MS = MINUTE;

/** Reads the day, and counts and stores what is new: one written row, or none if nothing is. */
async function count(env: Cloudflare.Env, now: number): Promise<DayLimits> {
  const today = startOfDay(now);
  const stored = await first(env.DB, selectDay());
  const isToday = stored?.day === today;
  const after = (isToday && stored.countedTo) || countableTo(today);
  const to = countableTo(Math.max(today, now - LAG_MS));
  const [[alerts], [messages]] = await batch(env.DB, [
    selectNewAlerts(after, to),
    selectNewMessages(after, to),
  ]);
  const added = { alerts: alerts?.total ?? 0, messages: messages?.total ?? 0 };
  if (added.alerts + added.messages > 0) {
    await batch(env.DB, addToDay(today, added, to));
  }
  const counted = isToday
    ? {
        ...stored,
        alerts: stored.alerts + added.alerts,
        messages: stored.messages + added.messages,
      }
    : { day: today, ...added, countedTo: to, usedUp: [], told: false };
  return decideStored(env, counted, now);
}

/** The mail to one admin. `publicUrl` is empty if it is not configured. */
function limitsLetter(to: string, limits: DayLimits, publicUrl: string): Promise<Letter> {
  const use = describeUse(limits);
  const manual = publicUrl === "" ? null : joinUrl(publicUrl, "/docs/free-plan");
  return renderLetter(to, {
    ...ACCESS_MAIL_DEFAULTS,
    subject: `Cloudflare's free plan: ${use}`,
    preview: describeEffects(limits).join(" "),
    badge: "Daily limits",
    heading: use,
    paragraphs: [
      ...describeEffects(limits),
      `The limits begin anew at ${formatMinute(limits.endsAt)}. On the Workers paid plan there are none.`,
    ],
    facts: [],
    buttons: manual === null ? [] : [{ label: "The free plan in the manual", url: manual }],
    footer: ["You get this mail at most once a day, as an admin."],
  });
}

/** Mails admins, unless that was done today. */
async function tellAdmins(env: Cloudflare.Env, limits: DayLimits, now: number): Promise<void> {
  const today = startOfDay(now);
  if (!isMailSetUp(env)) return;
  const [, claimed] = await batch(env.DB, claimMail(today));
  if (claimed.length === 0) return;
  const addresses = await all(env.DB, selectAdminAddresses());
  const sent = await Promise.all(
    addresses.map(async ({ email }) => {
      const id = createHash("sha256").update(`limits ${today} ${email}`).digest("base64url");
      return sendMail(env, await limitsLetter(email, limits, env.PUBLIC_URL), id.slice(0, 26));
    }),
  );
  if (sent.some(({ kind }) => kind === "sent")) return;
  console.warn({ message: "no admin was told that a daily limit is near", reasons: sent });
  await batch(env.DB, releaseMail(today));
}

/**
 * Counts the day, and tells admins if a limit is near. Never throws. Null on the paid plan, where nothing is read, and if it
 * could not be counted. `now` in epoch ms.
 */
export async function countDay(env: Cloudflare.Env, now: number): Promise<DayLimits | null> {
  if (!isOnFreePlan(env)) return null;
  try {
    const limits = await count(env, now);
    if (limits.isNear) await tellAdmins(env, limits, now);
    return limits;
  } catch (error) {
    logFault("the day's use could not be counted", error);
    const limit = usedUpLimit(error);
    if (limit !== null) await reportUsedUp(env, limit, now);
    return limit === null ? null : decideStored(env, null, now);
  }
}
