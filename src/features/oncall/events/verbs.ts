import { carryEdit } from "../../../domain/oncall/changes/carry-over.ts";
import { validateEventRule } from "../../../domain/oncall/changes/event-validation.ts";
import {
  changeLaterVersions,
  versionsAfter,
} from "../../../domain/oncall/changes/later-versions.ts";
import {
  checkChild,
  checkOverrideMove,
  overridesOfDeleted,
  overridesThatGo,
} from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { isOverride } from "../../../domain/oncall/series-versions.ts";
import {
  type Identifier,
  parseIdentifier,
  prefixIdOf,
} from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  notFound,
  type Refusal,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { newId, newIdentity } from "../../../kernel/db/identifiers.ts";
import { type Reference, type Resolved, resolveReferences } from "../../../kernel/db/references.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { refuseImported } from "../calendar-imports/refuse-imported.ts";
import { createOverride } from "../occurrences/create-override.ts";
import { lengthFaults, overrideFaults } from "../occurrences/override-faults.ts";
import { effectOf } from "../on-call/on-call-effect.ts";
import type { EventWithOverridesRemoved } from "./contract.ts";
import type { EventFamily } from "./event-family.ts";
import {
  attendeesReference,
  blankEvent,
  positionFaults,
  referencesOf,
  withOwnRows,
  withParameters,
} from "./event-input.ts";
import { eventRecords } from "./event-records.ts";
import { insertEvent, patchFamily } from "./event-rows.ts";
import { changeOfFamily } from "./family-change.ts";
import type { CreateEvent, UpdateEvent } from "./parameters.ts";
import { readFamily } from "./read-family.ts";
import {
  effectiveAtFaults,
  plannedFaults,
  withInitialRoster,
  withRosterParameters,
} from "./roster-input.ts";

/**
 * Creates an on-call event; with `parent_id`, an override of the parent's occurrence that contains
 * its start (contract 4, Attributes and Overrides).
 *
 * @param id the ULID of the new event
 * @returns the event; 409 when the parent changes at the same time; 422 for an invalid rule, unknown
 *   records, or an occurrence that cannot be overridden
 */
export function createEvent(
  context: Context,
  id: string,
  body: CreateEvent,
): Promise<Decision<"Event"> | Refusal> {
  const { parent_id: parentId } = body;
  return parentId == null
    ? createShifts(context, id, body)
    : createChild(context, id, body, parentId);
}

async function createShifts(
  context: Context,
  id: string,
  body: CreateEvent,
): Promise<Decision<"Event"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const resolved = await resolveReferences(db, accountId, referencesOf(body));
  const people = resolved.ok ? resolved.idsOf("account_user_ids") : [];
  const rule = { ...withParameters(blankEvent(id), body, now), createdAt: now };
  const ruleErrors = validateEventRule(rule);
  const event = ruleErrors.length > 0 ? rule : withInitialRoster(rule, body, people, now);
  const faults = [
    ...ruleErrors,
    ...positionFaults(body, { ...event, rotation: body.rotation ?? false }),
    ...effectiveAtFaults(null, body, now),
  ];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const scheduleIds = resolved.idsOf("schedule_ids");
  const identity = newIdentity("event", now, id);
  const writes = insertEvent(accountId, event, identity, scheduleIds, body.meta);
  return {
    ...{ verb: "create", records: eventRecords, id, before: null, writes },
    onCall: effectOf({
      replacedIds: [],
      events: [event],
      schedulesBefore: [],
      schedulesAfter: scheduleIds,
    }),
    answer: ({ after }) => after ?? notFound("event"),
  };
}

/** Overrides the occurrence of the parent that contains the new event's start. */
function createChild(
  context: Context,
  id: string,
  { schedule_ids, ...rest }: UpdateEvent,
  parentId: string,
): Promise<Decision<"Event"> | Refusal> {
  const named = schedule_ids?.length ? schedule_ids : undefined;
  const references: Reference[] = [
    attendeesReference(rest.account_user_ids),
    { field: "parent_id", kind: "event", ids: [parentId] },
    { field: "schedule_ids", kind: "schedule", ids: named ?? [] },
  ];
  const parent = parseIdentifier("event", parentId) ?? ({ form: "id", value: "" } as const);
  const body = { ...rest, schedule_ids: named };
  return createOverride(context, { id, parent, body, references }, ({ event }, override) => {
    const faults = [...validateEventRule(override), ...lengthFaults(override, "end_datetime")];
    return faults.length > 0 ? refuseFields(faults) : checkChild(event, override.startAt);
  });
}

/**
 * Changes an event (contract 4, Attributes).
 *
 * @returns the event with the overrides that went because the series ends before them; 404; 409 when its family
 *   changes at the same time; 422 for an invalid rule or unknown records
 */
export async function updateEvent(
  context: Context,
  identifier: Identifier,
  body: UpdateEvent,
): Promise<Decision<"Event", EventWithOverridesRemoved> | Refusal> {
  const { actor, now } = context;
  const { resolved, stored } = await readFamily(context, identifier, referencesOf(body));
  if (!stored) return notFound("event");
  const { family, record: before } = stored;
  const imported = refuseImported(family);
  if (imported) return imported;
  const { event } = family;
  const idsOf = (name: "account_user_ids" | "schedule_ids") =>
    body[name] !== undefined && resolved.ok ? resolved.idsOf(name) : undefined;
  const people = idsOf("account_user_ids");
  const changed = withParameters(event, body, now);
  const rule = event.repeat ? carryEdit(event, changed, now) : changed;
  const faults = faultsOfEdit(family, rule, body, resolved, now);
  if (faults.length > 0) return refuseFields(faults);
  const { edited, versions } = changePeople(family, rule, body, people, now);
  const emptied = people ? [edited, ...versions].flatMap((it) => plannedFaults(it, now)) : [];
  if (emptied.length > 0) return refuseFields(emptied);
  const others = family.series.filter(({ id }) => id !== event.id);
  const removed = overridesThatGo(family.series, [...others, edited], false).map(({ id }) => id);
  const patch = {
    event: edited,
    meta: body.meta,
    attendeesChanged: edited.attendees !== event.attendees,
    exceptionsChanged: event.exceptions.length > 0,
    versions,
    removed,
    scheduleIds: event.parentId === null ? idsOf("schedule_ids") : undefined,
  };
  const patched = patchFamily(actor.accountId, family, patch, now);
  const { writes } = patched;
  return {
    ...{ verb: "update", records: eventRecords, id: event.id, before, writes },
    onCall: effectOf(changeOfFamily(family, patched)),
    answer: ({ after }) => (after ? { ...after, overrides_removed: removed } : notFound("event")),
  };
}

/** The event with the people that the parameters name, and the later versions that change with it. */
function changePeople(
  { event, series }: EventFamily,
  rule: OnCallEvent,
  body: UpdateEvent,
  people: readonly string[] | undefined,
  now: number,
): { readonly edited: OnCallEvent; readonly versions: readonly OnCallEvent[] } {
  const later = versionsAfter(series, event);
  const { event: edited, at } = withRosterParameters(event, rule, body, people, now, later);
  const replacesPlanned = Boolean(body.replaces_planned);
  const change = { was: event, is: edited, at: at ?? now, replacesPlanned };
  const versions = changeLaterVersions(change, later, () => newId(now));
  return { edited, versions: versions.map((it) => withOwnRows(it, now)) };
}

/** All errors of a change that makes the event `edited`. */
function faultsOfEdit(
  family: EventFamily,
  edited: OnCallEvent,
  body: UpdateEvent,
  resolved: Resolved,
  now: number,
): FieldError[] {
  const { event, series } = family;
  const faults = event.parentId
    ? [
        ...validateEventRule({ ...edited, repeat: false }),
        ...lengthFaults(edited, "end_datetime"),
        ...overrideFaults(family, body, resolved),
      ]
    : [...validateEventRule(edited)];
  faults.push(
    ...positionFaults(body, { ...edited, rotation: body.rotation ?? event.rotation }),
    ...effectiveAtFaults(event, body, now),
  );
  const sent = body.parent_id;
  const named = sent == null ? sent : (parseIdentifier("event", sent)?.value ?? "");
  if (named !== undefined && named !== event.parentId && named !== parentPrefixId(event)) {
    faults.push({ field: "parent_id", message: "parent_id cannot be changed" });
  }
  const isMoved = edited.startAt !== event.startAt || edited.endAt !== event.endAt;
  if (isOverride(event) && isMoved && edited.endAt > edited.startAt) {
    faults.push(...(checkOverrideMove(series, event, edited)?.errors ?? []));
  }
  const { cutAt } = event;
  if (cutAt !== null && edited.startAt !== event.startAt && edited.startAt >= cutAt) {
    const end = formatInstant(cutAt);
    const message = `start_datetime is not before ${end}, when the event was terminated`;
    faults.push({ field: "start_datetime", message });
  }
  return resolved.ok ? faults : [...faults, ...resolved.errors];
}

const parentPrefixId = ({ parentId }: OnCallEvent) => parentId && prefixIdOf("event", parentId);

/**
 * Deletes an event, and the overrides of its hours; with the last version of a series, all of its
 * overrides. What they served stays.
 *
 * @returns null; 404; 409 for a shift of a calendar import, or when its family changes at the same time
 */
export async function deleteEvent(
  context: Context,
  identifier: Identifier,
): Promise<Decision<"Event", null> | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
  const { stored } = await readFamily(context, identifier);
  if (!stored) return notFound("event");
  const { family, record: before } = stored;
  const refusal = refuseImported(family);
  if (refusal) return refusal;
  const { event, series } = family;
  const removed = overridesOfDeleted(event, series).map(({ id }) => id);
  const patched = patchFamily(accountId, family, { event: null, removed }, now);
  return {
    ...{ verb: "delete", records: eventRecords, id: event.id, before, writes: patched.writes },
    onCall: effectOf(changeOfFamily(family, patched)),
    answer: () => null,
  };
}
