// Reads the storage of a stopped worker, the files of its objects and its database, and deletes it.
import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deserialize } from "node:v8";
import { type Built, deleteState } from "../../support/worker/dev-worker.ts";
import type { Ledger } from "./load.ts";
import type { Provider } from "./provider.ts";

type Row = Record<string, string | number | null>;

function rowsOf(path: string, query: string, table: string): Row[] {
  using database = new DatabaseSync(path, { timeout: 5_000 });
  const known = database.prepare("select 1 from sqlite_master where name = ?").get(table);
  return known === undefined ? [] : (database.prepare(query).all() as Row[]);
}

function objectsOf(state: string, name: string, query: string, table: string): Row[] {
  const files = globSync(join(state, `v3/do/*${name}/*.sqlite`).replaceAll("\\", "/"));
  return files.flatMap((path) => rowsOf(path, query, table));
}

export function inDatabase(state: string, query: string): Row[] {
  const files = globSync(join(state, "v3/d1/*/*.sqlite").replaceAll("\\", "/"));
  return files.flatMap((path) => rowsOf(path, query, "alerts"));
}

type StoredAlert = {
  readonly alert: { readonly id: string; readonly version: number };
  readonly outbox: readonly { readonly page: { readonly effectId: string } }[];
};

/** What the alerts' objects store; those of alerts that have ended are empty. */
function storedAlerts(state: string): StoredAlert[] {
  const query = "select value from _cf_KV where key = 'alert'";
  const rows = objectsOf(state, "AlertObject", query, "_cf_KV") as unknown as { value: Buffer }[];
  return rows.map(({ value }) => JSON.parse(deserialize(value)) as StoredAlert);
}

/** The number of pages, events and projections that wait in the objects' storage. */
export function countWaiting(state: string): number {
  const stored = storedAlerts(state);
  return stored.flatMap((it) => it.outbox).length + stuck(state, stored).length;
}

/** The violated guarantees, and the number of pages that are still in an outbox. */
export type Found = { readonly faults: readonly string[]; readonly onTheirWay: number };

/**
 * Checks all guarantees against the storage.
 *
 * @param hasty pages whose consumer was killed are still leased, since nothing waited for the lease
 */
export function findFaults(state: string, ledger: Ledger, hasty: boolean): Found {
  const alerts = inDatabase(
    state,
    `select alerts.id, title, status, dedup_count, thirdparty_id, acknowledged_at, next_step_at,
      integrations.prefix_id as integration from alerts left join integrations on integrations.id = source_id`,
  );
  const stored = storedAlerts(state);
  const outbox = stored.flatMap((it) => it.outbox.map(({ page }) => page.effectId));
  const inOutbox = new Set(hasty ? outbox : []);
  const faults = [
    ...ledger.refused,
    ...uncounted(alerts, ledger),
    ...undone(alerts, ledger),
    ...unfinished(alerts),
    ...unpaged(state, inOutbox, hasty),
    ...outbox.flatMap((effectId) =>
      inOutbox.has(effectId) ? [] : [`page ${effectId} waits in its outbox still`],
    ),
    ...stuck(state, stored),
  ];
  return { faults, onTheirWay: inOutbox.size };
}

/** Every 200 is counted exactly once; a webhook without a response at most once. */
function uncounted(alerts: readonly Row[], { webhooks }: Ledger): string[] {
  return [...webhooks].flatMap(([orderingKey, { accepted, unknown }]) => {
    const own = alerts.filter((it) => `${it.integration} ${it.thirdparty_id}` === orderingKey);
    const counted = own.reduce((sum, it) => sum + 1 + Number(it.dedup_count), 0);
    if (counted >= accepted && counted <= accepted + unknown) return [];
    return [`${orderingKey}: ${accepted} accepted, ${unknown} unknown, but ${counted} counted`];
  });
}

/** Every 201 is an alert; every accepted acknowledgement and resolution is stored. */
function undone(alerts: readonly Row[], ledger: Ledger): string[] {
  const byId = new Map(alerts.map((it) => [it.id, it]));
  const lost = ledger.created.filter((id) => !byId.has(id)).map((id) => `alert ${id} is lost`);
  const forgotten = [...ledger.acknowledged]
    .filter((id) => byId.get(id)?.acknowledged_at === null)
    .map((id) => `the acknowledgement of ${id} is lost`);
  const reopened = [...ledger.resolved]
    .filter((id) => byId.get(id)?.status !== "resolved")
    .map((id) => `the resolution of ${id} is lost`);
  return [...lost, ...forgotten, ...reopened];
}

/** No alert is still open, since every layer has timed out. */
function unfinished(alerts: readonly Row[]): string[] {
  return alerts
    .filter((it) => it.status === "open" || it.next_step_at !== null)
    .map((it) => `alert ${it.id} is ${it.status} still: its timer was lost`);
}

/**
 * Every page of every layer was sent, except the effects in `inOutbox`. A page that a kill
 * interrupted is not sent after its alert was acknowledged or resolved: the sweep ends it after a
 * minute, for which `--hasty` does not wait.
 */
function unpaged(state: string, inOutbox: ReadonlySet<string>, hasty: boolean): string[] {
  const unsent = inDatabase(
    state,
    `select notifications.id, alert_id, effect_id, notifications.status, reason, event, channel,
        attempts, notifications.created_at, due_at, claimed_until, notifications.status = 'queued' and coalesce(alerts.status in ('acknowledged', 'resolved'), 0)
          as is_answered
      from notifications left join alerts on alerts.id = alert_id
      where notifications.status not in ('sent', 'skipped')`,
  )
    .filter((it) => !(hasty && it.is_answered === 1))
    .filter((it) => !inOutbox.has(String(it.effect_id)))
    .map((it) => `not sent: ${JSON.stringify(it)}`);
  const ofAlerts = new Set([...inOutbox].map((effectId) => effectId.split(":")[0]));
  const unasked = inDatabase(
    state,
    `select alert_id, layer, pass from alert_workflows where state = 'timed_out' and not exists
      (select 1 from notifications where workflow_id = alert_workflows.id
        and layer = alert_workflows.layer)`,
  )
    .filter((it) => !ofAlerts.has(String(it.alert_id)))
    .map((it) => `alert ${it.alert_id}: nobody of layer ${it.layer} was ever paged`);
  return [...unsent, ...unasked];
}

/** No object has pending events or projections. */
function stuck(state: string, stored: readonly StoredAlert[]): string[] {
  const events = objectsOf(state, "IntegrationInbox", "select * from events", "events");
  const rows = inDatabase(state, "select id, version from alerts");
  const versions = new Map(rows.map(({ id, version }) => [id, Number(version)]));
  const behind = stored
    .map(({ alert }) => alert)
    .filter(({ id, version }) => (versions.get(id) ?? 0) < version);
  return [
    ...events.map((it) => `an inbox still holds event ${it.sequence} of ${it.ordering_key}`),
    ...behind.map((it) => `readers are behind alert ${it.id}`),
  ];
}

/** The notifications that are stored as sent, read while the worker is stopped. */
export function readRecorded(state: string): Set<string> {
  const rows = inDatabase(state, "select id from notifications where status = 'sent'");
  return new Set(rows.map(({ id }) => String(id)));
}

/** Stops the provider. What a run with faults (exit code 1) has stored stays, to be looked at. */
export function endRun(provider: Provider, built: Built): void {
  provider.stop();
  if (process.exitCode === 1) console.log(`what it left is in ${built.state}`);
  else deleteState(built);
}
