// Waiting until the runtime has nothing left to do by itself: what is compared with what it was must not be on its way.
import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";

/** Long enough for a page that has to be handed on once more. */
const PATIENCE = { timeout: 60_000, interval: 50 };

/**
 * A page that waits for longer was handed over under another clock, by a test that had set it forward: objects outlive
 * the file that made them, and it will not move while anybody looks.
 */
const NOT_OF_THIS_CLOCK_MS = 300_000;

/** What an object waits for somebody's word on: pages that are not confirmed, a mail of somebody's access. */
async function waitingIn(stub: DurableObjectStub): Promise<unknown[]> {
  return runInDurableObject(stub, (_, { storage }) => {
    const tables = storage.sql.exec("select 1 from sqlite_master where name = 'outbox'").toArray();
    const due = Date.now() + NOT_OF_THIS_CLOCK_MS;
    const pages =
      tables.length === 0
        ? []
        : storage.sql.exec("select * from outbox where next_at < ?", due).toArray();
    const mail = storage.kv.get<{ isIdle?: boolean; sentAt?: readonly number[] }>("expected");
    // An object of security mail that only remembers the latest mails, or waits for its window, is quiet.
    const waits = mail !== undefined && !mail.isIdle && (mail.sentAt?.length ?? 0) < 3;
    return waits ? [...pages, mail] : pages;
  });
}

/** Waits until every page has been attempted, every broadcast told, every mail of somebody's access sent. */
export async function quiet(): Promise<void> {
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
