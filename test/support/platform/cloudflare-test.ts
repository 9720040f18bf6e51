// The module `cloudflare:test` in Node: what the tests use of it.
import { slotOf } from "./objects.ts";
import { evictAll, newExecutionContext, objectsOf, reset as resetPlatform } from "./platform.ts";
import { messageOf, type Outcome } from "./queues.ts";

export { env } from "./platform.ts";

/** Calls a function with the object's instance and state. */
export async function runInDurableObject(
  stub: object,
  work: (instance: object, state: any) => unknown,
): Promise<unknown> {
  return slotOf(stub).run(({ instance, state }) => work(instance, state));
}

/** Runs the object's alarm if one is set. */
export async function runDurableObjectAlarm(stub: object): Promise<boolean> {
  return slotOf(stub).run(async ({ instance, state }) => {
    const { storage } = state as DurableObjectState;
    if ((await storage.getAlarm()) === null) return false;
    await storage.deleteAlarm();
    await instance.alarm?.();
    return true;
  });
}

export async function evictDurableObject(stub: object): Promise<void> {
  slotOf(stub).evict();
}

export async function abortAllDurableObjects(): Promise<void> {
  evictAll();
}

export async function listDurableObjectIds(namespace: unknown): Promise<object[]> {
  return objectsOf(namespace).stored();
}

export async function reset(): Promise<void> {
  resetPlatform();
}

export const createExecutionContext = newExecutionContext;

export async function waitOnExecutionContext({
  waiting,
}: ReturnType<typeof newExecutionContext>): Promise<void> {
  while (waiting.length > 0) await Promise.all(waiting.splice(0));
}

export const createScheduledController = (
  options: { scheduledTime?: Date; cron?: string } = {},
) => ({
  scheduledTime: Number(options.scheduledTime ?? Date.now()),
  cron: options.cron ?? "",
  noRetry: () => {},
});

type Sent = { id: string; timestamp: Date; body: unknown; attempts: number };

/** A batch of messages, as the consumer gets it. */
export function createMessageBatch(queue: string, sent: readonly Sent[]) {
  const outcomes = sent.map((): Outcome => ({}));
  const all: Outcome = {};
  return {
    ...{ queue, outcomes, all },
    messages: sent.map((it, at) =>
      messageOf({ ...it, body: structuredClone(it.body) }, outcomes[at] ?? {}),
    ),
    ackAll: () => {
      all.decided ??= "ack";
    },
    retryAll: () => {
      all.decided ??= "retry";
    },
  };
}

/** What became of a batch. */
export async function getQueueResult(
  { messages, outcomes, all }: ReturnType<typeof createMessageBatch>,
  context: ReturnType<typeof newExecutionContext>,
) {
  await waitOnExecutionContext(context);
  const idsOf = (decided: Outcome["decided"]) =>
    messages.filter((_, at) => outcomes[at]?.decided === decided).map(({ id }) => id);
  return {
    outcome: "ok",
    ackAll: all.decided === "ack",
    retryBatch: { retry: all.decided === "retry" },
    explicitAcks: idsOf("ack"),
    retryMessages: idsOf("retry").map((msgId) => ({
      msgId,
      delaySeconds: outcomes[messages.findIndex(({ id }) => id === msgId)]?.delaySeconds,
    })),
  };
}

type Migration = { readonly name: string; readonly queries: readonly string[] };

/** Applies migrations that were not applied yet. */
export async function applyD1Migrations(
  database: D1Database,
  migrations: readonly Migration[],
): Promise<void> {
  await database.prepare("create table if not exists d1_migrations (name text unique)").run();
  for (const { name, queries } of migrations) {
    const note = "insert into d1_migrations values (?)";
    await database.batch([
      ...queries.map((query) => database.prepare(query)),
      database.prepare(note).bind(name),
    ]);
  }
}
