// What Miniflare is told: `wrangler.toml` as it is, with its storage in a folder, without what only Cloudflare has.
//
// Why Miniflare, and no configuration of workerd of our own: the database, the queue, the bucket, the limits and the assets
// are workers of Miniflare's around workerd's SQLite and disk, which such a configuration would have to name file by file.
// It has no promise of support, so its version is exact and wrangler's own, and a test names what is used of it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MiniflareOptions, Request, Response, WorkerdStructuredLog } from "miniflare";
import type { WranglerConfig } from "../deploying/worker-config.ts";
import { root } from "../processes/wrangler.ts";
import { LANE_BATCH, LANES, MAIN_QUEUE } from "./lanes.ts";

type Config = MiniflareOptions["workers"][number]["config"];
type Bindings = NonNullable<Config["env"]>;

/** The name of the worker, on which the ids of its objects depend. */
export const WORKER = "tocsin";
const OUTBOUND = "outbound";

/** The entry points of the modules and the folders of what is built, relative to the root. */
export const MODULES = {
  worker: { main: "src/setup/serve/worker.ts", folder: "dist/serve/worker" },
  outbound: { main: "src/setup/serve/outbound.ts", folder: "dist/serve/outbound" },
} as const;

export type RuntimeInput = {
  /** Absolute path of the folder with the storage. */
  readonly state: string;
  /** The worker's variables and secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Hosts of the private network to which the worker may send requests. */
  readonly privateHosts: readonly string[];
};

export type RuntimeHandlers = {
  readonly onLog: (log: WorkerdStructuredLog) => void;
  /** The runtime ended by itself, and runs again. */
  readonly onRestart: () => void;
  /** Sends the mail in the body; null where no SMTP server is configured. */
  readonly sendMail: ((request: Request) => Promise<Response>) | null;
};

/** The parts of `wrangler.toml` that are read here. */
type Base = {
  readonly compatibility_date: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly assets: {
    readonly binding: string;
    readonly directory: string;
    readonly run_worker_first: readonly string[];
  };
  readonly version_metadata: { readonly binding: string };
  readonly d1_databases: readonly { readonly binding: string }[];
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name: string }[];
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly exports: NonNullable<Config["exports"]>;
  readonly queues: {
    readonly producers: readonly { readonly binding: string; readonly queue: string }[];
    readonly consumers: readonly {
      readonly queue: string;
      readonly dead_letter_queue?: string;
      readonly max_batch_size: number;
      readonly max_batch_timeout: number;
      readonly max_retries: number;
    }[];
  };
  readonly ratelimits: readonly {
    readonly name: string;
    readonly namespace_id: string;
    readonly simple: { readonly limit: number; readonly period: 10 | 60 };
  }[];
};

/** What was built of an entry point. */
function readManifest({ main, folder }: { readonly main: string; readonly folder: string }) {
  const modulesRoot = join(root, folder);
  const names = readdirSync(modulesRoot).filter((name) => name.endsWith(".js"));
  const modules = names.map((name) => {
    const contents = readFileSync(join(modulesRoot, name), "utf8");
    return [name, { type: "esm" as const, contents }] as const;
  });
  const mainModule = main.replace(/^.*\/(\w+)\.ts$/, "$1.js");
  return { mainModule, modulesRoot, modules: Object.fromEntries(modules) };
}

/** The version that `/health` names: the same for the same code. */
function versionOf({ modules }: ReturnType<typeof readManifest>): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(modules).sort()) {
    hash.update(`${name}\0${modules[name]?.contents}\0`);
  }
  return hash.digest("hex").slice(0, 16);
}

const mapped = <Entry>(
  entries: readonly Entry[],
  bind: (entry: Entry) => readonly [string, Bindings[string]],
): Bindings => Object.fromEntries(entries.map(bind));

/** The queues that are consumed: each lane as the main queue is, a few messages at a time. */
function consumersOf({ queues: { consumers } }: Base) {
  const main = consumers.filter((it) => it.queue === MAIN_QUEUE);
  const lanes = LANES.flatMap(({ queue }) =>
    main.map((it) => ({ ...it, queue, max_batch_size: LANE_BATCH })),
  );
  return [...consumers, ...lanes];
}

/** The bindings. Their identifiers are those of `wrangler dev`, whose state is the same. */
function bindingsOf(base: Base, version: string): Bindings {
  return {
    [base.assets.binding]: { type: "assets" },
    [base.version_metadata.binding]: { type: "json", value: { id: version, tag: "" } },
    ...mapped(base.d1_databases, ({ binding }) => [binding, { type: "d1", id: binding }]),
    ...mapped(base.r2_buckets, (it) => [it.binding, { type: "r2", name: it.bucket_name }]),
    ...mapped(base.durable_objects.bindings, ({ name, class_name: exportName }) => [
      name,
      { type: "durable-object", worker: WORKER, exportName },
    ]),
    ...mapped([...base.queues.producers, ...LANES], (it) => [
      it.binding,
      { type: "queue", name: it.queue },
    ]),
    ...mapped(base.ratelimits, ({ name, namespace_id: namespace, simple }) => [
      name,
      { type: "rate-limit", namespace, simple },
    ]),
  };
}

const textsOf = (variables: Readonly<Record<string, string>>): Bindings =>
  mapped(Object.entries(variables), ([name, value]) => [name, { type: "text", value }]);

/** A network that a request may go to, with the certificates of browsers. */
const network = (...allow: readonly string[]): Bindings[string] => ({
  type: "network",
  allow: [...allow],
  tlsOptions: { trustBrowserCas: true },
});

/** The worker that requests to others go through. */
function outboundWorker({ compatibility_date }: Base, privateHosts: readonly string[]) {
  return {
    config: {
      name: OUTBOUND,
      compatibilityDate: compatibility_date,
      manifest: readManifest(MODULES.outbound),
      env: {
        PRIVATE_HOSTS: { type: "json" as const, value: [...privateHosts] },
        PUBLIC_NETWORK: network("public"),
        WHOLE_NETWORK: network("public", "private"),
      },
    },
  };
}

/** Miniflare's options. Of the ports, all on the loopback interface, Miniflare chooses the numbers. */
export function miniflareOptions(
  config: WranglerConfig,
  { state, variables, privateHosts }: RuntimeInput,
  { onLog, onRestart, sendMail }: RuntimeHandlers,
): MiniflareOptions {
  const base = config as Base;
  const manifest = readManifest(MODULES.worker);
  return {
    host: "127.0.0.1",
    port: 0,
    // Where `wrangler dev --persist-to` has it.
    resourcePersistencePath: join(state, "v3"),
    // Nothing is asked of Cloudflare.
    cf: false,
    logRequests: false,
    enableDevRegistry: false,
    telemetry: { enabled: false },
    handleStructuredLogs: onLog,
    unsafeHandleRuntimeRestart: onRestart,
    workers: [
      {
        config: {
          name: WORKER,
          compatibilityDate: base.compatibility_date,
          manifest,
          env: {
            ...bindingsOf(base, versionOf(manifest)),
            ...textsOf({ ...base.vars, ...variables }),
            ...(sendMail && { SMTP: { type: "fetcher", handler: sendMail } }),
          },
          exports: base.exports,
          triggers: consumersOf(base).map((it) => ({
            type: "queue",
            name: it.queue,
            maxBatchSize: it.max_batch_size,
            maxBatchTimeout: it.max_batch_timeout,
            maxRetries: it.max_retries,
            deadLetterQueue: it.dead_letter_queue,
          })),
          assets: {
            directory: join(root, base.assets.directory),
            hasUserWorker: true,
            runWorkerFirst: [...base.assets.run_worker_first],
          },
        },
        dev: {
          outboundService: { type: "worker", worker: OUTBOUND },
          unsafeDirectSockets: [
            // Requests with their whole URL, so that the worker knows the scheme that a proxy was asked by.
            { host: "127.0.0.1", port: 0, proxy: true },
            { host: "127.0.0.1", port: 0, entrypoint: "MailEntrance" },
          ],
        },
      },
      outboundWorker(base, privateHosts),
    ],
  };
}
