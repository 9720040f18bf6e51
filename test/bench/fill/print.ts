// Prints what the alerts of a full database occupy, and what list pages read of them.
import { line } from "../measure.ts";
import type { TreeSizes } from "../price/bytes.ts";
import type { Page, Readings } from "./pages.ts";

/** The size at which a D1 database is full (bytes), the alerts that must fit, and their share. */
const WALL = { bytes: 10e9, alerts: 4_000_000, share: 0.8 };
/** Number of tables and indexes that are printed. */
const TREES = 12;
/** A page that reads its limit may read this many times what it reads of an empty database. */
const MAX_GROWTH = 3;
/** Rows below which a growth means nothing. */
const INSIGNIFICANT = 200;

/** Prints what the alerts occupy, with 30 days of request logs; returns whether it is too much. */
export function printSizes(before: TreeSizes, after: TreeSizes, alerts: number): string[] {
  const grown = [...after]
    .map(([name, { bytes }]) => ({ name, bytes: bytes - (before.get(name)?.bytes ?? 0) }))
    .sort((a, b) => b.bytes - a.bytes);
  const total = grown.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { name, bytes } of grown.slice(0, TREES)) {
    console.log(line(`  ${name}`, (bytes / alerts).toFixed(0), "bytes of an alert"));
  }
  console.log(
    line("bytes of an alert, with 30 days of request logs", (total / alerts).toFixed(0), ""),
  );
  const share = (total / alerts) * (WALL.alerts / WALL.bytes);
  const shown = `${(share * 100).toFixed(0)} %`;
  console.log(line("10 GB with 4 million alerts", shown, `<= ${WALL.share * 100} %`));
  return share > WALL.share ? [`4 million alerts take ${shown} of 10 GB`] : [];
}

/** Prints the pages; returns those that read more rows the more there are, and failures. */
export function printPages(pages: readonly Page[], empty: Readings, full: Readings): string[] {
  console.log(`\n${line("page", "rows read, of few alerts", "p50, of few alerts")}`);
  return pages.flatMap(({ what, path, mayScan }) => {
    const [few, many] = [empty.get(what), full.get(what)];
    if (few === undefined || many === undefined) return [];
    const rows = `${many.rows.toFixed(0)}, ${few.rows.toFixed(0)}`;
    const times = `${many.ms.toFixed(1)} ms, ${few.ms.toFixed(1)}`;
    const scans = many.rows > Math.max(INSIGNIFICANT, few.rows * MAX_GROWTH);
    const note = scans ? (mayScan ? "  (scans)" : "  SCANS") : "";
    console.log(line(what, rows, `${times} = ${(many.ms / few.ms).toFixed(1)} x${note}`));
    return [
      ...(many.status === 200 ? [] : [`${path} was answered ${many.status}`]),
      ...(scans && !mayScan ? [`${what}: ${rows} rows read`] : []),
    ];
  });
}
