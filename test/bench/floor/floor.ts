// Compares this service with a skeleton worker that asks the platform for as much and does nothing with it, side by side in
// one run: what is left is the work of the service itself.

import { Agent } from "node:http";
import { startProvider } from "../../crash/load/provider.ts";
import { acceptedPerSecond } from "../against/senders.ts";
import { line, summary } from "../measure.ts";
import { post } from "../storm/post.ts";
import { compareCounts } from "./counts.ts";
import { duringService, duringSkeleton, type Side } from "./sides.ts";

/** Rounds, in each of which both are measured in turn: the machine may be slower in one of them. */
const ROUNDS = 3;
/** Events whose time to the provider is measured, in each round, one after the other. */
const TIMED = 25;
/** How long logs and alarms may take once everything is delivered (ms). */
const SETTLING_MS = 3_000;
/** How long a provider's call is waited for (ms). */
const TIMEOUT_MS = 120_000;
/** The most of each that the service may take beside the skeleton. */
const GOAL = 1.5;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** What a side reached in one round. */
type Round = {
  /** New alerts accepted, and their people's messages taken by the provider, per second. */
  readonly drained: number;
  /** CPU time of a new alert and of a repeated `Id` (ms). */
  readonly cpuOfNew: number;
  readonly cpuOfRepeated: number;
  readonly repeated: number;
  /** From the webhook to the provider's call, median (ms). */
  readonly toProvider: number;
};

async function untilTaken({ provider }: Side, count: number): Promise<void> {
  for (const started = Date.now(); provider.taken.length < count; await pause(1)) {
    if (Date.now() - started > TIMEOUT_MS)
      throw new Error(`${provider.taken.length} provider calls, not ${count}`);
  }
}

/** The CPU time of the work and of what follows it, for each of `count` (ms). */
async function cpuOf({ cpu }: Side, count: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpu();
  await work();
  await pause(SETTLING_MS);
  return (cpu() - before) / count;
}

async function timeToProvider(side: Side, run: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const [intake] = side.intakes;
  if (intake === undefined) throw new Error("a side has no integration");
  const times: number[] = [];
  for (let i = 0; i < TIMED; i += 1) {
    const taken = side.provider.taken.length;
    const started = Date.now();
    const id = `${run}-timed-${i}`;
    await post(agent, intake.url, intake.bodyOf(id, id));
    await untilTaken(side, taken + 1);
    times.push((side.provider.taken.at(-1)?.at ?? 0) - started);
    await pause(60);
  }
  agent.destroy();
  return summary(times).median;
}

async function measured(side: Side, events: number, run: string): Promise<Round> {
  const contestant = { name: run, intakes: side.intakes, paging: [], calls: async () => new Map() };
  let [drained, repeated] = [0, 0];
  const cpuOfNew = await cpuOf(side, events, async () => {
    const taken = side.provider.taken.length;
    const started = performance.now();
    await acceptedPerSecond(contestant, events, (i) => `${run}-new-${i}`);
    await untilTaken(side, taken + events);
    drained = (events * 1_000) / (performance.now() - started);
  });
  const cpuOfRepeated = await cpuOf(side, events, async () => {
    repeated = await acceptedPerSecond(contestant, events, () => `${run}-new-0`);
  });
  return {
    drained,
    cpuOfNew,
    repeated,
    cpuOfRepeated,
    toProvider: await timeToProvider(side, run),
  };
}

/** Prints the section; returns what is over its goal. `events`: of each kind in a round. */
export async function floor(events: number): Promise<string[]> {
  const provider = await startProvider();
  const faults = await compareCounts(provider.url);
  provider.stop();
  const own: Round[] = [];
  const skeletons: Round[] = [];
  await duringService((service) =>
    duringSkeleton(async (skeleton) => {
      for (const side of [service, skeleton]) await measured(side, 200, "warm");
      for (let round = 0; round < ROUNDS; round += 1) {
        own.push(await measured(service, events, `run-${round}`));
        skeletons.push(await measured(skeleton, events, `run-${round}`));
      }
    }),
  );
  const what = `beside the least that the platform needs, ${ROUNDS} rounds of ${events}`;
  console.log(`\n${line(what, "this, the skeleton", "ratio, goal")}`);
  const compare = (name: string, of: keyof Round, unit: string, isRate: boolean) => {
    const [a, b] = [own, skeletons].map((it) => summary(it.map((round) => round[of])).median);
    const ratio = isRate ? (b ?? 0) / (a ?? 1) : (a ?? 0) / (b ?? 1);
    const digits = isRate ? 0 : 2;
    const values = `${a?.toFixed(digits)}, ${b?.toFixed(digits)} ${unit}`;
    console.log(line(name, values, `${ratio.toFixed(2)} x, <= ${GOAL} x`));
    if (ratio > GOAL) faults.push(`${name}: ${ratio.toFixed(2)} x the skeleton's`);
  };
  compare("new alerts accepted and drained", "drained", "/s", true);
  compare("repeated Ids accepted", "repeated", "/s", true);
  compare("webhook -> provider called", "toProvider", "ms", false);
  compare("CPU of a new alert", "cpuOfNew", "ms", false);
  compare("CPU of a repeated Id", "cpuOfRepeated", "ms", false);
  return faults;
}
