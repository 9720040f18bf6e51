// `npm run soak:watched`: a watched deployment under load, for an hour or `-- --minutes <n>`; with `--serve`, one under
// `npm run serve`. Its heartbeat is to be called every minute: each call that is missing is a false alarm in the night of
// whoever watches it. Afterwards nothing may be lost, doubled or stuck. Exits with 1 if not.
import { parseArgs } from "node:util";
import { buildAssets } from "../../src/setup/assets.ts";
import { exitForHelp } from "../../src/setup/help.ts";
import { exitWhenStopped } from "../../src/setup/stopped.ts";
import { findDoubles } from "../crash/load/doubles.ts";
import { type Ledger, newLedger, oneRequest, type Target } from "../crash/load/load.ts";
import { findFaults } from "../crash/load/remains.ts";
import { waitUntilSettled } from "../crash/load/settled.ts";
import { makeWorld } from "../crash/load/world.ts";
import { startUnderServe, startUnderWrangler } from "./deployments.ts";
import { brokenIn, METRICS_TOKEN, scrape, startWatcher } from "./watcher.ts";

exitForHelp("usage: npm run soak:watched -- [--minutes 60] [--rate 3] [--serve]");
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    /** Requests in a second. */
    rate: { type: "string", default: "3" },
    /** Under `npm run serve` instead of `wrangler dev`. */
    serve: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const rate = Number(values.rate);
if (!(minutes > 0) || !(rate > 0)) throw new Error("--minutes and --rate must be above 0");

const MINUTE = 60_000;
/** The layers' time-outs (seconds). */
const LAYERS = [20, 20] as const;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Sends requests at the rate until the end. @returns the invariants that were seen broken, with the time */
async function load(target: Target, accountUserId: string, ledger: Ledger): Promise<string[]> {
  const world = await makeWorld(target, accountUserId, 4, LAYERS);
  const broken: string[] = [];
  const end = Date.now() + minutes * MINUTE;
  const inFlight = new Set<Promise<void>>();
  let [sent, watchedAt] = [0, Date.now()];
  while (Date.now() < end) {
    const request = oneRequest(target, world, ledger, sent, 200).finally(() => {
      inFlight.delete(request);
    });
    inFlight.add(request);
    sent += 1;
    if (Date.now() - watchedAt > MINUTE / 2) {
      watchedAt = Date.now();
      const found = brokenIn(await scrape(target.url()));
      broken.push(...found.map((it) => `${new Date().toISOString()} ${it}`));
    }
    await pause(1_000 / rate);
  }
  await Promise.all(inFlight);
  return broken;
}

exitWhenStopped();
await buildAssets();
const watcher = await startWatcher();
const start = values.serve ? startUnderServe : startUnderWrangler;
const { target, accountUserId, state, taken, ...deployment } = await start({
  ...{ RATE_LIMITS: "off", PAGES_AT_ONCE: "0", CANARY: "on" },
  ...{ METRICS_TOKEN, HEARTBEAT_URL: watcher.url },
});
try {
  const ledger = newLedger();
  const broken = await load(target, accountUserId, ledger);
  const { beats } = watcher;
  const scraped = await scrape(target.url());
  // Under `wrangler dev`, cron runs only on request.
  await waitUntilSettled(state, values.serve ? undefined : target);
  await deployment.stop();
  const of = (name: string, outcome: string) => scraped.get(`${name}{outcome="${outcome}"}`) ?? 0;
  const gaps = beats.slice(1).map((at, i) => at - (beats[i] ?? at));
  const withheld = of("tocsin_heartbeats_total", "withheld");
  const lost = of("tocsin_canary_total", "lost");
  const faults = [
    ...broken,
    ...(withheld > 0 ? [`${withheld} calls of the heartbeat were withheld`] : []),
    ...(lost > 0 ? [`${lost} canary events were lost`] : []),
    ...(beats.length < minutes - 2 ? [`only ${beats.length} calls of the heartbeat`] : []),
    ...findFaults(state, ledger, false).faults,
    ...findDoubles(taken(), [], []).unexplained,
  ];
  console.log(
    JSON.stringify({
      ...{ minutes, rate, beats: beats.length, longestGapMs: Math.max(0, ...gaps), withheld },
      ...{ canaries: of("tocsin_canary_total", "arrived"), lost, mails: taken().length },
      ...{ created: ledger.created.length, refused: ledger.refused.length, faults },
    }),
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  watcher.stop();
  await deployment.end();
}
process.exit();
