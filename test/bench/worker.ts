// The worker as it is, with instruments: an empty object to compare with, D1 that counts, a mail provider that
// notes when it was called. Nothing of it is deployed.
import { DurableObject } from "cloudflare:workers";
import { createApp } from "../../src/app.ts";
import { AlertObject as PlainAlertObject } from "../../src/objects/alert-object.ts";
import { IntegrationInbox as PlainInbox } from "../../src/objects/integration-inbox.ts";
import { consume } from "../../src/queue/consumer.ts";

export { BroadcastObject } from "../../src/objects/broadcast-object.ts";
export { DedupKeyObject } from "../../src/objects/dedup-key.ts";
export { PersonObject } from "../../src/objects/person-object.ts";
export { ScheduleObject } from "../../src/objects/schedule-object.ts";
export { WelcomeObject } from "../../src/objects/welcome-object.ts";

type Count = { trips: number; queries: number; rowsRead: number; rowsWritten: number };

const counts = new Map<string, Count>();
const calls: { subject: string; at: number }[] = [];
let objectCalls = 0;
let queueMessages = 0;

function countOf(who: string): Count {
  const count = counts.get(who) ?? { trips: 0, queries: 0, rowsRead: 0, rowsWritten: 0 };
  counts.set(who, count);
  return count;
}

function note(who: string, results: readonly D1Result[]): void {
  const count = countOf(who);
  count.trips += 1;
  for (const { meta } of results) {
    count.queries += 1;
    count.rowsRead += meta?.rows_read ?? 0;
    count.rowsWritten += meta?.rows_written ?? 0;
  }
}

/** A prepared statement whose runs are counted; `inner` is what a batch needs. */
function counted(who: string, inner: D1PreparedStatement): D1PreparedStatement {
  const run = async () => {
    const result = await inner.all();
    note(who, [result]);
    return result;
  };
  return {
    inner,
    bind: (...values: unknown[]) => counted(who, inner.bind(...values)),
    all: run,
    run,
    first: async () => (await run()).results[0] ?? null,
    raw: async (options: { columnNames?: false }) => {
      const rows = await inner.raw(options);
      note(who, [{ meta: { rows_read: rows.length, rows_written: 0 } } as unknown as D1Result]);
      return rows;
    },
  } as unknown as D1PreparedStatement;
}

function connection<C extends Pick<D1Database, "prepare" | "batch">>(who: string, real: C): C {
  return new Proxy(real, {
    get(target, name) {
      if (name === "prepare") return (query: string) => counted(who, target.prepare(query));
      if (name === "batch") {
        return async (statements: { inner: D1PreparedStatement }[]) => {
          const results = await target.batch(statements.map((it) => it.inner));
          note(who, results);
          return results;
        };
      }
      if (name === "withSession") {
        const database = target as unknown as D1Database;
        return (constraint: string) => connection(who, database.withSession(constraint));
      }
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function instrumented(who: string, env: Cloudflare.Env): Cloudflare.Env {
  return {
    ...env,
    DB: connection(who, env.DB),
    EMAIL: {
      send: async (message: { subject: string }) => {
        calls.push({ subject: message.subject, at: Date.now() });
        return { messageId: "bench" };
      },
    } as unknown as SendEmail,
  };
}

export class EmptyObject extends DurableObject {
  async nothing(): Promise<number> {
    return 1;
  }
}

export class AlertObject extends PlainAlertObject {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, instrumented("alert object", env));
  }
  override async create(...parameters: Parameters<PlainAlertObject["create"]>) {
    objectCalls += 1;
    return super.create(...parameters);
  }
  override async command(...parameters: Parameters<PlainAlertObject["command"]>) {
    objectCalls += 1;
    return super.command(...parameters);
  }
  override async confirm(...parameters: Parameters<PlainAlertObject["confirm"]>) {
    objectCalls += 1;
    return super.confirm(...parameters);
  }
  override async alarm() {
    objectCalls += 1;
    return super.alarm();
  }
}

export class IntegrationInbox extends PlainInbox {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, instrumented("inbox", env));
  }
  override async receive(...parameters: Parameters<PlainInbox["receive"]>) {
    objectCalls += 1;
    return super.receive(...parameters);
  }
  override async alarm() {
    objectCalls += 1;
    return super.alarm();
  }
}

type BenchEnv = Cloudflare.Env & { EMPTY: DurableObjectNamespace<EmptyObject> };

const app = createApp();

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === "/bench/empty") {
      await env.EMPTY.getByName("one").nothing();
      return Response.json({});
    }
    if (pathname === "/bench/report") {
      const report = { d1: Object.fromEntries(counts), objectCalls, queueMessages, calls };
      return Response.json(report);
    }
    if (pathname === "/bench/reset") {
      counts.clear();
      calls.length = 0;
      objectCalls = 0;
      queueMessages = 0;
      return Response.json({});
    }
    return app.fetch(request, instrumented("worker", env), ctx);
  },
  queue(batch, env) {
    queueMessages += batch.messages.length;
    return consume(batch, instrumented("consumer", env));
  },
} satisfies ExportedHandler<BenchEnv>;
