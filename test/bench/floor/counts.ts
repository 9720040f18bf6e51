// Counts what both workers ask of the platform for a new alert: the skeleton must ask for as much.
import {
  buildWorker,
  deleteState,
  freePort,
  startWorker,
} from "../../support/worker/dev-worker.ts";
import { type Report, sumRows } from "../instruments/report.ts";
import { line, paced } from "../measure.ts";
import { bodyOf, settled } from "../price/life.ts";
import { prepare } from "../server.ts";
import { makeWorld } from "../world.ts";
import { skeletonConfig } from "./sides.ts";

/** New alerts whose operations are counted, one after the other. */
const COUNTED = 40;
const PACE_MS = 250;

/** By how much the skeleton may ask for less or more, as a part: the log is written by the second. */
const TOLERANCE = 0.1;

/** Operations of one new alert. */
type Counts = Readonly<Record<string, number>>;

function countsOf(report: Report): Counts {
  const per = (count: number) => count / COUNTED;
  const trips = Object.values(report.d1);
  return {
    "object calls and alarms": per(report.objectCalls),
    "object rows written": per(sumRows(report.objects).written),
    "D1 trips": per(trips.reduce((sum, it) => sum + it.trips, 0)),
    "D1 statements": per(trips.reduce((sum, it) => sum + it.queries, 0)),
    "D1 rows written": per(sumRows(report.statements).written),
    "queue messages": per(report.queueMessages),
  };
}

type Counted = {
  readonly report: () => Promise<Report>;
  readonly reset: () => Promise<unknown>;
  readonly hook: (id: string) => Promise<Response>;
};

async function countsOfNew({ report, reset, hook }: Counted): Promise<Counts> {
  const quiet = { report } as Parameters<typeof settled>[0];
  await hook("warm");
  await settled(quiet);
  await reset();
  await paced(COUNTED, PACE_MS, (i) => hook(`counted-${i}`));
  await settled(quiet);
  return countsOf(await report());
}

async function ofService(): Promise<Counts> {
  const bench = await prepare();
  try {
    return await bench.during({ RATE_LIMITS: "off", PAGES_AT_ONCE: "0" }, async (server) => {
      const { intake } = await makeWorld(server);
      const reset = () => server.reset("rows");
      return countsOfNew({ ...server, reset, hook: (id) => server.post(intake, bodyOf(id)) });
    });
  } finally {
    bench.forget();
  }
}

async function ofSkeleton(provider: string): Promise<Counts> {
  const main = "test/bench/floor/counted-skeleton.ts";
  const built = await buildWorker("bench-skeleton-counted", main, skeletonConfig);
  const variables = { RATE_LIMITS: "off", PROVIDER: provider };
  const { url, kill } = await startWorker(built, await freePort(), variables, "/health");
  try {
    return await countsOfNew({
      report: async () => (await (await fetch(`${url}/bench/report`)).json()) as Report,
      reset: () => fetch(`${url}/bench/reset`),
      hook: (id) =>
        fetch(`${url}/integration/0`, { method: "POST", body: JSON.stringify(bodyOf(id)) }),
    });
  } finally {
    await kill();
    deleteState(built);
  }
}

/** Prints both; returns in what the skeleton differs. */
export async function compareCounts(provider: string): Promise<string[]> {
  const [own, floor] = [await ofService(), await ofSkeleton(provider)];
  console.log(`\n${line("of a new alert whose person is paged", "this, the skeleton", "alike")}`);
  return Object.entries(own).flatMap(([name, count]) => {
    const other = floor[name] ?? 0;
    console.log(line(`  ${name}`, `${count.toFixed(2)}, ${other.toFixed(2)}`, ""));
    const differs = Math.abs(count - other) > TOLERANCE * count;
    return differs ? [`the skeleton's ${name}: ${other.toFixed(2)}, not ${count.toFixed(2)}`] : [];
  });
}
