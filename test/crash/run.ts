// `npm run crash`: kills the worker with SIGKILL at random instants under load, restarts it on the
// same storage, and checks that everything it accepted is stored, that nobody is paged twice, and
// that nothing is stuck. Exits with 1 if a guarantee is violated. Default: `--kills 20 --requests
// 2000`. With `--hasty` it does not wait for pages that were interrupted by a kill: their outbox
// must still have them.
import { parseArgs } from "node:util";
import { exitForHelp } from "../../src/setup/help.ts";
import { exitWhenStopped } from "../../src/setup/stopped.ts";
import { randomGenerator, seed } from "../support/generated/sizes.ts";
import { type Built, freePort, type Running, startWorker } from "../support/worker/dev-worker.ts";
import { findDoubles, type Kill } from "./load/doubles.ts";
import { countNotifications, newLedger, oneRequest, type Target } from "./load/load.ts";
import { type Provider, startProvider } from "./load/provider.ts";
import { endRun, findFaults, readRecorded } from "./load/remains.ts";
import { waitUntilSettled } from "./load/settled.ts";
import { watchStalls } from "./load/stalls.ts";
import { makeWorld } from "./load/world.ts";
import { buildCrashWorker } from "./shared-build.ts";

exitForHelp("usage: npm run crash -- [--kills 20] [--requests 2000] [--hasty]");
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "20" },
    requests: { type: "string", default: "2000" },
    hasty: { type: "boolean", default: false },
  },
});
const KILLS = Number(values.kills);
const REQUESTS = Number(values.requests);
const draw = randomGenerator();
/** Number of concurrent requests. */
const CONCURRENCY = 8;
/** Minimum and maximum time between a start and a kill (ms). */
const LIFETIME_MS = [300, values.hasty ? 1_500 : 3_000] as const;
/** The layers' time-outs (seconds): short, so that they end while the worker is killed. */
const LAYERS = values.hasty ? [3, 2] : [6, 4];
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Waits until the mails to new people are sent, so that no kill interrupts one. */
async function waitForWelcomeMails(target: Target): Promise<void> {
  for (let polls = 0; polls < 300; polls += 1) {
    const { queued = 0 } = await countNotifications(target);
    if (queued === 0) return;
    await pause(200);
  }
  throw new Error("the mails of new people were not sent");
}

async function crash(built: Built, provider: Provider) {
  const port = await freePort();
  const variables: Record<string, string> = {
    RATE_LIMITS: "off",
    PAGES_AT_ONCE: "0",
    RESEND_API_KEY: "none",
    PROVIDER: provider.url,
  };
  const start = () => startWorker(built, port, variables, "/api/v4/users");
  let running: Running = await start();
  let isUp = true;
  const target = { url: () => running.url, key: built.key };
  const world = await makeWorld(target, built.accountUserId, KILLS > 5 ? 8 : 3, LAYERS);
  if (values.hasty) await waitForWelcomeMails(target);
  const { stalls, stop } = watchStalls(() => fetch(`${target.url()}/crash/ping`));
  const ledger = newLedger();
  const kills: Kill[] = [];
  let sent = 0;
  let isOver = false;
  const send = async () => {
    while (!isOver && sent < REQUESTS) {
      sent += 1;
      await oneRequest(target, world, ledger, sent, Math.ceil(REQUESTS / 20));
      // Spreads requests over all lifetimes; the last one gets the rest.
      const share = (REQUESTS * (kills.length + 1)) / (KILLS + 1);
      while (!isOver && (!isUp || (kills.length < KILLS && sent >= share))) await pause(20);
    }
  };
  const senders = Promise.all(Array.from({ length: CONCURRENCY }, send));
  try {
    while (kills.length < KILLS) {
      await pause(LIFETIME_MS[0] + draw() * (LIFETIME_MS[1] - LIFETIME_MS[0]));
      const killed = running.kill();
      isUp = false;
      await killed;
      // What the provider still has to read was sent before the kill.
      await pause(50);
      const at = Date.now();
      const recorded = readRecorded(built.state);
      running = await start();
      kills.push({ at, until: Date.now(), recorded });
      isUp = true;
    }
    await senders;
    await waitUntilSettled(built.state, target, values.hasty);
  } finally {
    isOver = true;
    await stop();
    await running.kill();
  }
  return { ledger, kills, sent, stalls };
}

exitWhenStopped();
const provider = await startProvider();
const built = await buildCrashWorker("crash");
try {
  const { ledger, kills, sent, stalls } = await crash(built, provider);
  const { inWindow, stalled, unexplained } = findDoubles(provider.taken, kills, stalls);
  const found = findFaults(built.state, ledger, values.hasty);
  const faults = [...found.faults, ...unexplained];
  const accepted = [...ledger.webhooks.values()].reduce((sum, it) => sum + it.accepted, 0);
  console.log(
    JSON.stringify({
      ...{ seed, kills: kills.length, requests: sent, unanswered: ledger.unanswered, accepted },
      ...{ created: ledger.created.length, acknowledged: ledger.acknowledged.size },
      ...{ resolved: ledger.resolved.size, mails: provider.taken.length },
      ...{ sentAgainInTheWindow: inWindow, stillOnTheirWay: found.onTheirWay },
      ...{ stalls: stalls.length, sentAgain: stalled },
      faults: faults.slice(0, 50),
    }),
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  endRun(provider, built);
}
process.exit();
