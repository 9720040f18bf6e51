// Waits until the runtime has no background work left, so that later comparisons are stable.
import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { StoredValue } from "../alerts/stored-alert.ts";

/** Long enough for a page that is delivered a second time. */
const PATIENCE = { timeout: 60_000, interval: 50 };

/** An object that has not answered by then is asked again (ms). */
const ANSWER_MS = 5_000;

/**
 * An alarm that is later than this (ms) is run from here: whether the runtime keeps it while files
 * follow one another is not what is waited for.
 */
const OVERDUE_MS = 5_000;

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

const isOverdue = (work: unknown): boolean => {
  const { nextAt = Infinity } = work as Partial<ExpectedMail>;
  return nextAt < Date.now() - OVERDUE_MS;
};

/** The work of an object, or that it gave no answer: it is asked again. */
async function answerOf(stub: DurableObjectStub): Promise<unknown[]> {
  const silence = new Promise<unknown[]>((resolve) => {
    setTimeout(() => resolve(["no answer"]), ANSWER_MS);
  });
  return Promise.race([waitingIn(stub), silence]);
}

/**
 * Waits until every page is attempted and every broadcast and mail about access is sent. Each object
 * is waited for by itself: one that is slow delays none of the others' checks.
 */
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
  }, PATIENCE);
  for (const namespace of namespaces) {
    for (const id of await listDurableObjectIds(namespace)) {
      const stub = namespace.get(id);
      await vi.waitFor(async () => {
        const waiting = await answerOf(stub);
        if (waiting.some(isOverdue)) await runDurableObjectAlarm(stub);
        expect({ at: Date.now(), waiting }).toEqual({ at: expect.any(Number), waiting: [] });
      }, PATIENCE);
    }
  }
}
