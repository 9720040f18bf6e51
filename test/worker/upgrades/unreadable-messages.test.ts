// What a newer version sends while this one still consumes: it waits for that version. What the previous
// version has sent, without a kind, is read. What has not the shape of its kind is taken for nothing else.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import worker from "../../../src/index.ts";

const close = { accountId: "acc", close: { alertId: "alt" } };

test.each(["tocsin-pages", "tocsin-pages-dead"])(
  "leaves a newer message in %s and takes the others",
  async (queue) => {
    const bodies = [
      { ...close, kind: "close", v: 2 },
      { later: true },
      close,
      { ...close, v: 2 },
      { ...close, kind: "later", v: 1 },
      { ...close, kind: "page", v: 1 },
      { accountId: "acc", page: { effectId: "1" } },
      { ...close, kind: "close", v: 1 },
      null,
    ];
    const batch = createMessageBatch(
      queue,
      bodies.map((body, i) => ({ id: `${i}`, timestamp: new Date(), attempts: 1, body })),
    );
    const retries = batch.messages.map((message) => vi.spyOn(message, "retry"));
    const context = createExecutionContext();
    await worker.queue(batch, env, context);
    const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
    expect(explicitAcks.sort()).toEqual(["2", "5", "6", "7", "8"]);
    expect(retryMessages.map(({ msgId }) => msgId)).toEqual(["0", "1", "3", "4"]);
    const pauses = retries.flatMap(({ mock }) => mock.calls.map(([it]) => it?.delaySeconds));
    const seconds = queue === "tocsin-pages" ? 60 : 900;
    expect(pauses).toEqual(Array.from({ length: 4 }, () => seconds));
  },
);
