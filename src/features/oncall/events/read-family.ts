import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { type Reference, type Resolved, resolveWith } from "../../../kernel/db/references.ts";
import type { Context } from "../../change/context.ts";
import type { Event } from "./contract.ts";
import { type EventFamily, selectFamily, toFamily } from "./event-family.ts";
import { eventRecords } from "./event-records.ts";

type Read = {
  readonly resolved: Resolved;
  /** The event's family and its record; null if there is no such event. */
  readonly stored: { readonly family: EventFamily; readonly record: Event } | null;
};

/** Reads all that decides a change of an event, in one round trip. */
export async function readFamily(
  { db, actor, now }: Context,
  identifier: Identifier,
  references: readonly Reference[] = [],
): Promise<Read> {
  const { resolved, rows } = await resolveWith(db, actor.accountId, references, [
    ...selectFamily(actor.accountId, identifier, now),
    selectRecord(eventRecords, actor.accountId, identifier),
  ]);
  const [members, absences, past, [record]] = rows;
  const family = toFamily({ members, absences, past }, identifier);
  return { resolved, stored: family && record ? { family, record } : null };
}
