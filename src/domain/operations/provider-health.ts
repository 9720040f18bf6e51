// Whether providers accept what they are given. A provider that failed is broken until it has accepted a
// message: silence proves nothing. Once an hour, and each minute after a failure, it is asked something
// cheap that proves its credentials and credit. A probe heals what probes have seen: refused credentials,
// no credit, an API that does not answer. Pure.

import {
  type AnswerTimes,
  answersUntil,
  MAX_REFUSALS,
  mergeAnswers,
  NO_ANSWERS,
  type ProviderAnswers,
  refusedAtOf,
} from "../shared/metrics/provider-answers.ts";
import { type SeriesValues, seriesName } from "../shared/metrics/series.ts";
import { HOUR } from "../shared/time.ts";

/** What a provider answered to the question whether it would accept messages. */
export type Proof =
  /** It accepts our credentials. `credit`: what is left, in its currency; null: it does not say. */
  | { readonly kind: "accepted"; readonly credit: number | null }
  /** It refuses our credentials, or has suspended the account. */
  | { readonly kind: "refused" }
  | { readonly kind: "unreachable" }
  /** The answer proves nothing, such as that to a key that may only send. */
  | { readonly kind: "unknown" };

export const CAUSES = {
  credentials: "refuses our credentials or account",
  credit: "has no credit left",
  outage: "accepts nothing",
} as const;

/** What is stored of a provider of a channel. Instants in epoch ms. */
type ProviderHealth = {
  /** Its answers to messages since it last accepted one, or a probe proved that a failure is over. */
  readonly answers: AnswerTimes;
  /** How many messages it has not accepted since, at most three. For the version before, which counts them. */
  readonly refusals: number;
  /** When it was given the latest of them. */
  readonly refusedAt: number | null;
  /** Probes in a row that failed. */
  readonly failedProbes: number;
  readonly probedAt: number | null;
  /** Whether a probe found credit: without any, an account may be paid for later. */
  readonly hasCredit: boolean;
  /** Null: it works, as far as is known. */
  readonly broken: {
    readonly since: number;
    readonly cause: keyof typeof CAUSES;
    /** Whether probes failed too: then one that succeeds proves that it is over. */
    readonly isProvable: boolean;
  } | null;
};

/** The providers of the channels, by `providerKey`. */
export type ProviderHealths = Readonly<Record<string, ProviderHealth>>;

/** A channel with its configured providers. */
export type ChannelProviders = {
  readonly channel: string;
  readonly providers: readonly string[];
  /** Those that report deliveries to this deployment. */
  readonly reporting: readonly string[];
  /** Whether a message without a report in time is sent again by another provider. */
  readonly isSentAgain: boolean;
};

export const providerKey = (channel: string, provider: string): string => `${channel}/${provider}`;

const UNKNOWN: ProviderHealth = {
  answers: NO_ANSWERS,
  refusals: 0,
  refusedAt: null,
  failedProbes: 0,
  probedAt: null,
  hasCredit: false,
  broken: null,
};

/** Failed probes in a row that break a provider: a network may fail for a moment. */
const MAX_REFUSED_PROBES = 2;
const MAX_UNANSWERED_PROBES = 5;
/** Failed probes in a row that show that probes see a failure. */
const SEEN_PROBES = 2;

const withAnswers = (health: ProviderHealth, answers: AnswerTimes): ProviderHealth => ({
  ...health,
  ...{ answers, refusals: answers.failedAt.length, refusedAt: refusedAtOf(answers) },
});

/** What answers to messages show to be broken; null: nothing. */
function causeIn({ failedAt, credentialsAt }: AnswerTimes): "credentials" | "outage" | null {
  if (credentialsAt !== null) return "credentials";
  return failedAt.length >= MAX_REFUSALS ? "outage" : null;
}

/** A provider's state after the answers to messages that were reported since the last audit. */
function afterMessages(
  health: ProviderHealth,
  reported: AnswerTimes | undefined,
  now: number,
): ProviderHealth {
  if (reported === undefined) return health;
  const known = answersUntil(health.answers, now);
  const answers = mergeAnswers(known, answersUntil(reported, now));
  const answered = withAnswers(health, answers);
  const cause = causeIn(answers);
  const found = cause && { since: now, cause, isProvable: false };
  if ((answers.acceptedAt ?? 0) > (known.acceptedAt ?? 0)) {
    // It accepts messages without credit: the account is paid for later.
    const hasCredit = health.hasCredit && health.broken?.cause !== "credit";
    return { ...answered, hasCredit, broken: found };
  }
  // A probe is to see the fault again: it did not see this refusal.
  const isProvable =
    health.broken?.isProvable === true && (answered.refusedAt ?? 0) <= (refusedAtOf(known) ?? 0);
  const before = health.broken && { ...health.broken, isProvable };
  return { ...answered, broken: before ?? found };
}

/** A provider's state after a probe. */
function afterProbe(health: ProviderHealth, proof: Proof, now: number): ProviderHealth {
  const probed = { ...health, probedAt: now };
  switch (proof.kind) {
    case "unknown":
      return { ...probed, failedProbes: 0 };
    case "accepted":
      return afterAccepted({ ...probed, failedProbes: 0 }, proof.credit, now);
    case "refused":
    case "unreachable": {
      const failedProbes = health.failedProbes + 1;
      const [cause, most] =
        proof.kind === "refused"
          ? (["credentials", MAX_REFUSED_PROBES] as const)
          : (["outage", MAX_UNANSWERED_PROBES] as const);
      const found = failedProbes >= most ? { since: now, cause, isProvable: true } : null;
      const isSeen = failedProbes >= SEEN_PROBES;
      const known = health.broken && {
        ...health.broken,
        isProvable: health.broken.isProvable || isSeen,
      };
      return { ...probed, failedProbes, broken: known ?? found };
    }
  }
}

function afterAccepted(health: ProviderHealth, credit: number | null, now: number): ProviderHealth {
  const { broken } = health;
  const isOver = broken?.isProvable === true;
  // What it was given before and is reported later is over too.
  const proven = isOver
    ? { ...withAnswers(health, { ...NO_ANSWERS, acceptedAt: now }), broken: null }
    : health;
  if (credit === null) return proven;
  if (credit > 0) return { ...proven, hasCredit: true };
  const since = broken?.since ?? now;
  const found = health.hasCredit ? ({ since, cause: "credit", isProvable: true } as const) : null;
  return { ...proven, broken: proven.broken ?? found };
}

/** Whether a provider is to be asked now. A probe in the future: the clock was set back. */
function isProbeDue(health: ProviderHealth | undefined, now: number): boolean {
  const { probedAt, refusedAt, failedProbes, broken } = health ?? UNKNOWN;
  if (probedAt === null || probedAt > now || now - probedAt >= HOUR) return true;
  return failedProbes > 0 || broken?.isProvable === true || (refusedAt ?? 0) > probedAt;
}

/** The names of the providers that are to be asked now. */
export function dueProviders(
  healths: ProviderHealths,
  channels: readonly ChannelProviders[],
  now: number,
): readonly string[] {
  const due = channels.flatMap(({ channel, providers }) =>
    providers.filter((name) => isProbeDue(healths[providerKey(channel, name)], now)),
  );
  return [...new Set(due)];
}

/**
 * The states of the configured providers after an audit, or after probes.
 *
 * @param channels null: not known yet, every provider that was given messages counts
 * @param reported the answers to messages that were reported since the last audit
 * @param proofs what the providers answered that were asked in this audit, by name
 */
export function nextHealths(
  healths: ProviderHealths,
  channels: readonly ChannelProviders[] | null,
  reported: ProviderAnswers,
  proofs: ReadonlyMap<string, Proof>,
  now: number,
): ProviderHealths {
  const keys = channels?.flatMap(({ channel, providers }) =>
    providers.map((provider) => providerKey(channel, provider)),
  ) ?? [...Object.keys(healths), ...Object.keys(reported)];
  const entries = keys.map((key) => {
    const [, provider = ""] = key.split("/");
    // What a later version adds has its initial value.
    const health = afterMessages({ ...UNKNOWN, ...healths[key] }, reported[key], now);
    const proof = proofs.get(provider);
    return [key, proof === undefined ? health : afterProbe(health, proof, now)] as const;
  });
  return Object.fromEntries(entries);
}

/** What the reports say of the messages of some minutes, by channel and provider. */
export type Receipts = {
  readonly channel: string;
  readonly provider: string;
  readonly total: number;
  readonly addresses: number;
  readonly delivered: number;
};

/** One phone may be switched off: fewer messages to one address, or to fewer addresses, say nothing. */
const MIN_MESSAGES = 3;
const MIN_ADDRESSES = 2;

/** Whether a provider's messages should have been reported as delivered, and none was. */
export const isUndelivered = ({ total, addresses, delivered }: Receipts): boolean =>
  delivered === 0 && (total >= MIN_MESSAGES || addresses >= MIN_ADDRESSES);

/**
 * The reporting providers that deliver nothing, by `providerKey`: until one of their messages is
 * reported as delivered.
 * */
export function nextUndelivering(
  known: readonly string[],
  channels: readonly ChannelProviders[],
  growth: SeriesValues,
  receipts: readonly Receipts[],
): readonly string[] {
  return channels.flatMap(({ channel, reporting }) =>
    reporting.flatMap((provider) => {
      const labels = { channel, provider, outcome: "delivered" };
      const reported = growth[seriesName("tocsin_delivery_reports_total", labels)] ?? 0;
      const found = receipts.find((it) => it.channel === channel && it.provider === provider);
      const isProven = reported > 0 || (found?.delivered ?? 0) > 0;
      const key = providerKey(channel, provider);
      const isFound = found !== undefined && isUndelivered(found);
      return isFound || (known.includes(key) && !isProven) ? [key] : [];
    }),
  );
}

/** What is wrong with providers, each in words. */
export type ProviderFaults = {
  /** The providers of the channels of which none accepts messages. */
  readonly refusing: readonly string[];
  /** The channels whose messages are not delivered, with the provider. */
  readonly undelivering: readonly string[];
  /** Broken providers of channels by which messages are delivered all the same. */
  readonly redundancy: readonly string[];
};

/** Channels whose apps belong to accounts, not to the deployment. */
const OF_ACCOUNTS = new Set(["slack", "teams"]);

/** Judges the configured providers. */
export function findProviderFaults(
  healths: ProviderHealths,
  undelivering: readonly string[],
  channels: readonly ChannelProviders[],
): ProviderFaults {
  const judged = channels.map(({ channel, providers, isSentAgain }) => {
    const brokenOf = (name: string) => healths[providerKey(channel, name)]?.broken ?? null;
    const silentOf = (name: string) => undelivering.includes(providerKey(channel, name));
    const refusing = providers.flatMap((name) => {
      const broken = brokenOf(name);
      return broken === null ? [] : [`${channel}: ${name} ${CAUSES[broken.cause]}`];
    });
    const silent = providers.filter(silentOf).map((name) => `${channel}: ${name} delivers nothing`);
    const hasOther = providers.some((name) => brokenOf(name) === null && !silentOf(name));
    // An account's own app proves nothing about the others, and has no probe: it only warns.
    const areAllRefusing = refusing.length === providers.length && !OF_ACCOUNTS.has(channel);
    const isSilentLost = !(isSentAgain && hasOther);
    return {
      refusing: areAllRefusing ? refusing : [],
      undelivering: isSilentLost ? silent : [],
      redundancy: [...(areAllRefusing ? [] : refusing), ...(isSilentLost ? [] : silent)],
    };
  });
  return {
    refusing: judged.flatMap((it) => it.refusing),
    undelivering: judged.flatMap((it) => it.undelivering),
    redundancy: judged.flatMap((it) => it.redundancy),
  };
}
