// The queues of a deployment are called after its worker, whatever that is called.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { consume } from "../../../src/consumer.ts";

const later = { waitUntil: () => {} };
const batchOf = (queue: string) =>
  ({ queue, messages: [], ackAll() {}, retryAll() {} }) as unknown as MessageBatch<unknown>;

test.each(["tocsin-pages", "tocsin-pages-dead", "acme-pager-pages", "acme-pager-pages-dead"])(
  "%s has a consumer",
  async (queue) => {
    await expect(consume(batchOf(queue), env, later)).resolves.toBeUndefined();
  },
);

test("another queue has none", async () => {
  await expect(consume(batchOf("acme-mails"), env, later)).rejects.toThrow("no consumer");
});
