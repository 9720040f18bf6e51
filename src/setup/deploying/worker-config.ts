// The wrangler configuration of one deployment: `wrangler.toml` with the names and ids of its resources, its address and
// its variables. Pure.
import { bucketName, queueNames } from "./resources.ts";
import type { Settings } from "./settings.ts";

type Table = Readonly<Record<string, unknown>>;

/** The parts of `wrangler.toml` that a deployment changes. */
export type WranglerConfig = Table & {
  readonly d1_databases: readonly Table[];
  readonly r2_buckets: readonly Table[];
  readonly queues: {
    readonly producers: readonly (Table & { readonly queue: string })[];
    readonly consumers: readonly (Table & {
      readonly queue: string;
      readonly dead_letter_queue?: string;
    })[];
  };
  readonly vars: Readonly<Record<string, string>>;
  readonly assets: Table & { readonly directory: string };
  /** Imports with the files that replace them. */
  readonly alias?: Readonly<Record<string, string>>;
};

/** The queue of this deployment for one that `wrangler.toml` names. */
function renameQueue(name: string, queue: string): string {
  const [pages, dead] = queueNames(name);
  return queue.endsWith("-dead") ? dead : pages;
}

/** Whether the address is one of workers.dev. */
const isWorkersDev = (url: string) => new URL(url).host.endsWith(".workers.dev");

/** Where the worker is reached: at workers.dev, or at a domain of the account. */
function routesOf(url: string | undefined): Table {
  if (url === undefined || isWorkersDev(url)) return { workers_dev: true };
  return { workers_dev: false, routes: [{ pattern: new URL(url).host, custom_domain: true }] };
}

/** The variables that the settings decide. */
function variablesOf(settings: Settings): Readonly<Record<string, string>> {
  return {
    ...settings.variables,
    ...(settings.public_url && { PUBLIC_URL: settings.public_url }),
    ...(settings.email_from && { EMAIL_FROM: settings.email_from }),
    ...(settings.jurisdiction && { JURISDICTION: settings.jurisdiction }),
    ...(settings.location && { LOCATION_HINT: settings.location }),
  };
}

/** Whether old records are archived: the free plan has no R2. */
export const isArchived = ({ archive, plan }: Settings): boolean => archive && plan !== "free";

/** The size at which a database of the free plan is full (megabytes). */
const FREE_DATABASE_MB = "500";

/** An account on the free plan has few cron triggers and requests; no promise depends on the cron. */
const FREE_CRON = "*/5 * * * *";

/** Messages that a consumer gets at once: an invocation of the free plan may make 50 calls. */
const FREE_BATCH = 5;

/** The configuration on the free plan: Cloudflare sends e-mail, and takes CPU limits, on the paid one alone. */
function onFreePlan(config: WranglerConfig, settings: Settings): WranglerConfig {
  const { send_email: _, limits: __, ...rest } = config;
  return {
    ...(rest as WranglerConfig),
    triggers: { crons: [FREE_CRON] },
    queues: {
      ...config.queues,
      consumers: config.queues.consumers.map((it) => ({ ...it, max_batch_size: FREE_BATCH })),
    },
    vars: {
      ...config.vars,
      DATABASE_LIMIT_MB: FREE_DATABASE_MB,
      ...settings.variables,
      CLOUDFLARE_PLAN: "free",
    },
  };
}

/** The configuration for wrangler. */
export function buildWorkerConfig(base: WranglerConfig, settings: Settings): WranglerConfig {
  const { name, jurisdiction } = settings;
  const database = { database_name: name, database_id: settings.database_id };
  const bucket = { bucket_name: bucketName(name), ...(jurisdiction && { jurisdiction }) };
  const config = {
    ...base,
    name,
    account_id: settings.account_id,
    ...routesOf(settings.public_url),
    d1_databases: base.d1_databases.map((it) => ({ ...it, ...database })),
    r2_buckets: isArchived(settings) ? base.r2_buckets.map((it) => ({ ...it, ...bucket })) : [],
    queues: {
      producers: base.queues.producers.map((it) => ({ ...it, queue: renameQueue(name, it.queue) })),
      consumers: base.queues.consumers.map((it) => ({
        ...it,
        queue: renameQueue(name, it.queue),
        ...(it.dead_letter_queue && { dead_letter_queue: renameQueue(name, it.dead_letter_queue) }),
      })),
    },
    vars: { ...base.vars, ...variablesOf(settings) },
  };
  return settings.plan === "free" ? onFreePlan(config, settings) : config;
}

/** Variables of the settings that `wrangler.toml` does not have: probably misspelled. */
export function unknownVariables(base: WranglerConfig, settings: Settings): readonly string[] {
  return Object.keys(settings.variables ?? {}).filter((name) => !Object.hasOwn(base.vars, name));
}
