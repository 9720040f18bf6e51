// What is known of providers lately: refusals that this isolate has seen, and an account's recent
// deliveries. The latter are read from the notifications, which are stored anyway: knowing costs no
// row written, and one read per account, channel and half minute where there is a choice.
import {
  outcomeOf,
  type ReportedChannel,
} from "../../../domain/notifications/delivery-deadline.ts";
import {
  OUTCOME_WINDOW_MS,
  orderProviders,
  type ProviderOutcome,
} from "../../../domain/notifications/provider-order.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { readRecentDeliveries } from "./attempt-rows.ts";
import { reportDeadline } from "./expected-report.ts";

/** How long read outcomes are used (ms). */
const CACHE_MS = 30_000;

/** A page does not wait longer than this for the outcomes (ms). */
const READ_TIMEOUT_MS = 1_000;

const MAX_REFUSALS = 100;
const MAX_CACHED = 1_000;

let refusals: (ProviderOutcome & { readonly channel: string })[] = [];

type Read = { readonly at: number; readonly outcomes: readonly ProviderOutcome[] };

/** Values, not promises: a promise of another invocation's I/O cannot be awaited. */
const read = new Map<string, Read>();

/** Remembers that a provider did not accept a message. `at` in epoch ms. */
export function rememberRefusal(channel: string, provider: string, at: number): void {
  refusals = [...refusals.slice(1 - MAX_REFUSALS), { channel, provider, at, kind: "refused" }];
}

/** Forgets everything, for tests. */
export function forgetOutcomes(): void {
  refusals = [];
  read.clear();
}

async function readOutcomes(
  env: Cloudflare.Env,
  channel: ReportedChannel,
  accountId: string,
  now: number,
): Promise<readonly ProviderOutcome[]> {
  try {
    const reading = readRecentDeliveries(env.DB, accountId, channel, now - OUTCOME_WINDOW_MS);
    const rows = await withTimeout(READ_TIMEOUT_MS, reading);
    return rows.flatMap(
      (row) => outcomeOf(row, reportDeadline(env, channel, row.providerId), now) ?? [],
    );
  } catch {
    // Without them the configured order is used.
    return [];
  }
}

async function cachedOutcomes(
  env: Cloudflare.Env,
  channel: ReportedChannel,
  accountId: string,
  now: number,
): Promise<readonly ProviderOutcome[]> {
  const key = `${channel}:${accountId}`;
  const known = read.get(key);
  if (known !== undefined && Math.abs(now - known.at) < CACHE_MS) return known.outcomes;
  const outcomes = await readOutcomes(env, channel, accountId, now);
  if (read.size >= MAX_CACHED) read.clear();
  read.set(key, { at: now, outcomes });
  return outcomes;
}

/**
 * Orders a channel's providers by what they delivered lately. Never throws.
 *
 * @param accountId whose deliveries count; null: none
 * @param tried providers that have not delivered this message: left out
 */
export async function orderByOutcomes<Provider extends { readonly name: string }>(
  env: Cloudflare.Env,
  channel: ReportedChannel,
  providers: readonly Provider[],
  accountId: string | null,
  tried: readonly string[] = [],
): Promise<readonly Provider[]> {
  const untried = providers.filter(({ name }) => !tried.includes(name));
  if (untried.length < 2) return untried.length === 0 ? providers : untried;
  const now = Date.now();
  const deliveries = accountId === null ? [] : await cachedOutcomes(env, channel, accountId, now);
  const refused = refusals.filter((it) => it.channel === channel);
  const names = untried.map(({ name }) => name);
  const order = orderProviders(names, [...deliveries, ...refused], now);
  return untried.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}
