// The outbox that all objects share: what is due, when it is due again, and what becomes of it while it is sent.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  attempted,
  type OutboxRow,
  type OutboxStore,
  refused,
  rescheduled,
  sendDue,
} from "../../../src/kernel/objects/outbox.ts";

type Row = OutboxRow & { readonly id: string };

const idOf = ({ id }: Row) => id;
const row = (id: string, attempts = 0, nextAt = 0): Row => ({ id, attempts, nextAt });

let rows: Row[];
let log: unknown[];
const store: OutboxStore<Row> = {
  due: (now) => rows.filter(({ nextAt }) => nextAt <= now).slice(0, 2),
  update: (changed) => {
    rows = rescheduled(rows, changed, idOf);
  },
};

/** Sends what is due; `sendBatch` is the queue's. */
const send = (sendBatch: (messages: { body: { id: string } }[]) => Promise<void>) =>
  sendDue<Row>({
    store,
    queue: { sendBatch: (batch: never) => sendBatch(batch) } as unknown as Queue,
    arm: () => log.push(`armed for ${Math.min(...rows.map(({ nextAt }) => nextAt))}`),
    messagesOf: (due) => due.map(({ id }) => ({ id })),
  });

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  log = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test("a row is due again unless it is confirmed in time, sooner if it was refused", () => {
  const waits = [0, 1, 2, 3, 4, 5, 60].map((attempts) => attempted(row("a", attempts), 0).nextAt);
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  const pauses = [0, 1, 2, 3, 4, 5, 60].map((attempts) => refused(row("a", attempts), 0).nextAt);
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(attempted(row("a", 3), 0).attempts).toBe(4);
  expect(refused(row("a", 3), 0).attempts).toBe(4);
});

test("all that is due is sent, each row once, and its attempt is stored before it is made", async () => {
  rows = [row("a"), row("b"), row("c"), row("later", 0, 2_000_000)];
  await send(async (batch) => {
    log.push(batch.map(({ body }) => body.id));
    // Whoever comes meanwhile finds nothing of it due.
    const due = store.due(Date.now()).map(idOf);
    expect(due.filter((id) => batch.some(({ body }) => body.id === id))).toEqual([]);
  });
  expect(log).toEqual(["armed for 0", ["a", "b"], "armed for 1005000", ["c"]]);
  expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 0]);
});

test("what the queue refuses is due again soon, and what was confirmed meanwhile is gone", async () => {
  rows = [row("a"), row("b")];
  const sending = send(async () => {
    rows = rows.filter(({ id }) => id !== "a");
    throw new Error("Too Many Requests");
  });
  await expect(sending).rejects.toThrow("Too Many Requests");
  expect(rows).toEqual([row("b", 1, 1_001_000)]);
  expect(log).toEqual(["armed for 1005000", "armed for 1001000"]);
});

test("an attempt leaves what else a row says as it is now", async () => {
  const named = { ...row("a"), name: "Grace" };
  expect(rescheduled([{ ...named, name: "Removed" }], [attempted(named, 0)], idOf)).toEqual([
    { ...row("a", 1, 5_000), name: "Removed" },
  ]);
});
