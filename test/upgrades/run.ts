// `npm run upgrades`: the previous version and this one in one runtime, on the migrations
// of this one, as `npm run deploy` leaves a deployment for a while. Flips objects between both under
// load, and checks that every accepted event is counted once, that nobody is paged twice, and that
// layers time out when they are due. Exits with 1 if not. Default: `--flips 20 --requests 10000`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { exitWhenStopped } from "../../src/setup/stopped.ts";
import { type Ledger, newLedger, oneRequest, type Target } from "../crash/load/load.ts";
import { type Provider, startProvider } from "../crash/load/provider.ts";
import { endRun, findDoubles, findFaults } from "../crash/load/remains.ts";
import { waitUntilSettled } from "../crash/load/settled.ts";
import { tooManyStalled, watchStalls, withoutStalled } from "../crash/load/stalls.ts";
import { makeWorld } from "../crash/load/world.ts";
import { seed } from "../support/generated/sizes.ts";
import { type Built, buildWorker, freePort, startWorker } from "../support/worker/dev-worker.ts";
import { findLateTimers } from "./late-timers.ts";

const { values } = parseArgs({
  options: {
    flips: { type: "string", default: "20" },
    requests: { type: "string", default: "10000" },
  },
});
const FLIPS = Number(values.flips);
const REQUESTS = Number(values.requests);
/** Number of concurrent requests. */
const CONCURRENCY = 8;
/** The layers' time-outs (seconds): short, so that they end while versions change. */
const LAYERS = [3, 2] as const;

const root = join(import.meta.dirname, "../..");
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Writes the bundle of the previous version where a build finds it. @returns its path */
function unpackPrevious(): string {
  const folder = join(root, ".wrangler/upgrades");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "previous.js");
  const packed = readFileSync(join(root, "test/fixtures/versions/previous/worker.js.br"));
  writeFileSync(path, brotliDecompressSync(packed));
  return path;
}

async function flip(target: Target, objects: "previous" | "current", share: number) {
  const response = await fetch(`${target.url()}/upgrade/flip?objects=${objects}&share=${share}`);
  if (!response.ok) throw new Error(`flip: ${response.status} ${await response.text()}`);
  const { reset } = (await response.json()) as { reset: number };
  return reset;
}

/** Sends the requests while objects change their version. @returns how many objects were reset */
async function flipUnderLoad(target: Target, ledger: Ledger, accountUserId: string) {
  const world = await makeWorld(target, accountUserId, FLIPS > 5 ? 8 : 3, LAYERS);
  let [sent, flips, reset] = [0, 0, 0];
  const send = async () => {
    while (sent < REQUESTS) {
      sent += 1;
      await oneRequest(target, world, ledger, sent, Math.ceil(REQUESTS / 20));
      // Spreads requests over all flips.
      while (flips < FLIPS && sent >= (REQUESTS * (flips + 1)) / (FLIPS + 1)) await pause(20);
    }
  };
  const change = async () => {
    while (flips < FLIPS) {
      while (sent < (REQUESTS * (flips + 0.8)) / (FLIPS + 1)) await pause(20);
      reset += await flip(target, flips % 2 === 0 ? "previous" : "current", 0.5);
      flips += 1;
      // Layers time out in each version.
      await pause(1_500);
    }
  };
  await Promise.all([change(), ...Array.from({ length: CONCURRENCY }, send)]);
  return reset;
}

async function upgrade(built: Built, provider: Provider) {
  const variables = {
    RATE_LIMITS: "off",
    PAGES_AT_ONCE: "0",
    NOTICE_DELAY_SECONDS: "0",
    RESEND_API_KEY: "none",
    PROVIDER: provider.url,
  };
  const running = await startWorker(built, await freePort(), variables, "/api/v4/users");
  const target = { url: () => running.url, key: built.key };
  const ledger = newLedger();
  const { stalls, stop } = watchStalls(() => fetch(`${target.url()}/crash/ping`));
  try {
    // The deployment as it was: created by the previous version.
    await flip(target, "previous", 0);
    const reset = await flipUnderLoad(target, ledger, built.accountUserId);
    await flip(target, "current", 1);
    await waitUntilSettled(target);
    return { ledger, reset, stalls };
  } finally {
    await stop();
    await running.kill();
  }
}

exitWhenStopped();
const provider = await startProvider();
const previous = unpackPrevious();
const built = await buildWorker("upgrades", "test/upgrades/worker.ts", (own) =>
  own.replace("[alias]\n", `[alias]\nprevious-version = "${previous}"\n`),
);
try {
  const { ledger, reset, stalls } = await upgrade(built, provider);
  const taken = withoutStalled(provider.taken, stalls);
  const unexplained = [
    ...findDoubles(taken, []).unexplained,
    ...tooManyStalled(provider.taken, taken),
  ];
  const found = findFaults(built.state, ledger, true);
  const timers = findLateTimers(built.state);
  const faults = [...found.faults, ...unexplained, ...timers.faults];
  const accepted = [...ledger.webhooks.values()].reduce((sum, it) => sum + it.accepted, 0);
  console.log(
    JSON.stringify({
      ...{ seed, flips: FLIPS, requests: REQUESTS, unanswered: ledger.unanswered, reset, accepted },
      ...{ created: ledger.created.length, acknowledged: ledger.acknowledged.size },
      ...{ resolved: ledger.resolved.size, mails: provider.taken.length },
      ...{ timeouts: timers.count, latestMs: timers.latestMs, inOutboxes: found.onTheirWay },
      ...{ stalls: stalls.length, sentAgain: provider.taken.length - taken.length },
      faults: faults.slice(0, 50),
    }),
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  endRun(provider, built);
}
process.exit();
