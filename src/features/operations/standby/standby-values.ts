// The metrics of a standby, at both ends; none where there is no standby.
import { measure, type SeriesValues } from "../../../domain/shared/metrics/series.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { standbyObject } from "../../stubs.ts";
import { hasTakenOver } from "./has-taken-over.ts";

/** How old the snapshot is, and whether a standby has taken over. `now` in epoch ms. */
export async function standbyValues(env: Cloudflare.Env, now: number): Promise<SeriesValues> {
  if (!env.STANDBY_OF && !env.STANDBY_URL) return {};
  const report = await standbyObject(env).report();
  const { snapshotAt } = report;
  return {
    // Where there is none, it is as old as can be.
    ...measure("tocsin_standby_age_seconds", {}, (now - (snapshotAt ?? 0)) / SECOND),
    ...measure("tocsin_standby_active", {}, Number(hasTakenOver(report))),
  };
}
