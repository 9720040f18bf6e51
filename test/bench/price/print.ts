// Prints what an alert costs: rows by name of statement, bytes by table, and the price.
import { type Report, type Rows, sumRows } from "../instruments/report.ts";
import { line } from "../measure.ts";
import type { ObjectSizes } from "./bytes.ts";
import type { Growth } from "./growth.ts";
import {
  BUDGETS,
  type Costs,
  monthlyPriceOf,
  PRICES,
  priceOf,
  storagePriceOf,
  type Units,
  unitsOf,
} from "./prices.ts";

type Counted = {
  readonly life: Report;
  /** Number of alerts whose life was counted. */
  readonly lives: number;
  readonly retirement: Report;
  readonly retirements: number;
  readonly growth: readonly Growth[];
  /** What the alerts' objects store after the end, and after retirement. */
  readonly objects: ObjectSizes;
  readonly retiredObjects: ObjectSizes;
};

/** Rows per alert below which a statement is not printed by itself. */
const INSIGNIFICANT = 0.005;
/** Number of tables and indexes that are printed. */
const TREES = 12;

/** Prints the section; returns the costs. */
export function printPrice(counted: Counted): Costs {
  const { life, lives, retirement, retirements, growth, objects, retiredObjects } = counted;
  printRows(`D1, ${lives} lives`, life.statements, lives);
  printRows(`objects, ${lives} lives`, life.objects, lives);
  printRows(`D1, ${retirements} retirements`, retirement.statements, retirements);
  printRows(`objects, ${retirements} retirements`, retirement.objects, retirements);
  printGrowth(growth);

  const [lived, gone] = [unitsOf(life, lives), unitsOf(retirement, retirements)];
  const units = Object.fromEntries(
    namesOf(PRICES).map((name) => [name, lived[name] + gone[name]]),
  ) as Units;
  const sum = (of: "kept" | "requestLog") => growth.reduce((total, it) => total + it[of], 0);
  const bytes = {
    ...{ kept: sum("kept"), requestLog: sum("requestLog") },
    object: objects.bytes / retirements,
  };
  const together = priceOf(units);
  const costs: Costs = {
    "D1 rows written": lived["D1 rows written"],
    "object rows written": lived["object rows written"],
    "D1 rows written at retirement": gone["D1 rows written"],
    "D1 bytes kept": bytes.kept,
    "D1 bytes of the request log": bytes.requestLog,
    "object bytes after the end": bytes.object,
    together,
    "together with storage": together + storagePriceOf(bytes),
  };
  console.log("\nan alert: webhook, one person paged by mail, acknowledged, resolved, retired");
  console.log(line("what", "for one alert", "dollars for a million"));
  for (const name of namesOf(PRICES)) {
    const shown = units[name].toFixed(name === "object GB-s" ? 4 : 1);
    console.log(line(name, shown, (units[name] * PRICES[name].dollars).toFixed(2)));
  }
  const month = `${monthlyPriceOf(units).toFixed(2)} a month`;
  console.log(line("a million in a month, with the plan", month, "(printed)"));
  const trips = Object.entries(life.d1).map(([who, it]) => [who, it.trips / lives] as const);
  const shownTrips = trips.map(([who, count]) => `${who} ${count.toFixed(2)}`).join(", ");
  const allTrips = trips.reduce((sum, [, count]) => sum + count, 0);
  console.log(line("D1 round trips of a life", allTrips.toFixed(2), shownTrips));
  const simulated = sumRows(life.simulator).written / lives;
  console.log(line("rows of the local simulator, not billed", simulated.toFixed(2), "(printed)"));
  const unemptied = `${objects.stored} of ${objects.objects}`;
  console.log(line("alert objects that are not empty after the end", unemptied, "0"));
  const unretired = `${retiredObjects.stored} of ${retiredObjects.objects}`;
  console.log(line("alert objects that are not empty after retirement", unretired, "0"));
  console.log("");
  for (const name of namesOf(BUDGETS)) {
    const unit = name.includes("bytes") ? "" : name.startsWith("together") ? "$" : "";
    const shown = unit + costs[name].toFixed(name.includes("bytes") ? 0 : 2);
    console.log(line(name, shown, `<= ${unit}${BUDGETS[name]}`));
  }
  return costs;
}

function printRows(title: string, counts: Readonly<Record<string, Rows>>, alerts: number): void {
  console.log(`\n${line(`${title}: rows written for one alert`, "written", "runs, rows read")}`);
  const per = (count: number) => (count / alerts).toFixed(2);
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b.written - a.written);
  for (const [name, { runs, read, written }] of sorted) {
    if (written / alerts < INSIGNIFICANT) continue;
    console.log(line(`  ${name}`, per(written), `${per(runs)}, ${per(read)}`));
  }
  const { runs, read, written } = sumRows(counts);
  console.log(line("  all, reads too", per(written), `${per(runs)}, ${per(read)}`));
}

function printGrowth(growth: readonly Growth[]): void {
  console.log(`\n${line("D1 bytes of one alert, by table and index", "kept", "request log")}`);
  for (const { name, kept, requestLog } of growth.slice(0, TREES)) {
    console.log(line(`  ${name}`, kept.toFixed(0), requestLog.toFixed(0)));
  }
}

const namesOf = <Table extends object>(table: Table) =>
  Object.keys(table) as (keyof Table & string)[];
