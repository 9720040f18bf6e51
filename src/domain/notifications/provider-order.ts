// The order in which a channel's providers are used: as configured, except that those which fail or
// are slow lately come later. Pure.

/** What became of a message or call that a provider was given. */
export type ProviderOutcome = {
  readonly provider: string;
  /** When it was known (epoch ms). */
  readonly at: number;
} & (
  | { readonly kind: "delivered"; readonly latencyMs: number }
  /** The provider reported a failure: of its own, of the carrier, or of the phone. */
  | { readonly kind: "undelivered"; readonly recipient: string }
  /** No report came in time. */
  | { readonly kind: "unconfirmed" }
  /** The provider did not accept it, or did not respond. */
  | { readonly kind: "refused" }
);

/** An outcome of this age (ms) counts half as much as a new one. */
const HALF_LIFE_MS = 15 * 60_000;

/** How far back outcomes count (ms): an older one has less than 1/250 of its weight. */
export const OUTCOME_WINDOW_MS = 2 * 3_600_000;

/** A report of failure counts half: the phone may be off. */
const WEIGHTS = { delivered: 1, undelivered: 0.5, unconfirmed: 1, refused: 1 } as const;

/** Failing: more failures than this, and more than this share of all outcomes. */
const MIN_FAILURES = 0.5;
const MAX_FAILURE_SHARE = 0.3;

/** Slow: a median latency over this (ms), and so many times that of the fastest provider. */
const MAX_LATENCY_MS = 15_000;
const MAX_LATENCY_RATIO = 3;

/** Deliveries without which a latency says nothing. */
const MIN_LATENCIES = 3;

type Health = { readonly failureShare: number; readonly latencyMs: number | null };

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted.length < MIN_LATENCIES ? null : (sorted[Math.floor(sorted.length / 2)] ?? null);
}

/** Failures that providers reported for one person count once, the latest: it may be the phone. */
function withoutRepetitions(outcomes: readonly ProviderOutcome[]): ProviderOutcome[] {
  const latest = new Map<string, ProviderOutcome>();
  const others = outcomes.filter((it) => {
    if (it.kind !== "undelivered") return true;
    const known = latest.get(it.recipient);
    if (known === undefined || known.at < it.at) latest.set(it.recipient, it);
    return false;
  });
  return [...others, ...latest.values()];
}

function healthOf(outcomes: readonly ProviderOutcome[], now: number): Health {
  let [successes, failures] = [0, 0];
  for (const { kind, at } of withoutRepetitions(outcomes)) {
    const weight = WEIGHTS[kind] * 2 ** (-Math.max(0, now - at) / HALF_LIFE_MS);
    if (kind === "delivered") successes += weight;
    else failures += weight;
  }
  const share = failures / (failures + successes);
  const isFailing = failures > MIN_FAILURES && share > MAX_FAILURE_SHARE;
  const latencies = outcomes.flatMap((it) => (it.kind === "delivered" ? [it.latencyMs] : []));
  return { failureShare: isFailing ? share : 0, latencyMs: medianOf(latencies) };
}

/**
 * Orders providers: first those that work, then slow ones, then failing ones, those that fail least
 * first. Providers that are alike keep their configured order.
 *
 * @param configured in the configured order
 * @param outcomes in any order; older ones than `OUTCOME_WINDOW_MS` are ignored
 * @param now epoch ms
 */
export function orderProviders<Name extends string>(
  configured: readonly Name[],
  outcomes: readonly ProviderOutcome[],
  now: number,
): readonly Name[] {
  const recent = outcomes.filter((it) => it.at > now - OUTCOME_WINDOW_MS);
  const rated = configured.map((name) => {
    const own = recent.filter((it) => it.provider === name);
    return { name, ...healthOf(own, now) };
  });
  const fastest = Math.min(...rated.map((it) => it.latencyMs ?? Number.POSITIVE_INFINITY));
  const rankOf = ({ failureShare, latencyMs }: Health) => {
    if (failureShare > 0) return 2 + failureShare;
    const isSlow =
      latencyMs !== null && latencyMs > MAX_LATENCY_MS && latencyMs > MAX_LATENCY_RATIO * fastest;
    return isSlow ? 1 : 0;
  };
  return rated.toSorted((one, other) => rankOf(one) - rankOf(other)).map((it) => it.name);
}
