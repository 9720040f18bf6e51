// The limits of a day on Cloudflare's free plan, how much of them is used, and which work yields before they are reached,
// so that pages go on. Pure.
//
// A deployment does not count each row: that would write rows itself. It counts its alerts and messages, which are stored
// anyway, and multiplies them by what one of each uses, as `npm run bench -- --only price` counts it.
import { DAY, formatInstant, SECOND } from "./time.ts";

/** What an account of Cloudflare may use in a day, over all of its workers; it begins anew at 00:00 UTC. */
export const DAILY_LIMITS = {
  "worker requests": 100_000,
  "object calls": 100_000,
  "object GB-s": 13_000,
  "object rows read": 5_000_000,
  "object rows written": 100_000,
  "D1 rows read": 5_000_000,
  "D1 rows written": 100_000,
  "queue operations": 10_000,
} as const;

export type DailyLimit = keyof typeof DAILY_LIMITS;
export type Use = Readonly<Record<DailyLimit, number>>;

export const limitNames = Object.keys(DAILY_LIMITS) as DailyLimit[];

/**
 * What one of each uses. `alert`: its webhook, one person notified by email, acknowledged, resolved, removed. `message`:
 * to one more person. `apiCall`: a page of 25 alerts in a list. `consoleHour`: the list of alerts, connected, with 25 alerts. `idleDay`:
 * what runs on a day on which nothing happens. The bench fails if it counts more.
 */
export const USES = {
  alert: {
    ...{ "worker requests": 4, "object calls": 9.5, "object GB-s": 0.1 },
    ...{ "object rows read": 42, "object rows written": 13.5 },
    ...{ "D1 rows read": 360, "D1 rows written": 17, "queue operations": 3 },
  },
  message: {
    ...{ "worker requests": 1, "object calls": 2, "object GB-s": 0.02 },
    ...{ "object rows read": 6, "object rows written": 3 },
    ...{ "D1 rows read": 40, "D1 rows written": 4, "queue operations": 3 },
  },
  apiCall: {
    ...{ "worker requests": 1, "object calls": 0, "object GB-s": 0 },
    ...{ "object rows read": 0, "object rows written": 0 },
    ...{ "D1 rows read": 130, "D1 rows written": 0, "queue operations": 0 },
  },
  consoleHour: {
    ...{ "worker requests": 61, "object calls": 12, "object GB-s": 0 },
    ...{ "object rows read": 60, "object rows written": 7 },
    ...{ "D1 rows read": 25_000, "D1 rows written": 3, "queue operations": 0 },
  },
  idleDay: {
    ...{ "worker requests": 288, "object calls": 0, "object GB-s": 0 },
    ...{ "object rows read": 0, "object rows written": 0 },
    ...{ "D1 rows read": 75_000, "D1 rows written": 0, "queue operations": 0 },
  },
} as const satisfies Readonly<Record<string, Use>>;

/** Whether a deployment is on the free plan. On any other, nothing here acts. */
export const isOnFreePlan = ({ CLOUDFLARE_PLAN }: { readonly CLOUDFLARE_PLAN?: string }): boolean =>
  CLOUDFLARE_PLAN === "free";

/** Each product, as one use. */
export function sumUses(parts: readonly (readonly [use: Use, times: number])[]): Use {
  const total = (limit: DailyLimit) => parts.reduce((sum, [use, n]) => sum + use[limit] * n, 0);
  return Object.fromEntries(limitNames.map((limit) => [limit, total(limit)])) as Use;
}

/** What a day has had so far. */
export type DayCounts = { readonly alerts: number; readonly messages: number };

/** Midnight UTC before an instant (epoch ms). */
export const startOfDay = (now: number): number => Math.floor(now / DAY) * DAY;
/** Midnight UTC after it (epoch ms). */
const endOfDay = (now: number): number => startOfDay(now) + DAY;

/** The estimated use of the day until `now` (epoch ms). An alert's first message is part of it. */
export function estimateUse({ alerts, messages }: DayCounts, now: number): Use {
  return sumUses([
    [USES.idleDay, (now - startOfDay(now)) / DAY],
    [USES.alert, alerts],
    [USES.message, Math.max(0, messages - alerts)],
  ]);
}

/**
 * The work that yields to pages: the removal of old records, live updates of open consoles, reports, and the logs of
 * requests.
 */
export const WORK = ["removal", "live", "reports", "logs"] as const;
export type Work = (typeof WORK)[number];

/** The limits that a kind of work uses: it yields to those alone. */
const USED_BY: Readonly<Record<Work, readonly DailyLimit[]>> = {
  removal: ["D1 rows written", "D1 rows read", "object calls"],
  live: ["object calls", "object rows written", "D1 rows read", "worker requests"],
  reports: ["D1 rows read"],
  logs: ["D1 rows written"],
};

/** The shares of a limit (percent): from which each kind of work yields, and from which admins are told. */
export type Shares = Readonly<Record<Work | "warning", number>>;

export const DEFAULT_SHARES: Shares = { removal: 50, live: 60, reports: 70, logs: 80, warning: 80 };

/** Parses shares as in `live 60, reports 70`. What is not named, or not a number from 0 to 100, has its default. */
export function parseShares(text: string | undefined): Shares {
  const given = (text ?? "").split(",").map((part) => part.trim().split(/\s+/));
  const shareOf = (name: keyof Shares): number => {
    const [, percent = ""] = given.find(([named]) => named === name) ?? [];
    const share = percent === "" ? Number.NaN : Number(percent);
    return share >= 0 && share <= 100 ? share : DEFAULT_SHARES[name];
  };
  const names = Object.keys(DEFAULT_SHARES) as (keyof Shares)[];
  return Object.fromEntries(names.map((name) => [name, shareOf(name)])) as Shares;
}

/** The day as it stands. */
export type DayLimits = {
  /** The limit that ends first, and the whole percent of it that is used: 100 where the platform said so. */
  readonly nearest: { readonly limit: DailyLimit; readonly percent: number };
  /** The limits of which Cloudflare has said that they are used up. */
  readonly usedUp: readonly DailyLimit[];
  readonly yielding: readonly Work[];
  /** Whether admins are told. */
  readonly isNear: boolean;
  /** When it ends (epoch ms). */
  readonly endsAt: number;
};

/** Decides what yields. `usedUp`: as the platform has said today. `now` in epoch ms. */
export function decideDay(
  counts: DayCounts,
  usedUp: readonly DailyLimit[],
  shares: Shares,
  now: number,
): DayLimits {
  const use = estimateUse(counts, now);
  const percentOf = (limit: DailyLimit) =>
    usedUp.includes(limit) ? 100 : Math.min(99, (use[limit] / DAILY_LIMITS[limit]) * 100);
  const yielding = WORK.filter((work) =>
    USED_BY[work].some((limit) => percentOf(limit) >= shares[work]),
  );
  const [limit = "D1 rows written"] = limitNames.toSorted((a, b) => percentOf(b) - percentOf(a));
  const percent = Math.floor(percentOf(limit));
  const isNear = yielding.length > 0 || percent >= shares.warning;
  return { nearest: { limit, percent }, usedUp, yielding, isNear, endsAt: endOfDay(now) };
}

/** A sender asks again at least this often (seconds): the plan may be changed before the day ends. */
const MAX_RETRY_SECONDS = 300;

/** When a client repeats what a used-up limit refused (seconds). */
export const retryAfterUsedUp = (now: number): number =>
  Math.min(MAX_RETRY_SECONDS, Math.ceil((endOfDay(now) - now) / SECOND));

/** The limits as the API shows them. */
export const showDayLimits = ({ nearest, usedUp, yielding, endsAt }: DayLimits) => ({
  nearest: nearest.limit,
  used_percent: nearest.percent,
  used_up: usedUp,
  paused: yielding,
  resets_at: formatInstant(endsAt),
});
