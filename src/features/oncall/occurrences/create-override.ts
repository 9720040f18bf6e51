import type { SQL } from "drizzle-orm";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { rosterOf } from "../../../domain/oncall/rosters/roster-change.ts";
import { isOverride } from "../../../domain/oncall/series-versions.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged } from "../../../kernel/db/optimistic-retry.ts";
import { type Reference, resolveWith } from "../../../kernel/db/references.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { events } from "../../schema/oncall.ts";
import { type EventFamily, selectFamily, toFamily } from "../events/event-family.ts";
import { blankEvent, newRosterOf, positionFaults, withParameters } from "../events/event-input.ts";
import { eventRecords } from "../events/event-records.ts";
import { insertOverride } from "../events/event-rows.ts";
import type { UpdateEvent } from "../events/parameters.ts";
import { effectOf } from "../on-call/on-call-effect.ts";
import { overrideFaults } from "./override-faults.ts";

type NewOverride = {
  /** The ULID of the new override. */
  readonly id: string;
  /** The event to override. */
  readonly parent: Identifier;
  readonly body: UpdateEvent;
  /** The records that the parameters name. */
  readonly references: readonly Reference[];
};

type Check = (parent: EventFamily, override: OnCallEvent) => Refusal | null;

/**
 * Creates an override.
 *
 * @param check refuses hours that are not for overriding
 * @returns the override; 404; 422 with all errors, also those of `check`
 */
export async function createOverride(
  context: Context,
  { id, parent: identifier, body, references }: NewOverride,
  check: Check,
): Promise<Decision<"Event"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const { resolved, rows } = await resolveWith(db, accountId, references, [
    ...selectFamily(accountId, identifier, now),
  ]);
  const [members, absences, past] = rows;
  const family = toFamily({ members, absences, past }, identifier);
  const unresolved = resolved.ok ? [] : resolved.errors;
  if (!family) {
    const isNamed = unresolved.some(({ field }) => field === "parent_id");
    return isNamed ? refuseFields(unresolved) : notFound("event");
  }
  const people = resolved.ok ? resolved.idsOf("account_user_ids") : [];
  const parent = family.event;
  const override = overrideOf(family, { id, body, people }, now);
  const refusal = check(family, override);
  const errors = [
    ...positionFaults(body, { rotation: false }),
    ...overrideFaults(family, body, resolved),
    ...(refusal?.errors ?? []),
    ...unresolved,
  ];
  if (errors.length > 0) return refuseFields(errors);
  const unchanged = assertUnchanged(events, parent.id, family.updatedAt);
  return writeOverride(context, family, override, { verb: "create", unchanged, meta: body.meta });
}

/**
 * An override of the family's event, before it is decided which occurrence it is for.
 *
 * @param people the account user ids of `body.account_user_ids`
 */
export function overrideOf(
  family: EventFamily,
  { id, body, people }: Pick<NewOverride, "id" | "body"> & { readonly people: readonly string[] },
  now: number,
): OnCallEvent {
  const rule = withParameters(
    blankEvent(id),
    { ...body, restrictions: [], when_away: "stay" },
    now,
  );
  return {
    ...rule,
    ...rosterOf(newRosterOf(rule, { ...body, rotation: false }, people, now)),
    createdAt: newestOf(family, now),
    seriesId: family.event.seriesId,
    parentId: family.event.id,
    repeat: false,
    priority: family.event.priority ?? 0,
  };
}

type OverrideWrite = {
  readonly verb: string;
  /** The precondition that what the override was decided by is unchanged. */
  readonly unchanged: SQL;
  readonly meta?: UpdateEvent["meta"];
  /** Of a take-over: who is relieved. */
  readonly relieved?: readonly string[];
};

/** The change that writes a decided override of the family's event. */
export function writeOverride(
  { actor, now }: Context,
  family: EventFamily,
  override: OnCallEvent,
  { verb, unchanged, meta, relieved }: OverrideWrite,
): Decision<"Event"> {
  const { id, createdAt } = override;
  const { scheduleIds, whole } = family;
  const identity = { ...newIdentity("event", now, id), createdAt };
  const onCall = effectOf({
    replacedIds: [],
    events: [override],
    known: whole,
    schedulesBefore: scheduleIds,
    schedulesAfter: scheduleIds,
  });
  return {
    ...{ verb, records: eventRecords, id, before: null, onCall },
    writes: [unchanged, ...insertOverride(actor.accountId, override, family, identity, meta)],
    ...(relieved && { relieved }),
    answer: ({ after }) => after ?? notFound("event"),
  };
}

/**
 * The creation time (epoch ms) of an override that is newer than those that are there: they may be of
 * the same millisecond, or of a clock that is ahead.
 */
export const newestOf = ({ series }: EventFamily, now: number): number =>
  Math.max(now, ...series.filter(isOverride).map(({ createdAt }) => createdAt + 1));
