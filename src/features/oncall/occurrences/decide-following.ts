// Decides a change of a series from one occurrence on (contract 4, Changes of a series). The change
// and its preview decide the same.
import { validateEventRule } from "../../../domain/oncall/changes/event-validation.ts";
import {
  type Extension,
  extendingShifts,
  extensionOf,
  extensionWithout,
  MOST_EXTENSIONS,
} from "../../../domain/oncall/changes/extension.ts";
import {
  decideFollowing,
  type FollowingChange,
  isUnchanged,
} from "../../../domain/oncall/changes/following-change.ts";
import {
  changeLaterVersions,
  versionsAfter,
} from "../../../domain/oncall/changes/later-versions.ts";
import {
  overridesThatGo,
  refuseOccurrence,
} from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { namedOccurrence } from "../../../domain/oncall/recurrence/occurrence-at.ts";
import type { Occurrence } from "../../../domain/oncall/recurrence/occurrences.ts";
import { plannedRosters } from "../../../domain/oncall/rosters/planned-rosters.ts";
import { rosterAt } from "../../../domain/oncall/rosters/serving.ts";
import { firstOf } from "../../../domain/oncall/series-versions.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import type { Resolved } from "../../../kernel/db/references.ts";
import type { Context } from "../../change/context.ts";
import { readLeavers } from "../../people/account-users/present-people.ts";
import { refuseImported } from "../calendar-imports/refuse-imported.ts";
import type { Event } from "../events/contract.ts";
import type { EventFamily } from "../events/event-family.ts";
import {
  attendeesReference,
  newRosterOf,
  positionFaults,
  withOwnRows,
  withParameters,
} from "../events/event-input.ts";
import type { ChangeFollowingEvents } from "../events/parameters.ts";
import { readFamily } from "../events/read-family.ts";
import { isAsRead, plannedFaults } from "../events/roster-input.ts";

/** A change with the hours that it leaves to the shift before. */
export type ExtensibleChange = FollowingChange & {
  readonly extension: Extension | null;
  /** Plain shifts in these hours, if the request asks for them. */
  readonly extending: readonly OnCallEvent[];
  /** The ids of overrides that go because the series ends before them. */
  readonly removed: readonly string[];
  /** The later versions that change with the series, with rows of their own. */
  readonly versions: readonly OnCallEvent[];
};

type Decided = {
  readonly family: EventFamily;
  /** The event's record as it was read. */
  readonly record: Event;
  /** Null when the request changes nothing. */
  readonly change: ExtensibleChange | null;
};

const NOT_AN_OVERRIDE = refuse("invalid", "an override cannot repeat", "action_time");

/**
 * Reads the event and decides the change.
 *
 * @param id the ULID of the event that continues from the occurrence on
 * @returns the decision; 404; 422 when there is no such occurrence, for an invalid rule or unknown
 *   people
 */
export async function readAndDecide(
  context: Context,
  identifier: Identifier,
  id: string,
  body: ChangeFollowingEvents,
): Promise<Decided | Refusal> {
  const people = [attendeesReference(body.account_user_ids)];
  const { resolved, stored } = await readFamily(context, identifier, people);
  if (!stored) return notFound("event");
  const imported = refuseImported(stored.family);
  if (imported) return imported;
  const change = await decide(context, stored.family, body, resolved, id);
  return isRefusal(change) ? change : { ...stored, change };
}

async function decide(
  context: Context,
  family: EventFamily,
  body: ChangeFollowingEvents,
  resolved: Resolved,
  id: string,
): Promise<ExtensibleChange | null | Refusal> {
  const { now } = context;
  const { event } = family;
  const { action_time: at } = body;
  if (event.parentId !== null) return NOT_AN_OVERRIDE;
  const occurrence = namedOccurrence(family, at);
  if (!occurrence) return refuseOccurrence(event, at);
  const people =
    body.account_user_ids && resolved.ok ? resolved.idsOf("account_user_ids") : undefined;
  const { startAt, endAt } = occurrence;
  const rule = withParameters({ ...event, startAt, endAt }, body, now);
  const from = Math.max(now, startAt);
  const later = versionsAfter(family.series, event);
  const replacesPlanned = Boolean(body.replaces_planned);
  const hasPlans = plannedRosters(event, from).length > 0;
  const base = isAsRead(event, body, people, now) ? event : rosterAt(event, from);
  const edited = { ...rule, ...newRosterOf(base, body, people, now) };
  const change = decideFollowing(event, occurrence, edited, id, {
    from: now,
    replacesPlanned: replacesPlanned && hasPlans,
    newId: () => newId(now),
  });
  const first = firstOf(change.after)?.startAt ?? now;
  const followed = { was: event, is: change.after, at: Math.max(now, first), replacesPlanned };
  const versions = changeLaterVersions(followed, later, () => newId(now)).map((it) =>
    withOwnRows(it, now),
  );
  const extended = await withEffects(context, family, occurrence, change, body);
  const errors = [
    ...validateEventRule(edited),
    ...validateEventRule(change.after),
    ...positionFaults(body, edited),
    ...(people ? [change.after, ...versions].flatMap((it) => plannedFaults(it, now)) : []),
    ...(extended.extending.length > MOST_EXTENSIONS ? [TOO_FAR] : []),
    ...(resolved.ok ? [] : resolved.errors),
  ];
  const faults = new Map(errors.map((error) => [error.message, error]));
  if (faults.size > 0) return refuseFields([...faults.values()]);
  const isStill = isUnchanged(event, occurrence, edited) && body.meta === undefined;
  const replaces = replacesPlanned && (hasPlans || versions.length > 0);
  return isStill && !replaces ? null : { ...extended, versions };
}

const TOO_FAR = {
  field: "extend_previous_shift",
  message: `extend_previous_shift would add more than ${MOST_EXTENSIONS} shifts`,
};

async function withEffects(
  { db, actor, now }: Context,
  { event, series }: EventFamily,
  occurrence: Occurrence,
  change: FollowingChange,
  { extend_previous_shift: isAsked }: ChangeFollowingEvents,
): Promise<Omit<ExtensibleChange, "versions">> {
  const left = extensionOf(event, occurrence, change.after);
  const people = left?.attendees.map(({ attendeeId }) => attendeeId) ?? [];
  const extension = left && extensionWithout(left, await readLeavers(db, actor.accountId, people));
  const extending =
    extension && isAsked ? extendingShifts(event, change.after, extension, () => newId(now)) : [];
  const others = series.filter(({ id }) => id !== event.id);
  const after = [...others, ...(change.before ? [change.before] : []), change.after];
  const removed = overridesThatGo(series, after, false).map(({ id }) => id);
  return { ...change, extension, extending, removed };
}
