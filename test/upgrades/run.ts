// `npm run upgrades`: the previous version and this one in one runtime, on the migrations
// of this one, as `npm run deploy` leaves a deployment for a while. Flips objects between both under
// load, and checks that every accepted event is counted once, that nobody is paged twice, and that
// layers time out when they are due. Exits with 1 if not. Default: `--flips 20 --requests 10000`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { exitForHelp } from "../../src/setup/help.ts";
import { exitWhenStopped } from "../../src/setup/stopped.ts";
import { findDoubles } from "../crash/load/doubles.ts";
import { type Ledger, newLedger, oneRequest, type Target, type World } from "../crash/load/load.ts";
import { type Provider, startProvider } from "../crash/load/provider.ts";
import { endRun, findFaults } from "../crash/load/remains.ts";
import { waitUntilSettled } from "../crash/load/settled.ts";
import { type Stall, watchStalls } from "../crash/load/stalls.ts";
import { makeWorld } from "../crash/load/world.ts";
import { seed } from "../support/generated/sizes.ts";
import { type Built, buildWorker, freePort, startWorker } from "../support/worker/dev-worker.ts";
import { findLateTimers } from "./late-timers.ts";

exitForHelp("usage: npm run upgrades -- [--flips 20] [--requests 10000]");
const { values } = parseArgs({
  options: {
    flips: { type: "string", default: "20" },
    requests: { type: "string", default: "10000" },
  },
});
const FLIPS = Number(values.flips);
const REQUESTS = Number(values.requests);
/** Requests in one runtime, at most. */
const LEG_REQUESTS = 1_200;
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

/** What was done so far. */
type Progress = { sent: number; flips: number; reset: number };

/** Sends requests while objects change their version, until so many of both are made. */
async function flipUnderLoad(
  target: Target,
  world: World,
  ledger: Ledger,
  done: Progress,
  until: Pick<Progress, "sent" | "flips">,
): Promise<void> {
  const { ...from } = done;
  /** How many requests are sent before the nth flip of this leg; spreads them over all flips. */
  const before = (nth: number) =>
    from.sent + ((until.sent - from.sent) * nth) / (until.flips - from.flips + 1);
  const send = async () => {
    while (done.sent < until.sent) {
      done.sent += 1;
      await oneRequest(target, world, ledger, done.sent, Math.ceil(REQUESTS / 20));
      while (done.flips < until.flips && done.sent >= before(done.flips - from.flips + 1)) {
        await pause(20);
      }
    }
  };
  const change = async () => {
    while (done.flips < until.flips) {
      while (done.sent < before(done.flips - from.flips + 0.8)) await pause(20);
      done.reset += await flip(target, done.flips % 2 === 0 ? "previous" : "current", 0.5);
      done.flips += 1;
      // Layers time out in each version.
      await pause(1_500);
    }
  };
  await Promise.all([change(), ...Array.from({ length: CONCURRENCY }, send)]);
}

/**
 * One leg, in a runtime of its own: the local one never ends an object that is idle, and after some thousands has time
 * for nothing else. Its storage goes on.
 */
async function runLeg(
  built: Built,
  provider: Provider,
  work: (target: Target) => Promise<void>,
): Promise<readonly Stall[]> {
  const variables = {
    RATE_LIMITS: "off",
    PAGES_AT_ONCE: "0",
    NOTICE_DELAY_SECONDS: "0",
    RESEND_API_KEY: "none",
    PROVIDER: provider.url,
  };
  const running = await startWorker(built, await freePort(), variables, "/api/v4/users");
  const target = { url: () => running.url, key: built.key };
  const { stalls, stop } = watchStalls(() => fetch(`${target.url()}/crash/ping`));
  try {
    // The deployment as it was: created by the previous version.
    await flip(target, "previous", 0);
    await work(target);
    await flip(target, "current", 1);
    await waitUntilSettled(built.state, target);
    return stalls;
  } finally {
    await stop();
    await running.kill();
  }
}

async function upgrade(built: Built, provider: Provider) {
  const ledger = newLedger();
  const done: Progress = { sent: 0, flips: 0, reset: 0 };
  const stalls: Stall[] = [];
  const legs = Math.ceil(REQUESTS / LEG_REQUESTS);
  let world: World | null = null;
  for (let leg = 1; leg <= legs; leg += 1) {
    const share = (all: number) => Math.round((all * leg) / legs);
    const until = { sent: share(REQUESTS), flips: share(FLIPS) };
    const found = await runLeg(built, provider, async (target) => {
      world ??= await makeWorld(target, built.accountUserId, FLIPS > 5 ? 8 : 3, LAYERS);
      await flipUnderLoad(target, world, ledger, done, until);
    });
    stalls.push(...found);
  }
  return { ledger, reset: done.reset, stalls };
}

exitWhenStopped();
const provider = await startProvider();
const previous = unpackPrevious();
const built = await buildWorker("upgrades", "test/upgrades/worker.ts", (own) =>
  own.replace("[alias]\n", `[alias]\nprevious-version = "${previous}"\n`),
);
try {
  const { ledger, reset, stalls } = await upgrade(built, provider);
  const { stalled, unexplained } = findDoubles(provider.taken, [], stalls);
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
      ...{ stalls: stalls.length, sentAgain: stalled },
      faults: faults.slice(0, 50),
    }),
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  endRun(provider, built);
}
process.exit();
