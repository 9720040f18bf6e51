// Queues announcements for an account's outgoing integrations: inserts a delivery for each and
// wakes its object. Idempotent: existing deliveries are unchanged.

import {
  insertDeliveries,
  type PlannedDelivery,
  selectTellers,
  toTeller,
} from "../../db/integrations/outgoing-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { type Connection, statement } from "../../db/shared/database.ts";
import type { Announcement, Teller } from "../../domain/integrations/announcement.ts";
import { OUTGOING_TYPES, tellersOf } from "../../integrations/outgoing/tellers.ts";
import { outgoingObject } from "../shared/stubs.ts";

/** Selects an account's outgoing integrations; `tellersIn` converts the rows. */
export const selectOutgoing = (accountId: string) => selectTellers(accountId, OUTGOING_TYPES);

export const tellersIn = (rows: readonly RawRow[] | undefined): readonly Teller[] =>
  (rows ?? []).map(toTeller);

/** Reads an account's outgoing integrations. */
export async function readTellers(db: Connection, accountId: string): Promise<readonly Teller[]> {
  return tellersIn((await statement(db, selectOutgoing(accountId)).all<RawRow>()).results);
}

/** Queues announcements for the integrations that receive them. Throws unless that is certain. */
export async function announce(
  env: Cloudflare.Env,
  accountId: string,
  announcements: readonly Announcement[],
  targets: readonly Teller[],
): Promise<void> {
  const matches = announcements.flatMap((announcement) =>
    tellersOf(targets, announcement).map((target) => ({ target, announcement })),
  );
  if (matches.length === 0) return;
  const planned = matches.map(
    ({ target, announcement }): PlannedDelivery => ({ integrationId: target.id, announcement }),
  );
  await statement(env.DB, insertDeliveries(accountId, planned, Date.now())).run();
  await wake(
    env,
    matches.map(({ target }) => target),
  );
}

/** Wakes the objects of integrations that have queued deliveries. */
export async function wake(env: Cloudflare.Env, targets: readonly Teller[]): Promise<void> {
  const names = new Set(targets.map((target) => target.prefixId));
  await Promise.all([...names].map((name) => outgoingObject(env, name).look()));
}
