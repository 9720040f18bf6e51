// Changes a series from one occurrence on, in one batch. The rotation continues; overrides and
// removed occurrences are preserved. An override that no longer fits becomes a plain shift, listed
// in the response (contract 4, Changes of a series). The preview decides the same and writes
// nothing.
import type {
  EventWithFollowingEffects,
  FollowingPreview,
} from "../../../contract/oncall/event-following.ts";
import { ChangeFollowingEvents } from "../../../contract/oncall/event-parameters.ts";
import { type EventFamily, selectFamily, toFamily } from "../../../db/oncall/event-family.ts";
import { type FamilyPatch, patchFamily } from "../../../db/oncall/event-patch.ts";
import { type Resolved, resolveWith } from "../../../db/records/references.ts";
import { newId } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { validateEventRule } from "../../../domain/oncall/changes/event-validation.ts";
import {
  decideFollowing,
  type FollowingChange,
  isUnchanged,
} from "../../../domain/oncall/changes/following-change.ts";
import { refuseOccurrence } from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { OnCallAttendee, OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { firstShiftOf, namedOccurrence } from "../../../domain/oncall/recurrence/occurrence-at.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { type Answer, found } from "../../../http/answers.ts";
import { pathIdentifier, writeAndRead } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../../http/route.ts";
import { exactly, one } from "../../../http/shown.ts";
import {
  attendeesReference,
  positionFaults,
  withOwnRows,
  withParameters,
} from "./event-parameters.ts";
import { eventRecords } from "./event-records.ts";

// ── Shape ──

const peopleOf = (attendees: readonly OnCallAttendee[]) =>
  attendees.map(({ attendeeId }) => attendeeId);

function showFirst(event: OnCallEvent) {
  const first = firstShiftOf(event);
  return (
    first && {
      start_time: formatInstant(first.startAt),
      end_time: formatInstant(first.endAt),
      account_user_ids: peopleOf(first.attendees),
    }
  );
}

function showEffects(change: FollowingChange | null) {
  const { moved = [], plain = [], plainRests = [], dropped = [], after } = change ?? {};
  return {
    first_shift: after ? showFirst(after) : null,
    overrides_continued: moved.map(({ id }) => id),
    overrides_kept_as_shifts: [...plain, ...plainRests].map((it) => ({
      event_id: it.id,
      start_time: formatInstant(it.startAt),
      end_time: formatInstant(it.endAt),
      account_user_ids: peopleOf(it.attendees),
    })),
    exceptions_continued: after?.exceptions.map(({ startAt }) => formatInstant(startAt)) ?? [],
    exceptions_dropped: dropped.map(formatInstant),
  };
}

// ── Rules ──

type Decided = {
  readonly family: EventFamily;
  /** Null when the request changes nothing. */
  readonly change: FollowingChange | null;
};

const NOT_AN_OVERRIDE = refuse("invalid", "an override cannot repeat", "action_time");

function decide(
  family: EventFamily,
  body: ChangeFollowingEvents,
  resolved: Resolved,
  now: number,
  recordId: string,
): Decided | Refusal {
  const { event, overrides } = family;
  const { action_time: at } = body;
  if (event.parentId !== null) return NOT_AN_OVERRIDE;
  const occurrence = namedOccurrence(event, overrides, at);
  if (!occurrence) return refuseOccurrence(event, at);
  const people =
    body.account_user_ids && resolved.ok ? resolved.idsOf("account_user_ids") : undefined;
  const { startAt, endAt } = occurrence;
  const edited = withParameters({ ...event, startAt, endAt }, body, people, now);
  const isStill = isUnchanged(event, occurrence, edited) && body.meta === undefined;
  const change = decideFollowing(event, overrides, occurrence, edited, recordId);
  const errors = [
    ...validateEventRule(edited),
    ...validateEventRule(change.after),
    ...positionFaults(body, edited.rotation),
    ...(resolved.ok ? [] : resolved.errors),
  ];
  const faults = new Map(errors.map((error) => [error.message, error]));
  if (faults.size > 0) return refuseFields([...faults.values()]);
  return { family, change: isStill ? null : change };
}

async function readAndDecide(
  request: ApiRequest<ChangeFollowingEvents>,
  identifier: Identifier,
): Promise<Decided | Refusal> {
  const { db, actor, now, body, recordId } = request;
  const people = [attendeesReference(body.account_user_ids)];
  const read = selectFamily(actor.accountId, identifier);
  const { resolved, rows } = await resolveWith(db, actor.accountId, people, [read]);
  const family = toFamily(rows[0], identifier);
  return family ? decide(family, body, resolved, now, recordId) : notFound("event");
}

/** The change as a patch of the event family; new events get new row ids. */
function patchOf(change: FollowingChange, body: ChangeFollowingEvents, now: number): FamilyPatch {
  const { before, after, moved, plain, unserved: removed } = change;
  const rests = [...change.plainRests, ...change.movedRests].map((rest) => ({
    event: withOwnRows({ ...rest, id: newId(now) }, now),
    like: { id: rest.id, isAsOld: true },
  }));
  const overrides = [...moved, ...plain];
  if (!before) {
    const attendeesChanged = body.account_user_ids !== undefined;
    const changed = { event: after, meta: body.meta, attendeesChanged, exceptionsChanged: true };
    return { ...changed, overrides, removed, added: rests };
  }
  const like = { id: before.id, isAsOld: false };
  const continued = { event: withOwnRows(after, now), meta: body.meta, like };
  return { event: before, overrides, removed, added: [continued, ...rests] };
}

// ── Routes ──

async function changeFollowing(
  request: ApiRequest<ChangeFollowingEvents>,
  identifier: Identifier,
): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const decided = await readAndDecide(request, identifier);
  if (isRefusal(decided)) return decided;
  const { family, change } = decided;
  const made = { form: "id", value: change?.after.id ?? family.event.id } as const;
  const changes = change ? patchFamily(accountId, family, patchOf(change, body, now), now) : [];
  const writes = [...request.stillAllowed, ...changes];
  const record = await writeAndRead(db, writes, eventRecords, accountId, made);
  return isRefusal(record)
    ? record
    : found<EventWithFollowingEffects>({ ...record, ...showEffects(change) });
}

async function previewFollowing(
  request: ApiRequest<ChangeFollowingEvents>,
  identifier: Identifier,
): Promise<Answer> {
  const decided = await readAndDecide(request, identifier);
  if (isRefusal(decided)) return decided;
  const { change } = decided;
  return found<FollowingPreview>({ unchanged: change === null, ...showEffects(change) });
}

export const eventFollowingRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/events/:id/change_following",
    operation: "changeFollowingEvents",
    summary: "Update a repeating event from an occurrence on",
    description:
      "Takes the parameters of the event; `start_datetime` and `end_datetime` are those of the " +
      "occurrence at `action_time`. Earlier occurrences do not change. The response is the event " +
      "that continues from there. The rotation continues; overrides and removed occurrences are kept. " +
      "An override that no longer fits an occurrence becomes a plain shift of its own hours and is " +
      "listed in `overrides_kept_as_shifts`.",
    shows: one(eventRecords, "EventWithFollowingEffects"),
    refuses: ["conflict"],
    body: ChangeFollowingEvents,
    furtherChecks: (body) => ({ references: [attendeesReference(body.account_user_ids)] }),
    makes: eventRecords,
    handle: async (request) => {
      const identifier = pathIdentifier(request, "event");
      if (isRefusal(identifier)) return identifier;
      return retryOnConflict(() => changeFollowing(request, identifier));
    },
  }),
  route({
    method: "POST",
    path: "/events/:id/preview_following",
    operation: "previewFollowingEvents",
    summary: "Preview an update of a repeating event from an occurrence on",
    description: "Returns what `change_following` would do with the same body. Changes nothing.",
    shows: exactly("FollowingPreview"),
    keepsNoAnswer: true,
    body: ChangeFollowingEvents,
    furtherChecks: (body) => ({ references: [attendeesReference(body.account_user_ids)] }),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "event");
      return isRefusal(identifier) ? identifier : previewFollowing(request, identifier);
    },
  }),
];
