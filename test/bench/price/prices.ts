// What an alert costs at Cloudflare's list prices of the paid plan (November 2026). Pure.
import { type Report, sumRows } from "../instruments/report.ts";

/** Dollars per million, and the millions per month that the plan's five dollars include. */
export const PRICES = {
  "worker requests": { dollars: 0.3, included: 10 },
  "object calls": { dollars: 0.15, included: 1 },
  "object GB-s": { dollars: 12.5, included: 0.4 },
  "object rows read": { dollars: 0.001, included: 25_000 },
  "object rows written": { dollars: 1, included: 50 },
  "D1 rows read": { dollars: 0.001, included: 25_000 },
  "D1 rows written": { dollars: 1, included: 50 },
  "queue operations": { dollars: 0.4, included: 1 },
} as const;

/** The billed units of one alert. */
export type Units = Readonly<Record<keyof typeof PRICES, number>>;

/** The bytes that one alert leaves. */
export type Bytes = {
  /** In D1 until retirement. */
  readonly kept: number;
  /** In D1 for as long as request logs are retained. */
  readonly requestLog: number;
  /** In its object until retirement. */
  readonly object: number;
};

/** Dollars for a gigabyte in a month. */
const STORAGE = { d1: 0.75, objects: 0.2 };

/** The months of retention: 400 days, and 30 for request logs. */
const MONTHS = { alerts: 13, requestLogs: 1 };

/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3;
/** An object is billed with 128 MB. */
const GIGABYTES = 0.128;

/** Statements that remove the history of the account's records, which the run makes at its start: no alert's. */
const OF_THE_ACCOUNT = new Set(["delete changes", "delete change_schedules"]);

/** A report on retirement without what is no alert's: it would count for more, the fewer alerts there are. */
export function ofAlerts(retirement: Report): Report {
  const statements = Object.entries(retirement.statements).filter(
    ([name]) => !OF_THE_ACCOUNT.has(name),
  );
  return { ...retirement, statements: Object.fromEntries(statements) };
}

/** The billed units per alert, or per whatever else happened `times`. */
export function unitsOf(report: Report, times: number): Units {
  const [d1, objects] = [sumRows(report.statements), sumRows(report.objects)];
  return {
    // A batch of queue messages is billed as a request.
    "worker requests": (report.requests + report.queueBatches) / times,
    "object calls": report.objectCalls / times,
    "object GB-s": ((report.objectMs / 1_000) * GIGABYTES) / times,
    "object rows read": objects.read / times,
    "object rows written": objects.written / times,
    "D1 rows read": d1.read / times,
    "D1 rows written": d1.written / times,
    "queue operations": (report.queueMessages * OPERATIONS_PER_MESSAGE) / times,
  };
}

/** Dollars for a million alerts, without storage. */
export function priceOf(units: Units): number {
  return names().reduce((sum, name) => sum + units[name] * PRICES[name].dollars, 0);
}

/** Dollars for a million alerts in one month, with the plan and without storage. */
export function monthlyPriceOf(units: Units): number {
  const beyond = (name: keyof Units) => Math.max(0, units[name] - PRICES[name].included);
  return names().reduce((sum, name) => sum + beyond(name) * PRICES[name].dollars, 5);
}

/** Dollars for storing a million alerts until they are retired. */
export function storagePriceOf({ kept, requestLog, object }: Bytes): number {
  // A million alerts of one byte are a thousandth of a gigabyte.
  const gigabyteMonths = (bytes: number, months: number) => (bytes / 1_000) * months;
  return (
    STORAGE.d1 * gigabyteMonths(kept, MONTHS.alerts) +
    STORAGE.d1 * gigabyteMonths(requestLog, MONTHS.requestLogs) +
    STORAGE.objects * gigabyteMonths(object, MONTHS.alerts)
  );
}

/** What an alert costs, and at most may cost. */
export type Costs = {
  readonly "D1 rows written": number;
  readonly "object rows written": number;
  readonly "D1 rows written at retirement": number;
  readonly "D1 bytes kept": number;
  readonly "D1 bytes of the request log": number;
  readonly "object bytes after the end": number;
  readonly together: number;
  readonly "together with storage": number;
};

export const BUDGETS: Costs = {
  "D1 rows written": 14,
  "object rows written": 14,
  "D1 rows written at retirement": 4,
  "D1 bytes kept": 1_600,
  "D1 bytes of the request log": 1_000,
  "object bytes after the end": 0,
  together: 36,
  "together with storage": 55,
};

/** The costs above their budgets, as sentences. */
export function exceeded(costs: Costs): string[] {
  return (Object.keys(BUDGETS) as (keyof Costs)[])
    .filter((name) => round(costs[name]) > BUDGETS[name])
    .map((name) => `${name}: ${round(costs[name])}, more than ${BUDGETS[name]}`);
}

const round = (value: number) => Number(value.toFixed(2));

const names = () => Object.keys(PRICES) as (keyof Units)[];
