// What an alert's object stores, and direct changes of it.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import type { Alert, LogEntry, Page } from "../../../src/domain/alerts/alert.ts";
import { evict } from "../worker/faults.ts";

/** The stored value. Attempts and confirmations since the last step are in memory only. */
export type StoredValue = {
  alert: Alert;
  timeline: LogEntry[];
  projectedVersion: number;
  outbox: { page: Page; attempts: number; nextAt: number }[];
};

const KEY = "alert";

/** Reads the stored value of an alert's object; null if the object is empty. */
export function storedAlert(stub: DurableObjectStub): Promise<StoredValue | null> {
  return runInDurableObject(stub, (_, { storage }) => {
    const text = storage.kv.get<string>(KEY);
    return text === undefined ? null : (JSON.parse(text) as StoredValue);
  });
}

/** The unconfirmed pages of an alert's object; empty if it is empty. */
export const outboxOf = async (stub: DurableObjectStub): Promise<Page[]> =>
  ((await storedAlert(stub))?.outbox ?? []).map(({ page }) => page);

/** Changes the stored value; the object is evicted, so that it reads the new one. */
export async function rewriteAlert(
  stub: DurableObjectStub,
  change: (value: StoredValue) => StoredValue,
): Promise<void> {
  await evict(stub);
  await runInDurableObject(stub, (_, { storage }) => {
    const text = storage.kv.get<string>(KEY);
    if (text === undefined) throw new Error("the object is empty");
    storage.kv.put(KEY, JSON.stringify(change(JSON.parse(text) as StoredValue)));
  });
  await evict(stub);
}

/** Makes every page in an alert's outbox due and runs the alarm. */
export async function runDueOutbox(stub: DurableObjectStub): Promise<void> {
  // Attempts are noted in memory only.
  await evict(stub);
  await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
  await runDurableObjectAlarm(stub);
}
