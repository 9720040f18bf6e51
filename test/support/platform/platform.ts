// The platform in Node: the bindings of `wrangler.toml`, with the worker of `src/index.ts` behind them.
import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { resolve } from "node:path";
import { parse } from "smol-toml";
import { finalSchema } from "../local/final-schema.ts";
import { testVariables } from "../worker/variables.ts";
import { Bucket, mail, openAssets, RateLimit } from "./bindings.ts";
import { beginContext, type Context, endAll, runIn, wait } from "./context.ts";
import { openD1 } from "./d1.ts";
import { Namespace } from "./objects.ts";
import { openQueues } from "./queues.ts";

const root = resolve(import.meta.dirname, "../../..");

type Configuration = {
  readonly vars: Readonly<Record<string, string>>;
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly queues: {
    readonly producers: readonly { readonly binding: string; readonly queue: string }[];
    readonly consumers: readonly {
      readonly queue: string;
      readonly max_batch_size: number;
      readonly max_retries: number;
      readonly dead_letter_queue?: string;
    }[];
  };
  readonly ratelimits: readonly {
    readonly name: string;
    readonly simple: { readonly limit: number; readonly period: number };
  }[];
};

const configuration = parse(
  readFileSync(`${root}/wrangler.toml`, "utf8"),
) as unknown as Configuration;

const loadWorker = () => import("../../../src/index.ts");

let requests: Context = beginContext();

/** What a request, a batch or a cron of the worker may do after it. */
export function newExecutionContext() {
  const waiting: Promise<unknown>[] = [];
  return {
    waiting,
    props: {},
    exports,
    waitUntil: (work: Promise<unknown>) => {
      const done = Promise.resolve(work);
      done.catch(() => {});
      waiting.push(done);
    },
    passThroughOnException: () => {},
  };
}

/** The length of a body, as a client says it; null if it is a stream. */
function lengthOf(body: unknown): number | null {
  if (typeof body === "string" || body instanceof URLSearchParams) {
    return Buffer.byteLength(String(body));
  }
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength;
  return null;
}

function requestOf(input: RequestInfo | URL, init: RequestInit = {}): Request {
  const request = new Request(input as Request, { duplex: "half", ...init } as RequestInit);
  const length = lengthOf(init.body);
  if (length !== null && !request.headers.has("content-length")) {
    request.headers.set("Content-Length", String(length));
  }
  return request;
}

/** The worker's own entrance. */
const entrance = {
  async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const { default: worker } = await loadWorker();
    const request = requestOf(input, init);
    const context = newExecutionContext();
    const { body, status, headers } = await runIn(requests, async () =>
      worker.fetch(request as never, env, context as unknown as ExecutionContext),
    );
    const response = new Response(body as BodyInit | null, {
      ...{ status, headers: headers as unknown as Headers, statusText: STATUS_CODES[status] ?? "" },
    });
    return Object.defineProperty(response, "url", { value: request.url });
  },
};

/** What the worker exports, as bindings of itself. */
export const exports = { default: entrance };

const database = openD1();

const queues = openQueues(
  Object.fromEntries(configuration.queues.consumers.map((it) => [it.queue, it])),
  async (batch) => {
    const { default: worker } = await loadWorker();
    const context = newExecutionContext() as unknown as ExecutionContext;
    await runIn(requests, () => worker.queue(batch as never, env, context));
  },
);

const namespaces = Object.fromEntries(
  configuration.durable_objects.bindings.map(({ name, class_name: className }) => [
    name,
    new Namespace(className, {
      exports,
      env: () => env,
      classNamed: async (it) => ((await loadWorker()) as never)[it],
    }),
  ]),
);
const rateLimits = Object.fromEntries(
  configuration.ratelimits.map(({ name, simple }) => [name, new RateLimit(simple)]),
);
const archive = new Bucket();

/** The bindings and variables of the tests' worker. */
export const env = {
  ...configuration.vars,
  ...testVariables(process.env),
  TEST_SCHEMA: finalSchema(`${root}/migrations`),
  ...namespaces,
  ...rateLimits,
  ...Object.fromEntries(
    configuration.queues.producers.map(({ binding, queue }) => [binding, queues.queueNamed(queue)]),
  ),
  DB: database.database,
  ARCHIVE: archive,
  ASSETS: openAssets(`${root}/dist/assets`),
  EMAIL: mail,
  VERSION: { id: "node", tag: "", timestamp: "" },
} as unknown as Cloudflare.Env;

/** The objects of a binding's class. */
export const objectsOf = (binding: unknown): Namespace => {
  const found = Object.values(namespaces).find((it) => it === binding);
  if (found === undefined) throw new TypeError("not a namespace of objects");
  return found;
};

/** Ends everything that is under way, and empties all storage. */
export function reset(): void {
  endAll();
  requests = beginContext();
  queues.reset();
  for (const namespace of Object.values(namespaces)) namespace.reset();
  for (const limit of Object.values(rateLimits)) limit.reset();
  archive.reset();
  database.reset();
}

export function evictAll(): void {
  for (const namespace of Object.values(namespaces)) namespace.evictAll();
}

// What the runtime has, and Node has not.
Object.assign(globalThis, {
  scheduler: {
    wait: (ms: number, options?: { signal?: AbortSignal }) => wait(ms, options?.signal),
  },
  WebSocketRequestResponsePair: class {
    readonly request: string;
    readonly response: string;
    constructor(request: string, response: string) {
      this.request = request;
      this.response = response;
    }
  },
});
