// Report calculations over alerts: when they arrived, how fast they were answered, and who was
// paged at night. Hours and weeks follow a zone's wall clock.
import { DAY, HOUR, localOf, zoneOf } from "../shared/time.ts";

/** What a report covers: [from, to) in epoch ms, with the zone of its days, weeks and hours. */
export type ReportPeriod = {
  readonly from: number;
  readonly to: number;
  readonly timeZone: string;
  /** Identifiers of the teams that it is about; empty: all. */
  readonly teamIds: readonly string[];
};

/** An alert of a team; all instants epoch ms. */
export type ReportedAlert = {
  readonly id: string;
  readonly createdAt: number;
  readonly acknowledgedAt: number | null;
  readonly resolvedAt: number | null;
  /** The integration that created it; null: a person or the API. */
  readonly integrationId: string | null;
  /** The teams it was sent to; `isDropped` if nobody in the team answered. */
  readonly teams: readonly { readonly teamId: string; readonly isDropped: boolean }[];
};

/**
 * The teams of an alert's workflows, one entry per team. If a team received the alert several
 * times, it counts as dropped when any of its workflows timed out.
 */
export function teamsOfWorkflows(
  workflows: readonly { readonly teamId: string; readonly state: string }[],
): ReportedAlert["teams"] {
  return [...Map.groupBy(workflows, ({ teamId }) => teamId)].map(([teamId, group]) => ({
    teamId,
    isDropped: group.some(({ state }) => state === "timed_out"),
  }));
}

/** Statistics of durations in ms; null without values. */
export type Durations = {
  readonly count: number;
  readonly median: number | null;
  readonly ninetieth: number | null;
};

export type TeamWeek = {
  readonly teamId: string;
  /** The week's Monday, `YYYY-MM-DD`. */
  readonly week: string;
  readonly alerts: number;
  readonly dropped: number;
  readonly toAcknowledge: Durations;
  readonly toResolve: Durations;
};

/** Monday = 1. */
export type HourCount = {
  readonly weekday: number;
  readonly hour: number;
  readonly alerts: number;
};

/** The smallest value that at least a `share` of the values do not exceed; null for none. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

function durations(values: readonly (number | null)[]): Durations {
  const known = values.filter((value): value is number => value !== null);
  return {
    count: known.length,
    median: percentile(known, 0.5),
    ninetieth: percentile(known, 0.9),
  };
}

const elapsed = (from: number, at: number | null) => (at === null ? null : Math.max(0, at - from));

/** Days since 1970-01-05, a Monday. */
const mondayBased = (local: number) => Math.floor(local / DAY) - 4;

/** The Monday of a local time's week, `YYYY-MM-DD`. */
function weekOf(local: number): string {
  const monday = Math.floor(mondayBased(local) / 7) * 7 + 4;
  return new Date(monday * DAY).toISOString().slice(0, 10);
}

/** Number of alerts per hour of each weekday: all 168 hours, Monday 00:00 first. */
export function countByHour(alerts: readonly ReportedAlert[], timeZone: string): HourCount[] {
  const zone = zoneOf(timeZone);
  const counts = new Array<number>(168).fill(0);
  for (const { createdAt } of alerts) {
    const local = localOf(zone, createdAt);
    const weekday = ((mondayBased(local) % 7) + 7) % 7;
    const hour = Math.floor((local - Math.floor(local / DAY) * DAY) / HOUR);
    const at = weekday * 24 + hour;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.map((count, at) => ({
    weekday: Math.floor(at / 24) + 1,
    hour: at % 24,
    alerts: count,
  }));
}

/** The times from creation to the first acknowledgement. */
export const timesToAcknowledge = (alerts: readonly ReportedAlert[]): Durations =>
  durations(alerts.map((it) => elapsed(it.createdAt, it.acknowledgedAt)));

/** Number of alerts of each source, the loudest first; null: people and the API. */
export const countBySource = (
  alerts: readonly ReportedAlert[],
): readonly (readonly [integrationId: string | null, alerts: number])[] =>
  [...Map.groupBy(alerts, ({ integrationId }) => integrationId)]
    .map(([id, group]) => [id, group.length] as const)
    .sort(([id, one], [otherId, other]) => other - one || ((id ?? "") < (otherId ?? "") ? -1 : 1));

/** Each team's weeks with at least one alert; ordered by week, then team. */
export function weeksOfTeams(alerts: readonly ReportedAlert[], timeZone: string): TeamWeek[] {
  const zone = zoneOf(timeZone);
  const rows = alerts.flatMap((alert) =>
    alert.teams.map((team) => ({
      alert,
      team,
      key: `${weekOf(localOf(zone, alert.createdAt))} ${team.teamId}`,
    })),
  );
  return [...Map.groupBy(rows, ({ key }) => key)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, group]) => {
      const [week = "", teamId = ""] = key.split(" ");
      return {
        teamId,
        week,
        alerts: group.length,
        dropped: group.filter(({ team }) => team.isDropped).length,
        toAcknowledge: timesToAcknowledge(group.map(({ alert }) => alert)),
        toResolve: durations(group.map(({ alert }) => elapsed(alert.createdAt, alert.resolvedAt))),
      };
    });
}

/** One page to one person at an instant (epoch ms); `timeZone` decides whether it was night. */
export type ReportedPage = {
  readonly accountUserId: string;
  readonly alertId: string;
  readonly at: number;
  readonly timeZone: string;
};

const NIGHT_BEGINS = 22;
const NIGHT_ENDS = 6;

/**
 * The night of an instant, by the day on which it began; null by day. A night is from 22:00 to 06:00
 * of the local time.
 */
function nightOf(at: number, timeZone: string): number | null {
  const local = localOf(zoneOf(timeZone), at);
  const hour = Math.floor((local - Math.floor(local / DAY) * DAY) / HOUR);
  if (hour < NIGHT_BEGINS && hour >= NIGHT_ENDS) return null;
  return Math.floor((local - NIGHT_ENDS * HOUR) / DAY);
}

/** What a person was paged. */
export type PersonPages = {
  readonly pages: number;
  readonly atNight: number;
  /** The nights with at least one page. */
  readonly nights: number;
};

/** Number of pages and disturbed nights per person. One alert counts once per hour. */
export function pagesOfPeople(pages: readonly ReportedPage[]): ReadonlyMap<string, PersonPages> {
  const distinct = new Map(
    pages.map((page) => [
      `${page.accountUserId} ${page.alertId} ${Math.floor(page.at / HOUR)}`,
      page,
    ]),
  );
  const byPerson = Map.groupBy(distinct.values(), ({ accountUserId }) => accountUserId);
  return new Map(
    [...byPerson].map(([id, own]) => {
      const nights = own
        .map(({ at, timeZone }) => nightOf(at, timeZone))
        .filter((night) => night !== null);
      return [id, { pages: own.length, atNight: nights.length, nights: new Set(nights).size }];
    }),
  );
}
