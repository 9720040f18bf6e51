// Drills through a standby: when one is due, and whether the last ones prove that it pages. Pure.

import { weekday } from "../shared/calendar.ts";
import { DAY, HOUR, instantOf, localOf, zoneOf } from "../shared/time.ts";
import type { StandbyOrder } from "./standby.ts";

/** In the order in which a drill has them; the last three are ends. */
export const STANDBY_DRILL_STATUSES = [
  "starting",
  "running",
  "acknowledged",
  "not_acknowledged",
  "failed",
] as const;
type StandbyDrillStatus = (typeof STANDBY_DRILL_STATUSES)[number];

/** A drill of an account's team by a standby. Instants in epoch ms. */
export type StandbyDrill = {
  readonly accountId: string;
  /** Of the alert at the standby, which is gone once the drill is over. */
  readonly alertId: string;
  /** Which request it answers, by the clock of the primary. */
  readonly dueAt: number;
  /** The admin who asked for it (an account user); null: it was due. */
  readonly byId: string | null;
  /** How many drills of the account this standby had before: each is of the next team. */
  readonly number: number;
  readonly status: StandbyDrillStatus;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Null: not yet, or nobody is on call in any. */
  readonly teamId: string | null;
  /** An account user. */
  readonly acknowledgedById: string | null;
};

/** By which means: what it saw itself, `npm run standby`, the link of a message, or an SMS. */
export const STANDBY_DEED_MEANS = ["itself", "command", "link", "sms"] as const;

/** That a standby took over or stood down, and by whom. `at` in epoch ms. */
export type StandbyDeed = {
  readonly at: number;
  readonly order: StandbyOrder;
  readonly by: (typeof STANDBY_DEED_MEANS)[number];
  /** The admin, of the account. */
  readonly accountId: string | null;
  readonly accountUserId: string | null;
};

/** A standby, as its primary knows it. Instants in epoch ms. */
export type KnownStandby = {
  /** Drawn by the standby. */
  readonly id: string;
  readonly url: string | null;
  /** When it came first and last. */
  readonly firstAt: number;
  readonly seenAt: number;
  /** Whether it has taken over, as it said last. */
  readonly active: boolean;
  /** The last drill of each account. */
  readonly drills: readonly StandbyDrill[];
  /** Its last deeds, the latest first. */
  readonly deeds: readonly StandbyDeed[];
};

/** What a standby says of itself when it comes. */
export type StandbyCard = Omit<KnownStandby, "firstAt" | "seenAt">;

/** An admin's request for a drill. `at` in epoch ms. */
export type DrillRequest = {
  readonly accountId: string;
  readonly at: number;
  readonly byId: string;
};

/** What a primary tells a standby to drill. */
export type DueDrill = Pick<StandbyDrill, "accountId" | "dueAt" | "byId">;

/** An account that is drilled each month. */
export type DrilledAccount = { readonly id: string; readonly timeZone: string };

/** A month, and how much later there is still no fault (ms). */
const MONTH = 30 * DAY;
const OVERDUE = 40 * DAY;
/** The hours of a working day in which a drill begins by itself. */
const FIRST_HOUR = 10;
const LAST_HOUR = 16;
/** Another standby of the same primary waits so long (ms). */
const APART = DAY;
/** What a standby never said the end of has failed (ms). */
const LONGEST = 2 * HOUR;
/** An admin's request that no standby has taken is over (ms). */
const REQUEST_LASTS = DAY;
/** A standby that has not come for so long is none any more, beside another one (ms). */
const FORGOTTEN = DAY;

export const isUnderWay = ({ status }: Pick<StandbyDrill, "status">): boolean =>
  status === "starting" || status === "running";

const drillOf = ({ drills }: KnownStandby, accountId: string) =>
  drills.find((it) => it.accountId === accountId);

const isBusy = (standby: KnownStandby, accountId: string, now: number): boolean => {
  const drill = drillOf(standby, accountId);
  return drill !== undefined && isUnderWay(drill) && now - drill.startedAt < LONGEST;
};

/** The beginning of today's hours (epoch ms); null: it is not within them, or no working day. */
function hoursToday(timeZone: string, now: number): number | null {
  const zone = zoneOf(timeZone);
  const local = localOf(zone, now);
  const day = Math.floor(local / DAY);
  const ofDay = local - day * DAY;
  // Sunday is 0.
  const isWorkingDay = ![0, 6].includes(weekday(day));
  const isWithin = ofDay >= FIRST_HOUR * HOUR && ofDay < LAST_HOUR * HOUR;
  return isWorkingDay && isWithin ? instantOf(zone, day * DAY + FIRST_HOUR * HOUR) : null;
}

/** Whether an admin's request still waits for this standby. One that is older than the standby was for others. */
const waitsFor = ({ at, accountId }: DrillRequest, standby: KnownStandby, now: number): boolean =>
  at > (drillOf(standby, accountId)?.dueAt ?? standby.firstAt - 1) && now - at < REQUEST_LASTS;

/**
 * What a standby is to drill now. Each standby is drilled by itself, one after the other: what an admin asked for,
 * and each account 30 days after its last drill, on a working day from 10:00 to 16:00.
 */
export function dueDrills(
  accounts: readonly DrilledAccount[],
  requests: readonly DrillRequest[],
  standbys: readonly KnownStandby[],
  standby: KnownStandby,
  now: number,
): readonly DueDrill[] {
  const others = standbys.filter(({ id }) => id !== standby.id);
  const isFree = (accountId: string) =>
    ![...others, standby].some((it) => isBusy(it, accountId, now));
  const asked = requests
    .filter((it) => isFree(it.accountId) && waitsFor(it, standby, now))
    .map(({ accountId, at, byId }) => ({ accountId, dueAt: at, byId }));
  const monthly = accounts.flatMap(({ id, timeZone }) => {
    const dueAt = hoursToday(timeZone, now);
    if (dueAt === null || !isFree(id) || asked.some(({ accountId }) => accountId === id)) return [];
    const isNew = dueAt - (drillOf(standby, id)?.dueAt ?? 0) >= MONTH;
    const isApart = others.every((it) => now - (drillOf(it, id)?.startedAt ?? 0) >= APART);
    return isNew && isApart ? [{ accountId: id, dueAt, byId: null }] : [];
  });
  return [...asked, ...monthly];
}

/** When an admin asked for an account's drill that a standby has not started yet (epoch ms); null: nobody did. */
export const drillRequestedAt = (
  requests: readonly DrillRequest[],
  standbys: readonly KnownStandby[],
  accountId: string,
  now: number,
): number | null =>
  requests.find(
    (it) =>
      it.accountId === accountId &&
      (standbys.length === 0
        ? now - it.at < REQUEST_LASTS
        : standbys.some((standby) => waitsFor(it, standby, now))),
  )?.at ?? null;

/** Whether an account's drill was asked for or goes on, at any standby. */
export const isDrillPending = (
  requests: readonly DrillRequest[],
  standbys: readonly KnownStandby[],
  accountId: string,
  now: number,
): boolean =>
  standbys.some((it) => isBusy(it, accountId, now)) ||
  drillRequestedAt(requests, standbys, accountId, now) !== null;

/** The standbys after one has come: what it says of itself replaces what was known. */
export function afterVisit(
  standbys: readonly KnownStandby[],
  card: StandbyCard,
  now: number,
): readonly KnownStandby[] {
  const known = standbys.find((it) => it.id === card.id);
  const others = standbys.filter((it) => it.id !== card.id && now - it.seenAt < FORGOTTEN);
  return [...others, { ...card, firstAt: known?.firstAt ?? now, seenAt: now }];
}

/** Why an account's last drill proves nothing. */
export const STANDBY_PROBLEMS = ["not_drilled", "not_acknowledged", "failed"] as const;
export type StandbyProblem = (typeof STANDBY_PROBLEMS)[number];

/** What is wrong with the drills of an account, the gravest of its standbys; null: they prove that each pages. */
export function standbyProblem(
  standbys: readonly KnownStandby[],
  accountId: string,
  now: number,
): StandbyProblem | null {
  if (standbys.length === 0) return "not_drilled";
  const problems = standbys.map((standby): StandbyProblem | null => {
    const drill = drillOf(standby, accountId);
    if (drill === undefined) return now - standby.firstAt > OVERDUE ? "not_drilled" : null;
    if (isBusy(standby, accountId, now)) return null;
    if (isUnderWay(drill) || drill.status === "failed") return "failed";
    if (drill.status === "not_acknowledged") return "not_acknowledged";
    return now - drill.startedAt > OVERDUE ? "not_drilled" : null;
  });
  return STANDBY_PROBLEMS.findLast((it) => problems.includes(it)) ?? null;
}
