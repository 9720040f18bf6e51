// Overrides: events that replace an occurrence of another event for a time (contract 4, Overrides).
// They do not repeat, and are always in the schedules of their parent.
import type { SQLWrapper } from "drizzle-orm";
import { OverrideEvent, type UpdateEvent } from "../../../contract/oncall/event-parameters.ts";
import { type EventFamily, selectFamily, toFamily } from "../../../db/oncall/event-family.ts";
import { insertOverride } from "../../../db/oncall/event-rows.ts";
import { type Reference, type Resolved, resolveWith } from "../../../db/records/references.ts";
import { events } from "../../../db/schema/oncall.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { assertUnchanged, retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { validateEventRule } from "../../../domain/oncall/changes/event-validation.ts";
import {
  decideChild,
  decideOverride,
  type OverrideDecision,
} from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { type Identifier, parseIdentifier } from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  isRefusal,
  notFound,
  type Refusal,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { type Answer, created } from "../../../http/answers.ts";
import { pathIdentifier, writeAndRead } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../../http/route.ts";
import { made } from "../../../http/shown.ts";
import {
  attendeesReference,
  blankEvent,
  positionFaults,
  withParameters,
} from "./event-parameters.ts";
import { eventRecords } from "./event-records.ts";

// ── Rules ──

const fault = (field: string, message: string): FieldError => ({
  field,
  message: `${field} ${message}`,
});

/** Limits the occurrences of the parent that one override splits. */
const LONGEST_DAYS = 366;

/** Errors for an override that is too long. `end` is the name of its end in the body. */
export function lengthFaults({ startAt, endAt }: OnCallEvent, end: string): FieldError[] {
  const isTooLong = endAt - startAt > LONGEST_DAYS * DAY;
  return isTooLong ? [fault(end, `is over ${LONGEST_DAYS} days after the override's start`)] : [];
}

/**
 * Errors for parameters that do not apply to overrides.
 *
 * @param family that of the override, or of the event to override: both have the same schedules
 */
export function overrideFaults(
  family: EventFamily,
  body: UpdateEvent,
  resolved: Resolved,
): FieldError[] {
  const faults: FieldError[] = [];
  if (body.repeat) faults.push(fault("repeat", "is not for overrides"));
  if (body.rotation) faults.push(fault("rotation", "is not for overrides"));
  if (body.schedule_ids !== undefined && resolved.ok) {
    const named = resolved.idsOf("schedule_ids").toSorted().join();
    if (named !== family.scheduleIds.toSorted().join()) {
      faults.push(fault("schedule_ids", "of an override are its parent's: leave them out"));
    }
  }
  return faults;
}

type Decide = (parent: EventFamily, override: OnCallEvent) => OverrideDecision | Refusal;

/** Creates an override of the event with this identifier. */
async function createOverride(
  request: ApiRequest<unknown>,
  body: UpdateEvent,
  identifier: Identifier,
  references: readonly Reference[],
  decide: Decide,
): Promise<Answer> {
  const { db, actor, now, recordId } = request;
  const { accountId } = actor;
  const read = selectFamily(accountId, identifier);
  const { resolved, rows } = await resolveWith(db, accountId, references, [read]);
  const family = toFamily(rows[0], identifier);
  const unresolved = resolved.ok ? [] : resolved.errors;
  if (!family) {
    const isNamed = unresolved.some(({ field }) => field === "parent_id");
    return isNamed ? refuseFields(unresolved) : notFound("event");
  }
  const identity = newIdentity("event", now, recordId);
  const people = resolved.ok ? resolved.idsOf("account_user_ids") : [];
  const parent = family.event;
  const rule = withParameters(blankEvent(identity.id), body, people, now);
  const override = { ...rule, parentId: parent.id, repeat: false, rotation: false };
  const decision = decide(family, override);
  const refused = isRefusal(decision) ? decision.errors : [];
  const positions = positionFaults(body, false);
  const errors = [
    ...positions,
    ...overrideFaults(family, body, resolved),
    ...refused,
    ...unresolved,
  ];
  if (errors.length > 0 || isRefusal(decision)) return refuseFields(errors);
  const decided = { ...override, overriddenStartAt: decision.overriddenStartAt };
  const writes: SQLWrapper[] = [
    ...request.stillAllowed,
    assertUnchanged(events, parent.id, family.updatedAt),
    ...insertOverride(accountId, decided, parent, identity, body.meta),
  ];
  const made = { form: "id", value: identity.id } as const;
  const record = await writeAndRead(db, writes, eventRecords, accountId, made);
  return isRefusal(record) ? record : created(record);
}

// ── Routes ──

/**
 * `POST /events` with `parent_id`: overrides the occurrence of the parent that contains its start.
 */
export async function createChild(
  request: ApiRequest<UpdateEvent>,
  parentId: string,
): Promise<Answer> {
  const { schedule_ids, ...rest } = request.body;
  const named = schedule_ids?.length ? schedule_ids : undefined;
  const references: Reference[] = [
    attendeesReference(rest.account_user_ids),
    { field: "parent_id", kind: "event", ids: [parentId] },
    { field: "schedule_ids", kind: "schedule", ids: named ?? [] },
  ];
  const identifier = parseIdentifier("event", parentId) ?? ({ form: "id", value: "" } as const);
  const body = { ...rest, schedule_ids: named };
  return createOverride(request, body, identifier, references, ({ event }, override) => {
    const faults = [...validateEventRule(override), ...lengthFaults(override, "end_datetime")];
    return faults.length > 0 ? refuseFields(faults) : decideChild(event, override.startAt);
  });
}

async function override(
  request: ApiRequest<OverrideEvent>,
  identifier: Identifier,
): Promise<Answer> {
  const { action_time: actionAt, ...body } = request.body;
  const references = [attendeesReference(body.account_user_ids)];
  return createOverride(request, body, identifier, references, ({ event, overrides }, made) => {
    const faults = lengthFaults(made, "end_time");
    if (faults.length > 0) return refuseFields(faults);
    return decideOverride(event, overrides, { ...made, actionAt });
  });
}

export const eventOverrideRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/events/:id/override",
    operation: "overrideEvent",
    summary: "Override an occurrence of an event",
    shows: made(eventRecords),
    refuses: ["conflict"],
    body: OverrideEvent,
    furtherChecks: (body) => ({ references: [attendeesReference(body.account_user_ids)] }),
    makes: eventRecords,
    handle: async (request) => {
      const identifier = pathIdentifier(request, "event");
      if (isRefusal(identifier)) return identifier;
      return retryOnConflict(() => override(request, identifier));
    },
  }),
];
