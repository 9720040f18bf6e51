// `npm run soak:faulted`: a watched deployment under load whose provider of mail has one fault after another. Each is to
// be seen within two minutes and as long as it lasts, while the heartbeat rests, and to be over once it is
// mended. Exits with 1 if not.
import { parseArgs } from "node:util";
import { buildAssets } from "../../src/setup/assets.ts";
import { exitForHelp } from "../../src/setup/help.ts";
import { exitWhenStopped } from "../../src/setup/stopped.ts";
import { newLedger, oneRequest } from "../crash/load/load.ts";
import { type ProviderFault, startProvider } from "../crash/load/provider.ts";
import { endRun } from "../crash/load/remains.ts";
import { makeWorld } from "../crash/load/world.ts";
import { buildCrashWorker } from "../crash/shared-build.ts";
import { freePort, startWorker } from "../support/worker/dev-worker.ts";
import { brokenIn, METRICS_TOKEN, scrape, startWatcher } from "./watcher.ts";

exitForHelp("usage: npm run soak:faulted -- [--minutes 5] [--rate 1] [--fault <name>]");
const { values } = parseArgs({
  options: {
    /** How long each fault lasts once it is seen. */
    minutes: { type: "string", default: "5" },
    /** Requests in a second. */
    rate: { type: "string", default: "1" },
    fault: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const rate = Number(values.rate);
if (!(minutes > 0) || !(rate > 0)) throw new Error("--minutes and --rate must be above 0");

const MINUTE = 60_000;
const SAMPLE_MS = 5_000;
const INVARIANT = "provider_accepts";
const FAULTS: readonly ProviderFault[] = ["key expired", "fails", "hangs"];
const faults = FAULTS.filter((it) => values.fault === undefined || values.fault === it);
if (faults.length === 0) throw new Error(`--fault is one of ${FAULTS.join(", ")}`);

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

exitWhenStopped();
await buildAssets();
const provider = await startProvider();
const watcher = await startWatcher();
const built = await buildCrashWorker("faulted");
const wrong: string[] = [];
try {
  const variables = {
    ...{ RATE_LIMITS: "off", PAGES_AT_ONCE: "0", RESEND_API_KEY: "none", PROVIDER: provider.url },
    ...{ METRICS_TOKEN, HEARTBEAT_URL: watcher.url, CANARY: "on" },
  };
  const running = await startWorker(built, await freePort(), variables, "/api/v4/users");
  const target = { url: () => running.url, key: built.key };
  const world = await makeWorld(target, built.accountUserId, 4, [600]);
  const ledger = newLedger();
  let sent = 0;
  const load = setInterval(() => void oneRequest(target, world, ledger, sent++, 200), 1_000 / rate);
  const isBroken = async () => brokenIn(await scrape(running.url)).includes(INVARIANT);

  /** The time until it is so (ms), or null if it is not within this time. */
  const timeUntil = async (wanted: () => Promise<boolean>, most: number) => {
    const start = Date.now();
    while (Date.now() - start <= most) {
      if (await wanted()) return Date.now() - start;
      await pause(SAMPLE_MS);
    }
    return null;
  };
  const hasBeaten = (since: number) => async () => watcher.beats.some((at) => at > since);

  if ((await timeUntil(hasBeaten(0), 3 * MINUTE)) === null) wrong.push("no heartbeat at all");
  for (const fault of faults) {
    provider.fault = fault;
    const seenMs = await timeUntil(isBroken, 2 * MINUTE);
    if (seenMs === null) wrong.push(`${fault}: not seen within two minutes`);
    const seenAt = Date.now();
    let samples = 0;
    while (Date.now() - seenAt < minutes * MINUTE) {
      await pause(SAMPLE_MS);
      samples += 1;
      if (!(await isBroken())) wrong.push(`${fault}: not seen after ${samples * SAMPLE_MS} ms`);
    }
    const beats = watcher.beats.filter((at) => at > seenAt).length;
    if (beats > 0) wrong.push(`${fault}: ${beats} heartbeats while it lasted`);
    provider.fault = null;
    const mendedAt = Date.now();
    const overMs = await timeUntil(async () => !(await isBroken()), 5 * MINUTE);
    if (overMs === null) wrong.push(`${fault}: not over within five minutes`);
    const beatMs = await timeUntil(hasBeaten(mendedAt), 3 * MINUTE);
    if (beatMs === null) wrong.push(`${fault}: no heartbeat after it`);
    console.log(JSON.stringify({ fault, seenMs, samples, overMs, beatMs }));
  }
  clearInterval(load);
  await running.kill();
  for (const it of wrong) console.log(it);
  process.exitCode = wrong.length > 0 ? 1 : 0;
} finally {
  watcher.stop();
  endRun(provider, built);
}
process.exit();
