// Counts the worker's D1 round trips, object calls, rows of object storage, queue messages and
// mails. Not deployed.

import { D1Counter } from "./d1.ts";
import { ObjectRows } from "./object-rows.ts";
import type { Report } from "./report.ts";

/** The counts since the last reset. */
export class Instruments {
  readonly #d1 = new D1Counter();
  readonly #objects = new ObjectRows();
  readonly #calls: { subject: string; to: string; at: number }[] = [];
  requests = 0;
  #objectCalls = 0;
  /** The duration of objects' calls and alarms, as measured by their callers (ms). */
  #objectMs = 0;
  queueBatches = 0;
  queueMessages = 0;

  /** `countsRows`: also counts the rows of objects' storage. */
  reset(countsRows: boolean): void {
    this.#d1.reset();
    this.#objects.reset(countsRows);
    this.#calls.length = 0;
    this.requests = 0;
    this.#objectCalls = 0;
    this.#objectMs = 0;
    this.queueBatches = 0;
    this.queueMessages = 0;
  }

  report(): Report {
    const { requests, queueBatches, queueMessages } = this;
    return {
      ...this.#d1.report(),
      ...this.#objects.report(),
      calls: this.#calls,
      ...{ requests, objectCalls: this.#objectCalls, objectMs: this.#objectMs },
      ...{ queueBatches, queueMessages },
    };
  }

  /** Counts an object's storage, by the name of its class; returns its instrumented environment. */
  enter(className: string, ctx: DurableObjectState, env: Cloudflare.Env): Cloudflare.Env {
    this.#objects.watch(className, ctx.storage);
    return this.around(className, env);
  }

  /** Wraps the environment of `who` to count everything. */
  around(who: string, env: Cloudflare.Env): Cloudflare.Env {
    const bindings = Object.entries(env).map(([name, binding]) => [
      name,
      isNamespace(binding) ? this.#namespace(binding) : binding,
    ]);
    return {
      ...(Object.fromEntries(bindings) as Cloudflare.Env),
      DB: this.#d1.connection(who, env.DB),
      EMAIL: {
        send: async ({ subject, to }: { subject: string; to: string }) => {
          this.#calls.push({ subject, to: String(to), at: Date.now() });
          return { messageId: `bench-${crypto.randomUUID()}` };
        },
      } as unknown as SendEmail,
    };
  }

  /** Records a call or alarm of an object, and its duration. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    this.#objectCalls += 1;
    try {
      return await work();
    } finally {
      this.#objectMs += performance.now() - started;
    }
  }

  #namespace(real: Named): Named {
    const getByName = (name: string) => {
      const stub = real.getByName(name);
      return new Proxy(stub, {
        // Every property access on a stub's method is an RPC call, even `apply`.
        get:
          (_, method) =>
          (...parameters: unknown[]) =>
            this.during(async () => {
              const call = Reflect.get(stub, method) as (...it: unknown[]) => Promise<unknown>;
              return Reflect.apply(call, stub, parameters);
            }),
      });
    };
    return { getByName };
  }
}

type Named = { getByName(name: string): object };

/** A service binding, such as that of the assets, claims to have every method. */
const isNamespace = (binding: unknown): binding is Named =>
  typeof binding === "object" &&
  binding !== null &&
  "idFromName" in binding &&
  !("fetch" in binding);
