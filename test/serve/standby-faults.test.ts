// A primary fails at random moments under load, in every way that it may: what was accepted by it or its standby is paged,
// each person once or twice for a step, and never more. Three failures;
// `FAILURES=50 npm test -- standby-faults` causes fifty, in half an hour or so.
import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomGenerator } from "../support/generated/sizes.ts";
import { countPages, sendToBoth } from "../support/serve/both.ts";
import { startServer } from "../support/serve/server.ts";
import { type Pair, startPair } from "../support/serve/standby.ts";

const FAILURES = Number(process.env.FAILURES ?? 3);
const EVENTS = 14;
/** How long a failure takes (ms). */
const LONGEST_MS = 9_000;
/** Of the layers (seconds): both are asked during a failure, or around it. */
const TIMEOUTS = [5, 600];
const SETTLED = { timeout: 150_000, interval: 200 };

const draw = randomGenerator();
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

let pair: Pair;
beforeAll(async () => {
  pair = await startPair(2, TIMEOUTS);
});
afterAll(() => pair?.close());

/** Locks the files of the primary's database. Returns what releases them. */
function lockDatabase(): () => void {
  const files = globSync(join(pair.primary.place.state, "v3/d1/*/*.sqlite").replaceAll("\\", "/"));
  const locked = files
    .filter((file) => !file.endsWith("metadata.sqlite"))
    .map((file) => {
      const database = new DatabaseSync(file, { timeout: 5_000 });
      database.exec("begin exclusive");
      return database;
    });
  return () => {
    for (const database of locked) {
      database.exec("rollback");
      database.close();
    }
  };
}

async function untilTakenOver(longestMs: number): Promise<void> {
  const until = Date.now() + longestMs;
  while (Date.now() < until && (await pair.report()).role !== "active") await pause(20);
}

/** The ways to fail: each begins, lasts, and ends. */
const FAULTS: Readonly<Record<string, (lasts: number) => Promise<void>>> = {
  killed: async (lasts) => {
    await pair.primary.server.kill();
    await pause(lasts);
    pair.primary.server = await startServer(pair.primary.place);
  },
  "killed, and back in the middle of the take-over": async () => {
    await pair.primary.server.kill();
    await untilTakenOver(15_000);
    pair.primary.server = await startServer(pair.primary.place);
  },
  hanging: (lasts) => onFront("hanging", lasts),
  "answering 503": (lasts) => onFront("unavailable", lasts),
  "answering late": (lasts) => onFront("late", lasts + 10_000),
  "gone, and back in the middle of the take-over": async () => {
    pair.front.fault = "cut";
    await untilTakenOver(15_000);
    pair.front.fault = null;
  },
  "cut off from its standby": async (lasts) => {
    pair.line.fault = "cut";
    await pause(lasts);
    pair.line.fault = null;
  },
  "without a database": async (lasts) => {
    const release = lockDatabase();
    await pause(lasts + 4_000);
    release();
  },
  flapping: async () => {
    for (let i = 0; i < 6; i += 1) {
      pair.front.fault = draw() < 0.5 ? "cut" : "unavailable";
      await pause(500 + 2_500 * draw());
      pair.front.fault = null;
      await pause(300 + 2_000 * draw());
    }
  },
};

async function onFront(fault: Pair["front"]["fault"], lasts: number) {
  pair.front.fault = fault;
  await pause(lasts);
  pair.front.fault = null;
}

test(
  `nothing is lost over ${FAILURES} failures of the primary`,
  async () => {
    const names = Object.keys(FAULTS);
    const offset = Math.floor(draw() * names.length);
    const takeOvers: number[] = [];
    const faults: string[] = [];
    const counted: number[] = [];
    for (let round = 0; round < FAILURES; round += 1) {
      const name = names[(offset + round * 4) % names.length] ?? "";
      await expect
        .poll(() => pair.report(), SETTLED)
        .toMatchObject({ role: "silent", held: 0, snapshotAt: expect.any(Number) });
      const before = pair.standby.mailbox.letters.length;
      const titles: string[] = [];
      const isAccepted = new Map<string, boolean>();
      const load = async () => {
        const sending: Promise<void>[] = [];
        for (let i = 0; i < EVENTS; i += 1) {
          const title = `Round ${round} ${i}`;
          titles.push(title);
          sending.push(
            sendToBoth(pair, title, i % 2).then((it) => {
              isAccepted.set(title, it);
            }),
          );
          await pause((LONGEST_MS / EVENTS) * 2 * draw());
        }
        await Promise.all(sending);
      };
      let failedAt = 0;
      const fail = async () => {
        await pause(3_000 * draw());
        failedAt = Date.now();
        await FAULTS[name]?.(2_000 + (LONGEST_MS - 2_000) * draw());
      };
      await Promise.all([load(), fail()]);
      const first = pair.standby.mailbox.letters
        .slice(before)
        .find(({ subject }) => subject.includes("By the standby:"));
      if (first !== undefined) takeOvers.push((first.at - failedAt) / 1_000);
      // Who was told once may be told again by the other one, shortly after.
      const accepted = titles.filter((title) => isAccepted.get(title));
      await expect
        .poll(() => [...countPages(pair, accepted)].filter(([, count]) => count === 0), SETTLED)
        .toEqual([]);
      await expect.poll(() => pair.report(), SETTLED).toMatchObject({ role: "silent", held: 0 });
      await pause(7_000);
      for (const [key, count] of countPages(pair, accepted)) {
        counted.push(count);
        if (count > 2) faults.push(`${name}: ${key} ${count} times`);
      }
    }
    const spread = Object.fromEntries(
      [0, 1, 2, 3].map((n) => [n, counted.filter((it) => it === n).length]),
    );
    const seconds = takeOvers.map((it) => Number(it.toFixed(1))).sort((a, b) => a - b);
    console.log(JSON.stringify({ failures: FAILURES, pages: spread, firstPageSeconds: seconds }));
    expect(faults).toEqual([]);
  },
  // Its own, since its length is a variable's: what others have, and that much longer.
  3_000_000 + FAILURES * 200_000,
);
