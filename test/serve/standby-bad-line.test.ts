// A healthy primary and bad lines: from its standby, from whoever looks in another network, and from both for less than it
// takes. Nobody takes over, the standby gets what it is to have, and nobody is paged twice. Each fault once;
// `MINUTES=60 npm test -- standby-bad-line` draws them for an hour.
import { afterAll, beforeAll, expect, test } from "vitest";
import { IN_A_ROW } from "../../src/domain/operations/standby.ts";
import { randomGenerator } from "../support/generated/sizes.ts";
import { countPages, sendToBoth } from "../support/serve/both.ts";
import type { Line } from "../support/serve/line.ts";
import { type Pair, startPair } from "../support/serve/standby.ts";

const MINUTES = Number(process.env.MINUTES ?? 0);
/** How long a fault lasts at most (ms), and how long nothing is wrong after it: many questions of the standby. */
const LONGEST_MS = 20_000;
const QUIET_MS = 5_000;
const EVENT_MS = 2_500;
/** Of the layers (seconds). */
const TIMEOUTS = [5, 60];
const SETTLED = { timeout: 150_000, interval: 200 };

const draw = randomGenerator();
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

let pair: Pair;
beforeAll(async () => {
  pair = await startPair(2, TIMEOUTS);
});
afterAll(() => pair?.close());

/** Waits until the primary has answered the standby again. */
async function untilAnswered() {
  const from = Date.now();
  await expect.poll(async () => (await pair.report()).answeredAt, SETTLED).toBeGreaterThan(from);
}

/** A fault of lines for some time. */
async function during(fault: Line["fault"], lines: readonly Line[], lastsMs: number) {
  for (const line of lines) line.fault = fault;
  await pause(lastsMs);
  for (const line of lines) line.fault = null;
}

/** So many questions of the standby fail, and meanwhile nobody in another network sees the primary. */
async function untilMissed(questions: number) {
  Object.assign(pair.line, { fault: "cut", remaining: questions });
  pair.outside.fault = "unavailable";
  while (pair.line.fault !== null) await pause(5);
  // The last of them is asked about.
  await pause(500);
  pair.outside.fault = null;
}

/** What lines may have, each for up to `lastsMs`. */
const FAULTS: Readonly<Record<string, (lastsMs: number) => Promise<void>>> = {
  "its line is cut": (lastsMs) => during("cut", [pair.line], lastsMs),
  "its line answers 503": (lastsMs) => during("unavailable", [pair.line], lastsMs),
  "its line carries requests, but no answers": (lastsMs) => during("one way", [pair.line], lastsMs),
  "its line swallows requests": (lastsMs) => during("hanging", [pair.line], lastsMs),
  "its line drops some": async (lastsMs) => {
    const until = Date.now() + lastsMs;
    while (Date.now() < until) {
      if (draw() < 0.5) Object.assign(pair.line, { fault: "cut", remaining: 1 });
      await pause(400);
    }
    Object.assign(pair.line, { fault: null, remaining: Infinity });
  },
  "nobody elsewhere sees the primary": (lastsMs) => during("unavailable", [pair.outside], lastsMs),
  "nobody elsewhere answers": (lastsMs) => during("hanging", [pair.outside], lastsMs),
  "the standby's own network is gone": (lastsMs) =>
    during("cut", [pair.line, pair.outside], lastsMs),
  "two questions in a row fail, time and again, and nobody elsewhere sees the primary":
    async () => {
      for (let i = 0; i < 3; i += 1) {
        await untilMissed(IN_A_ROW - 1);
        await untilAnswered();
      }
    },
  "its line is cut for long, and nobody elsewhere sees the primary for a moment": async (
    lastsMs,
  ) => {
    pair.line.fault = "cut";
    await pause(5_000 + lastsMs / 2);
    Object.assign(pair.outside, { fault: "unavailable", remaining: IN_A_ROW - 1 });
    await pause(lastsMs / 2);
    Object.assign(pair.outside, { fault: null, remaining: Infinity });
    pair.line.fault = null;
  },
};

test(
  `nobody takes over from a healthy primary over ${MINUTES || "a few"} minutes of bad lines`,
  async () => {
    const until = Date.now() + MINUTES * 60_000;
    const names = Object.keys(FAULTS);
    const titles: string[] = [];
    const unaccepted: string[] = [];
    const roles = new Set<string>();
    let [round, isOver, oldestMs] = [0, false, 0];
    const load = async () => {
      const sending = new Set<Promise<void>>();
      for (let i = 0; !isOver; i += 1) {
        const title = `Line ${round} ${i}`;
        titles.push(title);
        const sent = sendToBoth(pair, title, i % 2).then((accepted) => {
          if (!accepted) unaccepted.push(title);
          sending.delete(sent);
        });
        sending.add(sent);
        await pause(EVENT_MS * 2 * draw());
      }
      await Promise.all(sending);
    };
    const watch = async () => {
      while (!isOver) {
        const { role, snapshotAt } = await pair.report();
        roles.add(role);
        if (snapshotAt !== null) oldestMs = Math.max(oldestMs, Date.now() - snapshotAt);
        await pause(200);
      }
    };
    const spoil = async () => {
      for (; round < names.length || Date.now() < until; round += 1) {
        const at = round < names.length ? round : Math.floor(draw() * names.length);
        await FAULTS[names[at] ?? ""]?.(
          MINUTES > 0 ? 2_000 + (LONGEST_MS - 2_000) * draw() : 5_000,
        );
        await untilAnswered();
        await pause(QUIET_MS);
      }
      isOver = true;
    };
    await expect
      .poll(() => pair.report(), SETTLED)
      .toMatchObject({ role: "silent", snapshotAt: expect.any(Number) });
    await Promise.all([load(), watch(), spoil()]);
    await expect.poll(() => pair.report(), SETTLED).toMatchObject({ role: "silent", held: 0 });
    const pagesOf = (count: (it: number) => boolean) =>
      [...countPages(pair, titles)].filter(([, it]) => count(it));
    await expect.poll(() => pagesOf((it) => it === 0), SETTLED).toEqual([]);
    const { deeds } = await pair.report();
    const doubled = pagesOf((it) => it > 1);
    console.log(
      JSON.stringify({
        ...{ rounds: round, events: titles.length, roles: [...roles], deeds },
        ...{ doubled, unaccepted, oldestSnapshotSeconds: Math.round(oldestMs / 1_000) },
        mailsOfTheStandby: pair.standby.mailbox.letters.map(({ subject }) => subject),
      }),
    );
    expect({ roles: [...roles], deeds, doubled, unaccepted }).toEqual({
      ...{ roles: ["silent"], deeds: [], doubled: [], unaccepted: [] },
    });
  },
  // Its own, since its length is a variable's: what others have, and that much longer.
  3_000_000 + MINUTES * 60_000,
);
