// The outbox of an object: what it sends until somebody confirms the effect. A row is stored in the
// commit that decides it, so that neither a crash nor the loss of the queue loses it; its receiver
// must be idempotent by effect id. Objects store their rows differently: a table, or a list in the
// one value that a step writes. What is common is here: an attempt is stored before it is made, and
// its row is due again unless it is confirmed in time, so that the object's alarm is the net below.

import type { Sender } from "./pages-queue.ts";
import { confirmationTimeout, retryDelay } from "./retry.ts";
import { sendAll } from "./send-all.ts";

export type OutboxRow = {
  /** How often it was sent. */
  readonly attempts: number;
  /** When it is sent (again), unless it is confirmed before (epoch ms). */
  readonly nextAt: number;
};

/** The row once it is sent at `now` (epoch ms): due again unless it is confirmed in time. */
export const attempted = <Row extends OutboxRow>(row: Row, now: number): Row => ({
  ...row,
  attempts: row.attempts + 1,
  nextAt: now + confirmationTimeout(row.attempts),
});

/** The row, as it was before, once its receiver has refused it at `now` (epoch ms): due again sooner. */
export const refused = <Row extends OutboxRow>(row: Row, now: number): Row => ({
  ...row,
  attempts: row.attempts + 1,
  nextAt: now + retryDelay(row.attempts),
});

/** The rows of a list, with the attempts of those that were sent; what else they say is as it is now. */
export function rescheduled<Row extends OutboxRow>(
  rows: readonly Row[],
  sent: readonly Row[],
  idOf: (row: Row) => string,
): Row[] {
  const byId = new Map(
    sent.map((row) => [idOf(row), { attempts: row.attempts, nextAt: row.nextAt }]),
  );
  return rows.map((row) => ({ ...row, ...byId.get(idOf(row)) }));
}

/** Where an object stores its outbox. Synchronous: one turn, one commit. */
export type OutboxStore<Row extends OutboxRow> = {
  /** What is due at `now` (epoch ms); of much a part. */
  readonly due: (now: number) => readonly Row[];
  /** Stores the attempts of rows. One that was confirmed meanwhile stays confirmed. */
  readonly update: (rows: readonly Row[]) => void;
};

type Sending<Row extends OutboxRow> = {
  readonly store: OutboxStore<Row>;
  readonly queue: Sender;
  /** Sets the object's alarm for what is stored. */
  readonly arm: () => void;
  readonly messagesOf: (rows: readonly Row[]) => readonly unknown[];
};

/**
 * Sends rows to the queue. The attempt is stored first: no other call or alarm may repeat it while
 * the queue is slow. Throws if the queue refuses them; they are due again soon then.
 */
export async function sendRows<Row extends OutboxRow>(
  { store, queue, arm, messagesOf }: Sending<Row>,
  rows: readonly Row[],
): Promise<void> {
  const now = Date.now();
  store.update(rows.map((row) => attempted(row, now)));
  arm();
  try {
    await sendAll(queue, messagesOf(rows));
  } catch (error) {
    const refusedAt = Date.now();
    store.update(rows.map((row) => refused(row, refusedAt)));
    arm();
    throw error;
  }
}

/** Sends to the queue until nothing is due. Throws if the queue refuses it. */
export async function sendDue<Row extends OutboxRow>(sending: Sending<Row>): Promise<void> {
  for (;;) {
    const rows = sending.store.due(Date.now());
    if (rows.length === 0) return;
    await sendRows(sending, rows);
  }
}
