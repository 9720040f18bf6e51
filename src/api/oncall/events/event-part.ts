// Removes one part of an occurrence that overrides split. Nobody is on call in its hours; the other
// parts and the overrides become plain shifts.
import type { PartRemoval } from "../../../contract/oncall/event-occurrence.ts";
import { AmendEvent } from "../../../contract/oncall/event-parameters.ts";
import { type EventFamily, selectFamily, toFamily } from "../../../db/oncall/event-family.ts";
import { type FamilyPatch, patchFamily } from "../../../db/oncall/event-patch.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { statement } from "../../../db/shared/database.ts";
import { newId } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { refuseOccurrence } from "../../../domain/oncall/changes/occurrence-changes.ts";
import { decidePartRemoval } from "../../../domain/oncall/changes/part-removal.ts";
import { occurrenceAt } from "../../../domain/oncall/recurrence/occurrence-at.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { type Answer, found } from "../../../http/answers.ts";
import { pathIdentifier } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../../http/route.ts";
import { exactly } from "../../../http/shown.ts";
import { withOwnRows } from "./event-parameters.ts";

// ── Rules ──

type Removal = { readonly patch: FamilyPatch; readonly kept: readonly string[] };

function removePart(family: EventFamily, actionAt: number, now: number): Removal | Refusal {
  const { event, overrides } = family;
  const shown = occurrenceAt(event, overrides, actionAt);
  if (!shown) return refuseOccurrence(event, actionAt);
  const decided = decidePartRemoval(event, overrides, shown);
  const added = decided.added.map((part) => ({
    event: withOwnRows({ ...part, id: newId(now) }, now),
    like: { id: part.id, isAsOld: part.id !== event.id || event.parentId !== null },
  }));
  const { exceptionAt } = decided;
  const removed = exceptionAt === null ? [] : [{ id: newId(now), startAt: exceptionAt }];
  const changed = decided.event && {
    ...decided.event,
    exceptions: [...decided.event.exceptions, ...removed],
  };
  const patch: FamilyPatch = {
    event: changed,
    exceptionsChanged: removed.length > 0,
    overrides: decided.changed,
    removed: decided.unserved,
    added,
  };
  const kept = [...decided.changed.map(({ id }) => id), ...added.map((it) => it.event.id)];
  return { patch, kept };
}

// ── Routes ──

async function applyRemoval(request: ApiRequest<AmendEvent>): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "event");
  if (isRefusal(identifier)) return identifier;
  const { rows } = await resolveWith(db, accountId, [], [selectFamily(accountId, identifier)]);
  const family = toFamily(rows[0], identifier);
  if (!family) return notFound("event");
  const isRemoved = family.event.exceptions.some(({ startAt }) => startAt === body.action_time);
  if (isRemoved) return found<PartRemoval>({ event_id: family.event.id, events_kept: [] });
  const removal = removePart(family, body.action_time, now);
  if (isRefusal(removal)) return removal;
  const { patch, kept } = removal;
  const writes = [...request.stillAllowed, ...patchFamily(accountId, family, patch, now)];
  await db.batch(writes.map((it) => statement(db, it)));
  return found<PartRemoval>({ event_id: patch.event?.id ?? null, events_kept: kept });
}

export const eventPartRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/events/:id/remove_part",
    operation: "removeEventPart",
    summary: "Remove a part of an occurrence split by overrides",
    description:
      "`action_time` is the start of the part. Nobody is on call in its hours afterwards; in the hours " +
      "of an override, the overridden people are on call again. The other parts of the occurrence and its " +
      "overrides become plain shifts, listed in `events_kept`.",
    shows: exactly("PartRemoval"),
    refuses: ["conflict"],
    body: AmendEvent,
    handle: (request) => retryOnConflict(() => applyRemoval(request)),
  }),
];
