// Steps of an object that run one at a time.
import { expect, test } from "vitest";
import { SerialQueue } from "../../../src/kernel/objects/serial-queue.ts";

test("steps run one at a time, in order, whatever becomes of those before", async () => {
  const queue = new SerialQueue();
  const log: string[] = [];
  const step = (name: string, turns: number) =>
    queue.run(async () => {
      log.push(`${name} begins`);
      for (let i = 0; i < turns; i += 1) await Promise.resolve();
      log.push(`${name} ends`);
      if (name === "b") throw new Error("refused");
      return name;
    });
  const results = await Promise.allSettled([step("a", 9), step("b", 5), step("c", 1)]);
  expect(log).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await step("d", 0)).toBe("d");
});
