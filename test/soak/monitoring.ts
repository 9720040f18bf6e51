// Checks the alert rules and the text of all metrics by `promtool` (Debian's package `prometheus`).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { exposition } from "../../src/domain/operations/exposition.ts";
import { METRICS } from "../../src/domain/shared/metrics/metrics.ts";
import { seriesName } from "../../src/domain/shared/metrics/series.ts";

/** A value of each metric, and of each series of a histogram. */
function everyMetric(): Record<string, number> {
  const all = Object.entries(METRICS).flatMap(([name, { type, labels, buckets = [] }]) => {
    const values = Object.fromEntries(labels.map((label) => [label, "any"]));
    if (type !== "histogram") return [seriesName(name, values)];
    const bounds = [...buckets.map(String), "+Inf"];
    return [
      ...bounds.map((le) => seriesName(`${name}_bucket`, { ...values, le })),
      seriesName(`${name}_sum`, values),
      seriesName(`${name}_count`, values),
    ];
  });
  return Object.fromEntries(all.map((series) => [series, 1]));
}

function promtool(args: readonly string[], input?: string): void {
  const stdio = ["pipe", "inherit", "inherit"] as const;
  const { status, error } = spawnSync("promtool", args, { input, stdio: [...stdio] });
  if (error) throw new Error("promtool is missing: apt-get install prometheus", { cause: error });
  if (status !== 0) throw new Error(`promtool ${args.join(" ")} failed`);
}

promtool(["check", "rules", join(import.meta.dirname, "../../src/setup/monitoring/alerts.yml")]);
promtool(["check", "metrics"], exposition(everyMetric()));
