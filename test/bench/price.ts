// The price of an alert: counted from its webhook through the page of one person and their
// acknowledgement to its resolution, at Cloudflare's prices of the paid plan (November 2026).
import { line } from "./measure.ts";

export type Report = {
  readonly d1: Readonly<
    Record<string, { trips: number; queries: number; rowsRead: number; rowsWritten: number }>
  >;
  readonly calls: readonly { subject: string; to: string; at: number }[];
  readonly requests: number;
  readonly objectCalls: number;
  readonly objectMs: number;
  readonly objectRows: { readonly read: number; readonly written: number };
  readonly queueBatches: number;
  readonly queueMessages: number;
};

/** Dollars per million, and the millions per month that the plan's five dollars include. */
const PRICES = {
  "worker requests": { dollars: 0.3, included: 10 },
  "object calls": { dollars: 0.15, included: 1 },
  "object GB-s": { dollars: 12.5, included: 0.4 },
  "object rows read": { dollars: 0.001, included: 25_000 },
  "object rows written": { dollars: 1, included: 50 },
  "D1 rows read": { dollars: 0.001, included: 25_000 },
  "D1 rows written": { dollars: 1, included: 50 },
  "queue operations": { dollars: 0.4, included: 1 },
} as const;

/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3;
/** An object is billed with 128 MB. */
const GIGABYTES = 0.128;

/** The billed units per alert. */
function unitsPerAlert(report: Report, alerts: number): Record<keyof typeof PRICES, number> {
  const d1 = Object.values(report.d1);
  const total = {
    // A batch of queue messages is billed as a request.
    "worker requests": report.requests + report.queueBatches,
    "object calls": report.objectCalls,
    "object GB-s": (report.objectMs / 1_000) * GIGABYTES,
    "object rows read": report.objectRows.read,
    "object rows written": report.objectRows.written,
    "D1 rows read": d1.reduce((sum, it) => sum + it.rowsRead, 0),
    "D1 rows written": d1.reduce((sum, it) => sum + it.rowsWritten, 0),
    "queue operations": report.queueMessages * OPERATIONS_PER_MESSAGE,
  };
  const each = Object.entries(total).map(([what, count]) => [what, count / alerts]);
  return Object.fromEntries(each) as Record<keyof typeof PRICES, number>;
}

/** Prints the table. */
export function priceOf(report: Report, alerts: number): void {
  console.log("\nan alert: webhook, one person paged by mail, acknowledged, resolved");
  console.log(line("what", "for one alert", "dollars for a million"));
  let [all, beyond] = [0, 0];
  for (const [what, count] of Object.entries(unitsPerAlert(report, alerts))) {
    const { dollars, included } = PRICES[what as keyof typeof PRICES];
    const price = count * dollars;
    all += price;
    beyond += Math.max(0, count - included) * dollars;
    const shown = what === "object GB-s" ? count.toFixed(4) : count.toFixed(1);
    console.log(line(what, shown, price.toFixed(2)));
  }
  console.log(line("together", "", all.toFixed(2)));
  const month = `${(beyond + 5).toFixed(2)} a month`;
  console.log(line("a million in a month, with the plan", "", month));
}
