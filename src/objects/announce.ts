// Telling an account's outgoing integrations what has happened: a row for each that is to tell of it, and a word to its
// object. May be run again at any point: what is queued already stays as it is.
import type { RawRow } from "../db/attributes.ts";
import { type Connection, statement } from "../db/database.ts";
import {
  insertDeliveries,
  type PlannedDelivery,
  selectTellers,
  toTeller,
} from "../db/outgoing-rows.ts";
import type { Announcement, Teller } from "../domain/announcement.ts";
import { OUTGOING_TYPES, tellersOf } from "../integrations/tellers.ts";
import { outgoingObject } from "./stubs.ts";

/** The select of those who may tell of what happens in an account; `tellersIn` reads its rows. */
export const selectOutgoing = (accountId: string) => selectTellers(accountId, OUTGOING_TYPES);

export const tellersIn = (rows: readonly RawRow[] | undefined): readonly Teller[] =>
  (rows ?? []).map(toTeller);

/** Whoever may tell of what happens in an account. */
export async function readTellers(db: Connection, accountId: string): Promise<readonly Teller[]> {
  return tellersIn((await statement(db, selectOutgoing(accountId)).all<RawRow>()).results);
}

/** Queues announcements for those who are to tell of them, and has them begin. Throws when that is not certain. */
export async function announce(
  env: Cloudflare.Env,
  accountId: string,
  announcements: readonly Announcement[],
  tellers: readonly Teller[],
): Promise<void> {
  const told = announcements.flatMap((announcement) =>
    tellersOf(tellers, announcement).map((teller) => ({ teller, announcement })),
  );
  if (told.length === 0) return;
  const planned = told.map(
    ({ teller, announcement }): PlannedDelivery => ({ integrationId: teller.id, announcement }),
  );
  await statement(env.DB, insertDeliveries(accountId, planned, Date.now())).run();
  await wake(
    env,
    told.map(({ teller }) => teller),
  );
}

/** Something is queued for these: their objects look at once. */
export async function wake(env: Cloudflare.Env, tellers: readonly Teller[]): Promise<void> {
  const names = new Set(tellers.map((teller) => teller.prefixId));
  await Promise.all([...names].map((name) => outgoingObject(env, name).look()));
}
