// Waiting until the runtime has nothing left to do by itself: what is compared with what it was must not be on its way.
import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";

/** Long enough for a page that has to be handed on once more. */
const PATIENCE = { timeout: 60_000, interval: 50 };

/** Whether an object waits for somebody's word: pages that are not confirmed, a new member's mail. */
async function isWaiting(stub: DurableObjectStub): Promise<boolean> {
  return runInDurableObject(stub, (_, { storage }) => {
    const tables = storage.sql.exec("select 1 from sqlite_master where name = 'outbox'");
    if (tables.toArray().length > 0) {
      if (storage.sql.exec("select 1 from outbox limit 1").toArray().length > 0) return true;
    }
    return storage.kv.get("expected") !== undefined;
  });
}

/** Waits until every page has been attempted, every broadcast told, every mail of a new member sent. */
export async function quiet(): Promise<void> {
  const namespaces = [env.ALERT, env.BROADCAST, env.WELCOME] as DurableObjectNamespace[];
  await vi.waitFor(async () => {
    const queued = "select id from broadcasts where status = 'queued'";
    expect((await env.DB.prepare(queued).all()).results).toEqual([]);
    for (const namespace of namespaces) {
      for (const id of await listDurableObjectIds(namespace)) {
        expect(await isWaiting(namespace.get(id)), id.name).toBe(false);
      }
    }
  }, PATIENCE);
}
