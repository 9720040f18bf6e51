// The two workers that are compared, and how they are driven: this service, and the skeleton.
import { stringify } from "smol-toml";
import { readBaseConfig } from "../../../src/setup/deploying/base-config.ts";
import type { WranglerConfig } from "../../../src/setup/deploying/worker-config.ts";
import { type Provider, startProvider } from "../../crash/load/provider.ts";
import {
  type Built,
  buildWorker,
  deleteState,
  freePort,
  startWorker,
} from "../../support/worker/dev-worker.ts";
import type { Intake } from "../against/senders.ts";
import { cpuTimeOf } from "../cpu-time.ts";
import { makeIntegrations } from "../integrations.ts";

/** Integrations, each with a connection of its own. */
const INTEGRATIONS = 16;

/** One of the workers. */
export type Side = {
  readonly intakes: readonly Intake[];
  readonly provider: Provider;
  /** The CPU time of its runtime so far (ms). */
  readonly cpu: () => number;
};

/** The parts of `wrangler.toml` that the skeleton has. */
export function skeletonConfig(own: string): string {
  const {
    exports,
    durable_objects,
    r2_buckets: _,
    ...others
  } = readBaseConfig(own) as WranglerConfig & {
    readonly exports: Readonly<Record<string, unknown>>;
    readonly durable_objects: { readonly bindings: readonly { readonly class_name: string }[] };
  };
  const { AlertObject, IntegrationInbox } = exports;
  const classes = { AlertObject, IntegrationInbox };
  const bindings = durable_objects.bindings.filter(({ class_name: it }) =>
    Object.hasOwn(classes, it),
  );
  return stringify({ ...others, exports: classes, durable_objects: { bindings } });
}

const bodyOf = (Id: string, Title: string) =>
  JSON.stringify({ event_type: "create", Id, Title, Description: "Volume /data is 97 % full." });

/** Runs a built worker during the work, with a provider of its own. */
async function duringWorker<Result>(
  built: Built,
  pathsOf: (url: string) => Promise<readonly string[]>,
  work: (side: Side) => Promise<Result>,
): Promise<Result> {
  const provider = await startProvider();
  const variables = { RATE_LIMITS: "off", PAGES_AT_ONCE: "0", RESEND_API_KEY: "none" };
  const running = await startWorker(
    built,
    await freePort(),
    { ...variables, PROVIDER: provider.url },
    "/health",
  );
  try {
    const paths = await pathsOf(running.url);
    const intakes = paths.map((path) => ({ url: running.url + path, bodyOf }));
    return await work({ intakes, provider, cpu: cpuTimeOf(running, built.state) });
  } finally {
    await running.kill();
    provider.stop();
    deleteState(built);
  }
}

/** Runs this service with integrations of one team. */
export async function duringService<Result>(
  work: (side: Side) => Promise<Result>,
): Promise<Result> {
  const built = await buildWorker("bench-floor", "test/crash/worker.ts");
  const pathsOf = async (url: string) => {
    const target = { url: () => url, key: built.key };
    return makeIntegrations(target, built.accountUserId, INTEGRATIONS);
  };
  return duringWorker(built, pathsOf, work);
}

/** Runs the skeleton. */
export async function duringSkeleton<Result>(
  work: (side: Side) => Promise<Result>,
): Promise<Result> {
  const built = await buildWorker("bench-skeleton", "test/bench/floor/skeleton.ts", skeletonConfig);
  const paths = Array.from({ length: INTEGRATIONS }, (_, i) => `/integration/${i}`);
  return duringWorker(built, async () => paths, work);
}
