// The metrics of a deployment, in Prometheus' terms: names, types and labels. Labels have a bounded
// set of values; no metric names an account, a person or a record.

/** Buckets of durations, in seconds. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

type MetricDefinition = {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, ascending; of a histogram. */
  readonly buckets?: readonly number[];
};

const counter = <const Labels extends readonly string[]>(help: string, labels: Labels) => ({
  type: "counter" as const,
  help,
  labels,
});
const gauge = <const Labels extends readonly string[]>(help: string, labels: Labels) => ({
  type: "gauge" as const,
  help,
  labels,
});
const histogram = <const Labels extends readonly string[]>(help: string, labels: Labels) => ({
  type: "histogram" as const,
  help,
  labels,
  buckets: SECONDS,
});

/** Counted where it happens, and stored: they survive restarts. */
export const COUNTED = {
  tocsin_events_accepted_total: counter("Requests of senders answered as accepted.", []),
  tocsin_events_refused_total: counter("Requests of senders refused, by reason.", ["reason"]),
  tocsin_first_attempt_seconds: histogram(
    "From an alert's creation to the first attempt to notify somebody of it.",
    [],
  ),
  tocsin_attempts_total: counter("Attempts to send a message, by channel and outcome.", [
    "channel",
    "outcome",
  ]),
  tocsin_provider_attempts_total: counter(
    "Messages that a provider was given, by channel, provider and outcome; another may have accepted one.",
    ["channel", "provider", "outcome"],
  ),
  tocsin_delivery_reports_total: counter(
    "Providers' reports on messages, by channel, provider and outcome.",
    ["channel", "provider", "outcome"],
  ),
  tocsin_attempt_seconds: histogram("Duration of attempts, by channel.", ["channel"]),
  tocsin_queue_age_seconds: histogram("Age of queue messages when they are consumed.", []),
  tocsin_queue_failures_total: counter("Queue messages, or batches, whose consumer failed.", []),
  tocsin_dead_letters_total: counter("Queue messages that became dead letters.", []),
  tocsin_object_errors_total: counter("Failed alarms and deliveries of objects, by kind.", [
    "kind",
  ]),
  tocsin_database_full_total: counter("Writes refused because the database is full.", []),
  tocsin_http_errors_total: counter("Requests answered with a status of 500 or above.", []),
  tocsin_heartbeats_total: counter("Calls of the heartbeat URL, by outcome.", ["outcome"]),
  tocsin_canary_total: counter("Canary events, by outcome.", ["outcome"]),
  tocsin_canary_seconds: histogram("From sending a canary event to its message.", []),
  tocsin_sms_proof_total: counter("SMS to our own second number, by provider and outcome.", [
    "provider",
    "outcome",
  ]),
  tocsin_sms_proof_seconds: histogram("From sending an SMS to our own number to its arrival.", [
    "provider",
  ]),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** Measured by the auditor, once a minute. */
const MEASURED = {
  tocsin_alerts: gauge("Alerts that are not resolved, by status.", ["status"]),
  tocsin_open_alerts_without_timer: gauge("Open alerts without a next step; must be 0.", []),
  tocsin_undelivered_inboxes: gauge("Inboxes with an event that is not delivered in time.", []),
  tocsin_oldest_undelivered_seconds: gauge(
    "Age of the oldest event or page that has not reached its next stage, by stage.",
    ["stage"],
  ),
  tocsin_deliveries_waiting: gauge("Queued deliveries of outgoing integrations.", []),
  tocsin_shifts_without_anybody: gauge("Teams with nobody on call now.", []),
  tocsin_provider_broken: gauge(
    "1 if a configured provider failed and has accepted nothing since, otherwise 0.",
    ["channel", "provider"],
  ),
  tocsin_messages_without_receipt: gauge(
    "Messages sent minutes ago whose delivery nobody reported, while none was, by channel.",
    ["channel"],
  ),
  tocsin_database_bytes: gauge("Size of the database.", []),
  tocsin_database_used_ratio: gauge("Size of the database, as a share of its limit.", []),
  tocsin_database_round_trip_seconds: gauge("Duration of the auditor's reads of the database.", []),
  tocsin_queue_round_trip_seconds: gauge("From sending a probe to the queue to its arrival.", []),
  tocsin_clock_set_back_seconds: gauge("How far the clock was set back, within minutes.", []),
  tocsin_invariant_broken: gauge("1 if the invariant is broken, otherwise 0.", ["invariant"]),
  tocsin_audit_timestamp_seconds: gauge("When the auditor last finished.", []),
  tocsin_standby_age_seconds: gauge("Age of the snapshot that the standby has.", []),
  tocsin_standby_active: gauge("1 while a standby has taken over, otherwise 0.", []),
  tocsin_audit_due_timestamp_seconds: gauge("When the next audit is due.", []),
  tocsin_audit_rows_read: gauge("Rows that the last audit read from the database.", []),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** All metrics, by name. */
export const METRICS: Readonly<Record<string, MetricDefinition>> = { ...COUNTED, ...MEASURED };

type CountedName = keyof typeof COUNTED;
export type MeasuredName = keyof typeof MEASURED;

/** The names of counters, and of histograms. */
export type CounterName = {
  [Name in CountedName]: (typeof COUNTED)[Name]["type"] extends "counter" ? Name : never;
}[CountedName];
export type HistogramName = Exclude<CountedName, CounterName>;

/** The labels of a metric, with their values. */
export type LabelsOf<Name extends CountedName | MeasuredName> = Readonly<
  Record<
    (Name extends CountedName
      ? (typeof COUNTED)[Name]
      : Name extends MeasuredName
        ? (typeof MEASURED)[Name]
        : never)["labels"][number],
    string
  >
>;
