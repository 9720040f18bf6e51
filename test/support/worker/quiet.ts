// Waits until the runtime has no background work left, so that later comparisons are stable.
import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { StoredValue } from "../alerts/stored-alert.ts";

/** Long enough for a page that is delivered a second time. */
const PATIENCE = { timeout: 60_000, interval: 50 };

/**
 * Pages due later than this are ignored: an earlier test file created them with a clock set
 * forward, and they do not become due while this test runs. Objects outlive the file that created
 * them.
 */
const MAX_DUE_IN_MS = 300_000;

type ExpectedMail = {
  readonly isIdle?: boolean;
  readonly sentAt?: readonly number[];
  readonly nextAt?: number;
};

/** What an object still waits for: unconfirmed pages, a mail about access. */
async function waitingIn(stub: DurableObjectStub): Promise<unknown[]> {
  return runInDurableObject(stub, (_, { storage }) => {
    const tables = storage.sql.exec("select 1 from sqlite_master where name = 'outbox'").toArray();
    const due = Date.now() + MAX_DUE_IN_MS;
    const alert = JSON.parse(storage.kv.get<string>("alert") ?? "{}") as Partial<StoredValue>;
    const pages =
      tables.length === 0
        ? (alert.outbox ?? []).filter(({ nextAt }) => nextAt < due)
        : storage.sql.exec("select * from outbox where next_at < ?", due).toArray();
    const mail = storage.kv.get<ExpectedMail>("expected");
    // A security mail object that only stores the latest mails, or waits for its window, is idle.
    const isExpected = mail !== undefined && !mail.isIdle && (mail.sentAt?.length ?? 0) < 3;
    // One that failed in an earlier test file, whose mails nobody took, is asked for again later.
    const waits = isExpected && (mail.nextAt ?? 0) < Date.now() + PATIENCE.timeout;
    return waits ? [...pages, mail] : pages;
  });
}

/** Waits until every page is attempted and every broadcast and mail about access is sent. */
export async function waitUntilIdle(): Promise<void> {
  const namespaces = [
    env.ALERT,
    env.BROADCAST,
    env.WELCOME,
    env.ACCESS_MAIL,
    env.SECURITY_MAIL,
  ] as DurableObjectNamespace[];
  await vi.waitFor(async () => {
    const queued = "select id from broadcasts where status = 'queued'";
    expect((await env.DB.prepare(queued).all()).results).toEqual([]);
    for (const namespace of namespaces) {
      for (const id of await listDurableObjectIds(namespace)) {
        expect(await waitingIn(namespace.get(id))).toEqual([]);
      }
    }
  }, PATIENCE);
}
