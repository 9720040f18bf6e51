import { validateEventRule } from "../../../domain/oncall/changes/event-validation.ts";
import { checkChild } from "../../../domain/oncall/changes/occurrence-changes.ts";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { type Reference, resolveReferences } from "../../../kernel/db/references.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { createOverride } from "../occurrences/create-override.ts";
import { lengthFaults } from "../occurrences/override-faults.ts";
import type { Event } from "./contract.ts";
import {
  attendeesReference,
  blankEvent,
  positionFaults,
  referencesOf,
  withParameters,
} from "./event-input.ts";
import { eventRecords } from "./event-records.ts";
import { insertEvent } from "./event-rows.ts";
import type { CreateEvent, UpdateEvent } from "./parameters.ts";
import { effectiveAtFaults, withInitialRoster } from "./roster-input.ts";

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
): Promise<Event | Refusal> {
  const { parent_id: parentId } = body;
  return retryOnConflict(() =>
    parentId == null ? createShifts(context, id, body) : createChild(context, id, body, parentId),
  );
}

async function createShifts(
  context: Context,
  id: string,
  body: CreateEvent,
): Promise<Event | Refusal> {
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
  const onCall = {
    replacedIds: [],
    events: [event],
    schedulesBefore: [],
    schedulesAfter: scheduleIds,
  };
  const change = { verb: "create", records: eventRecords, id, before: null, writes, onCall };
  const { after } = await commitChange(context, change);
  return after ?? notFound("event");
}

/** Overrides the occurrence of the parent that contains the new event's start. */
function createChild(
  context: Context,
  id: string,
  { schedule_ids, ...rest }: UpdateEvent,
  parentId: string,
): Promise<Event | Refusal> {
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
