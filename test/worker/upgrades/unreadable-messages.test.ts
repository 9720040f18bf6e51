// What a newer version sends while this one still consumes: it waits for that version.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import worker from "../../../src/index.ts";

test.each(["tocsin-pages", "tocsin-pages-dead"])(
  "leaves a newer message in %s and takes the others",
  async (queue) => {
    const bodies = [
      { accountId: "acc", close: { alertId: "alt" }, v: 2 },
      { later: true },
      { accountId: "acc", close: { alertId: "alt" } },
    ];
    const batch = createMessageBatch(
      queue,
      bodies.map((body, i) => ({ id: `${i}`, timestamp: new Date(), attempts: 1, body })),
    );
    const retries = batch.messages.map((message) => vi.spyOn(message, "retry"));
    const context = createExecutionContext();
    await worker.queue(batch, env, context);
    const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
    expect(explicitAcks).toEqual(["2"]);
    expect(retryMessages.map(({ msgId }) => msgId)).toEqual(["0", "1"]);
    const pauses = retries.flatMap(({ mock }) => mock.calls.map(([it]) => it?.delaySeconds));
    const seconds = queue === "tocsin-pages" ? 60 : 900;
    expect(pauses).toEqual([seconds, seconds]);
  },
);
