// The lanes of `npm run serve`: which takes what, whatever else is consumed and fails.
import { expect, test } from "vitest";
import { LANE_BATCH, LANES, MAIN_QUEUE, throughLanes } from "../../../src/setup/serve/lanes.ts";

const batchOf = (queue: string, count: number) =>
  ({ queue, messages: Array.from({ length: count }, (_, n) => ({ body: { n } })) }) as never;

/** Queues that note how many messages each got. `fails`: the next one is refused. */
function makeBindings() {
  const got = new Map<string, number>(LANES.map(({ queue }) => [queue, 0]));
  const state = { fails: false };
  const bindings = Object.fromEntries(
    LANES.map(({ binding, queue }) => [
      binding,
      {
        sendBatch: async (sent: readonly unknown[]) => {
          if (state.fails) throw new Error("refused");
          got.set(queue, (got.get(queue) ?? 0) + sent.length);
        },
      },
    ]),
  );
  return { got, state, bindings };
}

const nothing = async () => {};
const handled = async (queue: string, count: number) =>
  throughLanes(batchOf(queue, count), {}, nothing);

test("messages go to the freest lane, a few at a time, and none elsewhere", async () => {
  const { got, state, bindings } = makeBindings();
  const send = (count: number) => throughLanes(batchOf(MAIN_QUEUE, count), bindings, nothing);
  // All lanes have as much to do; what is dead, or fails, changes nothing.
  await send(LANES.length * LANE_BATCH);
  expect(new Set(got.values())).toEqual(new Set([LANE_BATCH]));
  await handled("tocsin-pages-dead", 5);
  state.fails = true;
  await expect(send(1)).rejects.toThrow("refused");
  state.fails = false;
  await send(LANES.length);
  expect([...got.values()].reduce((sum, it) => sum + it, 0)).toBe(LANES.length * (LANE_BATCH + 1));
  // The one that has handled what it had takes the next.
  const [, , third] = LANES;
  const before = got.get(third?.queue ?? "") ?? 0;
  await handled(third?.queue ?? "", before);
  await send(1);
  expect(got.get(third?.queue ?? "")).toBe(before + 1);
});

test("a batch of a lane that fails is no longer counted, and is delivered again", async () => {
  const { got, bindings } = makeBindings();
  const [first] = LANES;
  for (const { queue } of LANES) await handled(queue, 1_000);
  await throughLanes(batchOf(MAIN_QUEUE, 1), bindings, nothing);
  const fail = async () => {
    throw new Error("the consumer failed");
  };
  await expect(throughLanes(batchOf(first?.queue ?? "", 1), {}, fail)).rejects.toThrow();
  await throughLanes(batchOf(MAIN_QUEUE, 1), bindings, nothing);
  expect(got.get(first?.queue ?? "")).toBe(2);
});
