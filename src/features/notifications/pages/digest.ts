// A person's weekly digest: when it is due, and its message.
import type { PageMessage } from "../../../domain/notifications/page.ts";
import { DIGEST_WINDOW_MS, shiftsOfWeek } from "../../../domain/oncall/notices/digest.ts";
import { digestText } from "../../../domain/oncall/notices/notice-text.ts";
import { nextWeekly } from "../../../domain/oncall/notices/weekly.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { noticePage } from "../../oncall/notices/notice-page.ts";
import { readNoticeRecipients } from "../../oncall/notices/notice-recipient-rows.ts";
import { readPersonSchedules } from "../../oncall/notices/person-shift-rows.ts";
import type { DigestWatch, WatchedPerson } from "../../rpc.ts";

/** A digest that is later than this (ms) is left out. */
const MAX_LATENESS_MS = DAY;

/** The next digest after `after` (epoch ms); null if the person gets none. Throws if D1 does. */
export async function findNextDigest(
  env: Cloudflare.Env,
  { id, accountId }: WatchedPerson,
  after: number,
): Promise<DigestWatch | null> {
  const person = (await readNoticeRecipients(env.DB, accountId, [id])).get(id);
  if (!person?.shiftDigestDay) return null;
  const { shiftDigestDay: day, shiftDigestTimeOfDay: time, timeZone } = person;
  return { id, accountId, at: nextWeekly({ day, time, timeZone }, after) };
}

/** The message of a due digest; null if it is too late, or not wanted any more. Throws if D1 does. */
export async function digestMessage(
  env: Cloudflare.Env,
  { id, accountId, at }: DigestWatch,
  now: number,
): Promise<PageMessage | null> {
  const person = (await readNoticeRecipients(env.DB, accountId, [id])).get(id);
  if (!person?.shiftDigestDay || now - at > MAX_LATENESS_MS) return null;
  const schedules = await readPersonSchedules(env.DB, accountId, id, at);
  const week = { from: at, to: at + DIGEST_WINDOW_MS, zone: person.timeZone };
  return noticePage({
    ...{ accountId, accountUserId: id, at, event: "oncall.digest" },
    effectId: `${id}:digest:${at}`,
    sender: prefixIdOf("account_user", id),
    content: digestText(shiftsOfWeek(schedules, id, at), week),
    channels: ["email", "push"],
  });
}
