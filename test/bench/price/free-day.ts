// A day on Cloudflare's free plan: what fits into its limits, and which of them ends first. Pure, but for what it prints.
import {
  DAILY_LIMITS,
  type DailyLimit,
  limitNames,
  sumUses,
  USES,
  type Use,
} from "../../../src/domain/shared/daily-limits.ts";
import { BUDGETS } from "../console/prices.ts";
import type { Report } from "../instruments/report.ts";
import { line } from "../measure.ts";
import { ofAlerts, type Units, unitsOf } from "./prices.ts";

/** The idle deployment of the table: ten people, and so many consoles open all day. */
const OPEN_CONSOLES = 2;
const HOURS = 24;
/** How often the cron runs in a day on the free plan. */
const CRON_RUNS = 288;

export type Row = {
  readonly what: string;
  readonly fits: number;
  /** The limit that ends first. */
  readonly limit: DailyLimit;
};

/** What is left of the limits of a day after what is used. */
const leftAfter = (use: Use): Use =>
  Object.fromEntries(
    limitNames.map((limit) => [limit, Math.max(0, DAILY_LIMITS[limit] - use[limit])]),
  ) as Use;

/** How many of a use fit, and the limit that ends them. `without`: limits that do not end it. */
function fitting(left: Use, use: Use, without: readonly DailyLimit[] = []): Omit<Row, "what"> {
  const counts = limitNames
    .filter((limit) => use[limit] > 0 && !without.includes(limit))
    .map((limit) => ({ limit, fits: Math.floor(left[limit] / use[limit]) }));
  return counts.toSorted((a, b) => a.fits - b.fits)[0] ?? { limit: "worker requests", fits: 0 };
}

/** What an idle day of the deployment uses. */
export const idleDay = (uses: typeof USES | Uses): Use =>
  sumUses([
    [uses.idleDay, 1],
    [uses.consoleHour, OPEN_CONSOLES * HOURS],
  ]);

export type Uses = Readonly<Record<keyof typeof USES, Use>>;

/** The table: each row alone, beside the idle day. */
export function dayOnFreePlan(uses: Uses): readonly Row[] {
  const left = leftAfter(idleDay(uses));
  const consoles = fitting(leftAfter(uses.idleDay), sumUses([[uses.consoleHour, HOURS]]));
  return [
    { what: "alerts, each with one message, through the queue", ...fitting(left, uses.alert) },
    {
      what: "alerts, when messages go without the queue",
      ...fitting(left, uses.alert, ["queue operations"]),
    },
    { what: "messages beyond one for each alert", ...fitting(left, uses.message) },
    { what: "calls of the API (a list of 25 alerts)", ...fitting(left, uses.apiCall) },
    { what: "consoles open all day, and nothing else", ...consoles },
  ];
}

const shown = new Intl.NumberFormat("en");

/** The table in Markdown, as the README has it. */
export const tableOf = (rows: readonly Row[]): readonly string[] => [
  "| A day on the free plan, beside two open consoles | Fit | First to end |",
  "|---|---|---|",
  ...rows.map(({ what, fits, limit }) => `| ${what} | ${shown.format(fits)} | ${limit} |`),
];

/** The share of each limit that the idle day uses, in Markdown, as the manual has it. */
export const idleTableOf = (uses: Uses): readonly string[] => [
  "| Limit of a day | Cloudflare's free plan | An idle day |",
  "|---|---|---|",
  ...limitNames.map((limit) => {
    const used = Math.round(idleDay(uses)[limit]);
    const percent = ((used / DAILY_LIMITS[limit]) * 100).toFixed(1);
    return `| ${limit} | ${shown.format(DAILY_LIMITS[limit])} | ${shown.format(used)} (${percent} %) |`;
  }),
];

type Counted = {
  readonly life: Report;
  readonly lives: number;
  readonly retirement: Report;
  readonly retirements: number;
  readonly listing: Report;
  readonly cron: Report;
  readonly calls: number;
};

const scaled = (units: Units, times: number): Use => sumUses([[units, times]]);

/** The uses as they were counted in this run. Of a message, what D1 counted for the consumer; of consoles, their budget. */
export function countedUses(counted: Counted): Uses {
  const { life, lives, retirement, retirements, listing, cron, calls } = counted;
  const alert = sumUses([
    [unitsOf(life, lives), 1],
    [unitsOf(ofAlerts(retirement), retirements), 1],
  ]);
  const consumer = life.d1.consumer ?? { rowsRead: 0, rowsWritten: 0 };
  const run = unitsOf(cron, calls);
  return {
    alert,
    message: {
      ...USES.message,
      "D1 rows read": consumer.rowsRead / lives,
      "D1 rows written": consumer.rowsWritten / lives,
      "queue operations": alert["queue operations"],
    },
    apiCall: unitsOf(listing, calls),
    consoleHour: {
      ...USES.consoleHour,
      "worker requests": Math.min(
        USES.consoleHour["worker requests"],
        BUDGETS["requests per hour"],
      ),
    },
    // A run of the cron is a request, which the bench does not count: it has no schedule.
    idleDay: { ...scaled(run, CRON_RUNS), "worker requests": CRON_RUNS },
  };
}

/** Prints the table of this run; returns what the code, from which the worker estimates, states too low. */
export function printFreeDay(uses: Uses): string[] {
  console.log(
    `\n${line("a day on the free plan, beside two open consoles", "fit", "first to end")}`,
  );
  for (const { what, fits, limit } of dayOnFreePlan(uses)) {
    console.log(line(what, shown.format(fits), limit));
  }
  console.log(`\n${line("an idle day: cron, and two consoles", "uses", "of the limit")}`);
  for (const limit of limitNames) {
    const used = idleDay(uses)[limit];
    const percent = `${((used / DAILY_LIMITS[limit]) * 100).toFixed(1)} %`;
    console.log(line(limit, shown.format(Math.round(used)), percent));
  }
  return understated(uses);
}

/** The time that objects are awake depends on the machine: it is stated, and not compared. */
const compared = limitNames.filter((limit) => limit !== "object GB-s");

/** The uses that were counted above what `daily-limits.ts` states, as sentences. */
export const understated = (counted: Uses): string[] =>
  (Object.keys(USES) as (keyof Uses)[]).flatMap((kind) =>
    compared
      .filter((limit) => counted[kind][limit] > USES[kind][limit])
      .map(
        (limit) =>
          `USES.${kind}: ${limit}: ${counted[kind][limit].toFixed(3)}, more than ${USES[kind][limit]}`,
      ),
  );
