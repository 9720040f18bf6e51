// Queues announcements for an account's outgoing integrations: inserts a delivery for each and
// wakes its object. Idempotent: existing deliveries are unchanged.

import type { Announcement, AnnouncementTarget } from "../../domain/integrations/announcement.ts";
import { type Connection, statement } from "../../kernel/db/database.ts";
import { all, type Select } from "../../kernel/db/select.ts";
import {
  OUTGOING_TYPE_NAMES,
  selectTargets,
} from "../../products/outgoing/announcement-targets.ts";
import { outgoingObject } from "../stubs.ts";
import {
  insertDeliveries,
  type PlannedDelivery,
  selectAnnouncementTargets,
} from "./delivery-rows.ts";

/** Selects an account's outgoing integrations. */
export const selectOutgoing = (accountId: string): Select<AnnouncementTarget> =>
  selectAnnouncementTargets(accountId, OUTGOING_TYPE_NAMES);

/** Reads an account's outgoing integrations. */
export const readAnnouncementTargets = (
  db: Connection,
  accountId: string,
): Promise<readonly AnnouncementTarget[]> => all(db, selectOutgoing(accountId));

/** Queues announcements for the integrations that receive them. Throws unless that is certain. */
export async function queueAnnouncements(
  env: Cloudflare.Env,
  accountId: string,
  announcements: readonly Announcement[],
  targets: readonly AnnouncementTarget[],
): Promise<void> {
  const matches = announcements.flatMap((announcement) =>
    selectTargets(targets, announcement).map((target) => ({ target, announcement })),
  );
  if (matches.length === 0) return;
  const planned = matches.map(
    ({ target, announcement }): PlannedDelivery => ({ integrationId: target.id, announcement }),
  );
  await statement(env.DB, insertDeliveries(accountId, planned, Date.now())).run();
  await wakeOutgoing(
    env,
    matches.map(({ target }) => target),
  );
}

/** Wakes the objects of integrations that have queued deliveries. */
export async function wakeOutgoing(
  env: Cloudflare.Env,
  targets: readonly AnnouncementTarget[],
): Promise<void> {
  const names = new Set(targets.map((target) => target.prefixId));
  await Promise.all([...names].map((name) => outgoingObject(env, name).refresh()));
}
