// An admin's weekly readiness digest: when it is due, and its message.
import type { PageMessage } from "../../../domain/notifications/page.ts";
import { nextWeekly } from "../../../domain/oncall/notices/weekly.ts";
import type { Channel } from "../../../domain/people/contact.ts";
import { MESSENGERS } from "../../../domain/people/messengers.ts";
import { phoneProvidersOf } from "../../../domain/people/phone-provider.ts";
import { MAX_LISTED, readinessText } from "../../../domain/reports/readiness-text.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { all, first } from "../../../kernel/db/select.ts";
import { findUncovered } from "../../oncall/notices/find-uncovered.ts";
import { noticePage } from "../../oncall/notices/notice-page.ts";
import type { DigestWatch, WatchedPerson } from "../../rpc.ts";
import { readStandbyProblem } from "./read-readiness.ts";
import { selectDigestAdmin, selectUnwakeable } from "./rows.ts";

/** A digest that is later than this (ms) is left out. */
const MAX_LATENESS_MS = DAY;

const DAY_OF_WEEK = "monday";
const TIME_OF_DAY = "08:00";

/** The next digest after `after` (epoch ms); null if the person gets none. Throws if D1 does. */
export async function findNextReadinessDigest(
  env: Cloudflare.Env,
  { id, accountId }: WatchedPerson,
  after: number,
): Promise<DigestWatch | null> {
  const admin = await first(env.DB, selectDigestAdmin(accountId, id));
  if (admin === null) return null;
  const { timeZone } = admin;
  return {
    id,
    accountId,
    at: nextWeekly({ day: DAY_OF_WEEK, time: TIME_OF_DAY, timeZone }, after),
  };
}

/** A browser subscribes, and an address is confirmed, only where the deployment has the channel. */
const channelsOf = (env: Cloudflare.Env): ReadonlySet<Channel> =>
  new Set<Channel>([
    ...(["email", "push"] as const),
    ...MESSENGERS,
    ...(["sms", "voice"] as const).filter((channel) => phoneProvidersOf(env, channel).length > 0),
  ]);

/**
 * The message of a due digest; null if there are no problems, it is too late, or not wanted any
 * more. Throws if D1 does.
 */
export async function readinessMessage(
  env: Cloudflare.Env,
  { id, accountId, at }: DigestWatch,
  now: number,
): Promise<PageMessage | null> {
  if (now - at > MAX_LATENESS_MS) return null;
  const admin = await first(env.DB, selectDigestAdmin(accountId, id));
  if (admin === null) return null;
  const [{ uncovered }, people, standby] = await Promise.all([
    findUncovered(env.DB, accountId, now),
    all(env.DB, selectUnwakeable(accountId, channelsOf(env), MAX_LISTED + 1)),
    admin.isSetUp ? readStandbyProblem(env, accountId, now) : null,
  ]);
  const content = readinessText({ uncovered, people, standby }, admin.timeZone);
  return (
    content &&
    noticePage({
      ...{ accountId, accountUserId: id, at, event: "account.readiness" },
      effectId: `${id}:readiness:${at}`,
      sender: prefixIdOf("account_user", id),
      content,
      channels: ["email"],
    })
  );
}
