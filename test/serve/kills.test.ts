// `npm run serve` is killed under load and started again: everything that it accepted is stored and paged, and nothing is
// stuck, although its queue is in memory. Twice, or twenty times at full size.
import { afterEach, expect, test } from "vitest";
import { findDoubles, type Kill } from "../crash/load/doubles.ts";
import {
  api,
  type Ledger,
  newLedger,
  oneRequest,
  type Target,
  type World,
} from "../crash/load/load.ts";
import { findFaults, readRecorded } from "../crash/load/remains.ts";
import { waitUntilSettled } from "../crash/load/settled.ts";
import { watchStalls } from "../crash/load/stalls.ts";
import { makeWorld } from "../crash/load/world.ts";
import { randomGenerator, sized } from "../support/generated/sizes.ts";
import { type Mailbox, notificationsOf, openMailbox } from "../support/serve/mailbox.ts";
import {
  makeAccount,
  makePlace,
  type Place,
  removePlace,
  type Server,
  startServer,
} from "../support/serve/server.ts";

const KILLS = sized(2, 20);
const REQUESTS = sized(120, 800);
/** Number of concurrent requests. */
const CONCURRENCY = 8;
/** The layers' time-outs (seconds): short, so that they end while the server is down. */
const TIMEOUTS = [6, 4];

const draw = randomGenerator();
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

let place: Place;
let mailbox: Mailbox;

afterEach(async () => {
  await mailbox.close();
  removePlace(place);
});

/** Sends all requests while the server is killed and started again. */
async function runUnderKills(target: Target, world: World, first: Server, ledger: Ledger) {
  let server = first;
  let [sent, isUp, isOver] = [0, true, false];
  const kills: Kill[] = [];
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
      // In the middle of a lifetime's requests, so that some are in progress.
      const killedAt = (REQUESTS * (kills.length + 0.1 + 0.8 * draw())) / (KILLS + 1);
      while (sent < killedAt) await pause(1);
      const killed = server.kill();
      isUp = false;
      await killed;
      const at = Date.now();
      const recorded = readRecorded(place.state);
      server = await startServer(place);
      kills.push({ at, until: Date.now(), recorded });
      isUp = true;
    }
    await senders;
  } finally {
    isOver = true;
  }
  return { server, kills, sent };
}

test(
  `nothing that it accepted is lost over ${KILLS} kills under load`,
  async () => {
    mailbox = await openMailbox();
    place = await makePlace({
      ...{ SMTP_URL: mailbox.url, EMAIL_FROM: "pager@acme.com" },
      ...{ RATE_LIMITS: "off", PAGES_AT_ONCE: "0" },
    });
    const { key, accountUserId } = await makeAccount(place);
    const first = await startServer(place);
    const target = { url: () => place.url, key };
    const world = await makeWorld(target, accountUserId, sized(3, 8), TIMEOUTS);
    const ledger = newLedger();
    const { stalls, stop } = watchStalls(() => api(target, "/teams"));
    const { server, kills, sent } = await runUnderKills(target, world, first, ledger);
    await waitUntilSettled(place.state);
    await stop();
    expect(await server.stop()).toBe(0);

    const taken = notificationsOf(mailbox);
    const { inWindow, stalled, unexplained } = findDoubles(taken, kills, stalls);
    const { faults } = findFaults(place.state, ledger, false);
    const accepted = [...ledger.webhooks.values()].reduce((sum, it) => sum + it.accepted, 0);
    const restarts = kills.map(({ at, until }) => until - at).sort((a, b) => a - b);
    const report = {
      ...{ kills: kills.length, sent, unanswered: ledger.unanswered, accepted },
      ...{ created: ledger.created.length, mails: taken.length, inWindow, stalled },
      ...{ restartMs: restarts[restarts.length >> 1], stalls: stalls.length },
    };
    console.log(JSON.stringify(report));
    expect([...faults, ...unexplained], JSON.stringify(report)).toEqual([]);
    expect(report).toMatchObject({ kills: KILLS, sent: REQUESTS });
    expect(ledger.unanswered).toBeGreaterThan(0);
    expect(accepted).toBeGreaterThan(20);
    expect(taken.length).toBeGreaterThan(20);
  },
  sized(600_000, 2_400_000),
);
