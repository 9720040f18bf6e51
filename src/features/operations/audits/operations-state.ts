// What the operations object stores: the counters and the answers of providers, written with each report, and the state
// of the audits, written once a minute. Values apart, so that a report does not write that state, which is large.

import type { Heartbeats } from "../../../domain/operations/audited-deployment.ts";
import type { Canary } from "../../../domain/operations/canary.ts";
import {
  type Breach,
  type LastingFaults,
  NO_FAULTS,
  type Snapshot,
} from "../../../domain/operations/invariants.ts";
import type { Probe } from "../../../domain/operations/probe.ts";
import type {
  ChannelProviders,
  ProviderHealths,
} from "../../../domain/operations/provider-health.ts";
import type { SmsProofs } from "../../../domain/operations/sms-proof.ts";
import {
  AnswerLog,
  type ProviderAnswers,
} from "../../../domain/shared/metrics/provider-answers.ts";
import { SeriesSums, type SeriesValues } from "../../../domain/shared/metrics/series.ts";
import type { AuditCursors } from "./read-audit.ts";

/** Instants in epoch ms. */
export type AuditState = {
  /** When the latest audit began; null before the first. */
  readonly auditedAt: number | null;
  /** When the clock was last seen set back, and how far (ms). */
  readonly clockSetBack: { readonly at: number; readonly by: number } | null;
  readonly breaches: readonly Breach[];
  readonly measured: SeriesValues;
  /** The counters of the last minutes. */
  readonly snapshots: readonly Snapshot[];
  readonly probe: Probe | null;
  readonly canary: Canary | null;
  readonly smsProofs: SmsProofs;
  /** What is known of the configured providers; those that deliver nothing; other lasting faults. */
  readonly providers: ProviderHealths;
  /** As the queue's consumer last said; null: not yet. */
  readonly channels: readonly ChannelProviders[] | null;
  readonly undelivering: readonly string[];
  readonly lasting: LastingFaults;
  /** When the heartbeat URL was last called, and when its calls last failed or were withheld. */
  readonly heartbeats: Heartbeats;
  readonly cursors: AuditCursors;
  /** When the oldest event of an inbox was accepted, by the inboxes that have one that is late. */
  readonly lateInboxes: Readonly<Record<string, number>>;
  /** Since when inboxes have refused events that nobody has looked at, by inbox. */
  readonly refusingInboxes: Readonly<Record<string, number>>;
  /** The teams with nobody on call, by account. */
  readonly emptyTeams: Readonly<Record<string, readonly string[]>>;
};

export const NEVER: AuditState = {
  auditedAt: null,
  clockSetBack: null,
  breaches: [],
  measured: {},
  snapshots: [],
  probe: null,
  canary: null,
  smsProofs: {},
  providers: {},
  channels: null,
  undelivering: [],
  lasting: NO_FAULTS,
  heartbeats: {},
  cursors: { integration: "", account: "" },
  lateInboxes: {},
  refusingInboxes: {},
  emptyTeams: {},
};

export class OperationsStorage {
  readonly #storage: DurableObjectStorage;
  readonly #counts: SeriesSums;
  readonly #answers: AnswerLog;
  #audit: AuditState;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#counts = new SeriesSums();
    this.#counts.merge(storage.kv.get<SeriesValues>("counts") ?? {});
    this.#answers = new AnswerLog();
    this.#answers.merge(storage.kv.get<ProviderAnswers>("answers") ?? {});
    // What a later version adds has its initial value.
    this.#audit = { ...NEVER, ...storage.kv.get<AuditState>("audit") };
  }

  /** The counters. Changes of them are stored with the next `record` or `change`. */
  get counts(): SeriesSums {
    return this.#counts;
  }

  /** What providers answered since the last audit. */
  get answers(): ProviderAnswers {
    return this.#answers.values;
  }

  get audit(): AuditState {
    return this.#audit;
  }

  /** Adds counts and answers, and stores all. */
  record(values: SeriesValues, answers: ProviderAnswers = {}): void {
    this.#counts.merge(values);
    this.#storage.kv.put("counts", this.#counts.values);
    if (Object.keys(answers).length === 0) return;
    this.#answers.merge(answers);
    this.#storage.kv.put("answers", this.#answers.values);
  }

  /** Stores what an audit found, which has judged the answers. */
  conclude(audited: Partial<AuditState>): void {
    this.change(audited);
    this.#answers.take();
    this.#storage.kv.delete("answers");
  }

  /** Changes the state of the audits, and stores it. */
  change(changes: Partial<AuditState>): void {
    this.#audit = { ...this.#audit, ...changes };
    this.#storage.kv.put("audit", this.#audit);
  }
}
