// What a connected page of the console costs in an hour, at list price. Pure.
import { type Report, sumRows } from "../instruments/report.ts";
import { priceOf, type Units, unitsOf } from "../price/prices.ts";
import type { IdleHour } from "./idle-hour.ts";

/** So many WebSocket messages that an object receives are billed as one request. */
const MESSAGES_PER_REQUEST = 20;
const HOURS_OF_MONTH = 730;

/** What an idle page costs in an hour, and at most may cost. */
export type Costs = {
  readonly "requests per hour": number;
  readonly "D1 rows read per hour": number;
  readonly "D1 rows written per hour": number;
  readonly "object rows written per hour": number;
  readonly "object calls and alarms per hour": number;
  readonly "connections per hour, beyond the first": number;
};

/** A page polls once a minute while it is connected; every ten minutes its session is checked. */
export const BUDGETS: Costs = {
  "requests per hour": 61,
  "D1 rows read per hour": 40_000,
  "D1 rows written per hour": 4,
  "object rows written per hour": 20,
  "object calls and alarms per hour": 12,
  "connections per hour, beyond the first": 0,
};

export function costsOf({ report, reconnections }: IdleHour): Costs {
  const [d1, objects] = [sumRows(report.statements), sumRows(report.objects)];
  return {
    "requests per hour": report.requests,
    "D1 rows read per hour": d1.read,
    "D1 rows written per hour": d1.written,
    "object rows written per hour": objects.written,
    "object calls and alarms per hour": report.objectCalls,
    "connections per hour, beyond the first": reconnections,
  };
}

/** The costs of a page above their budgets, as sentences. */
export const exceeded = (path: string, costs: Costs): string[] =>
  costNames
    .filter((name) => costs[name] > BUDGETS[name])
    .map((name) => `idle ${path}: ${name}: ${costs[name]}, more than ${BUDGETS[name]}`);

export const costNames = Object.keys(BUDGETS) as (keyof Costs)[];

/** The billed units of an hour. A socket that hibernates has no duration. */
function unitsOfHour({ report, messages }: { report: Report; messages: number }): Units {
  const units = unitsOf(report, 1);
  return { ...units, "object calls": units["object calls"] + messages / MESSAGES_PER_REQUEST };
}

/** Dollars for a thousand connected hours. */
export const priceOfThousandHours = (hour: IdleHour): number => priceOf(unitsOfHour(hour)) / 1_000;

/** Dollars for a page that is open and connected all month. */
export const priceOfMonth = (hour: IdleHour): number =>
  (priceOfThousandHours(hour) / 1_000) * HOURS_OF_MONTH;
