import { and, eq, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { oneRecord, selectRecord } from "../../../kernel/db/records.ts";
import { resolveReferences, resolveWith } from "../../../kernel/db/references.ts";
import type { Decision, EventWrites } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import {
  deleteRecord,
  dropReassignments,
  selectReferencesToReceiver,
} from "../../change/delete-record.ts";
import {
  escalationLayers,
  escalationPolicies,
  schedules,
  teamPeople,
  teams,
} from "../../schema/oncall.ts";
import type { Team } from "./contract.ts";
import { leaveSchedule, NOBODY_LEAVES } from "./leave-schedule.ts";
import { type CreateTeam, RESTORED_FIELDS, type UpdateTeam } from "./parameters.ts";
import { findMissingPeople, referencesOf } from "./team-input.ts";
import { teamRecords } from "./team-records.ts";
import { insertPeople, PEOPLE_FIELDS, RELATIONS } from "./team-writes.ts";

/** The timeouts of the default policy's layers. */
const LAYER_MINUTES = [5, 10, 15];

/** Builds the default schedule and policy, and the statements that insert them. */
function buildDefaults(teamName: string, accountId: string, now: number) {
  const schedule = { ...newIdentity("schedule", now), accountId, name: `${teamName} Schedule` };
  const policy = {
    ...newIdentity("escalation_policy", now),
    accountId,
    name: `${teamName} Escalation Policy`,
  };
  const layers = LAYER_MINUTES.map((timeout, i) => ({
    ...newIdentity("escalation_layer", now),
    accountId,
    escalationPolicyId: policy.id,
    layer: i + 1,
    timeout,
    timeoutUnit: "minutes" as const,
  }));
  return {
    scheduleId: schedule.id,
    policyId: policy.id,
    insertSchedule: [build.insert(schedules).values(schedule)],
    insertPolicy: [
      build.insert(escalationPolicies).values(policy),
      build.insert(escalationLayers).values(layers),
    ],
  };
}

/**
 * Creates a team, with a schedule and an escalation policy if the parameters name none (contract 2,
 * Teams).
 *
 * @param id the ULID of the new team
 * @returns the team; 422 for unknown records, or without a member or an admin
 */
export async function createTeam(
  context: Context,
  id: string,
  body: CreateTeam,
): Promise<Decision<"Team"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const missing = findMissingPeople(body, true);
  const resolved = await resolveReferences(db, accountId, referencesOf(body));
  if (!resolved.ok) return refuseFields([...missing, ...resolved.errors]);
  if (missing.length > 0) return refuseFields(missing);
  const made = buildDefaults(body.name, accountId, now);
  const [scheduleId] = resolved.idsOf("schedule_id");
  const [policyId] = resolved.idsOf("escalation_policy_id");
  const row = {
    ...newIdentity("team", now, id),
    accountId,
    ...plainColumns(teams, body),
    name: body.name,
    scheduleId: scheduleId ?? made.scheduleId,
    escalationPolicyId: policyId ?? made.policyId,
  };
  const writes = [
    ...(scheduleId ? [] : made.insertSchedule),
    ...(policyId ? [] : made.insertPolicy),
    build.insert(teams).values(row),
    ...PEOPLE_FIELDS.map((name) => insertPeople(accountId, id, name, resolved.idsOf(name))),
  ];
  return {
    ...{ verb: "create", records: teamRecords, id, before: null, writes },
    answer: ({ after }) => after ?? notFound("team"),
  };
}

/**
 * Changes a team (contract 2, Teams).
 *
 * @param rotations writes of the schedule's rotations to commit with it, in place of those that
 *   follow from `leave_schedule`
 * @returns the team; 404; 422 for unknown records, if no member or no admin is left, or if a rotation
 *   would be without people
 */
export async function updateTeam(
  context: Context,
  identifier: Identifier,
  body: UpdateTeam,
  rotations: EventWrites = NOBODY_LEAVES,
): Promise<Decision<"Team"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const missing = findMissingPeople(body, false);
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectRecord(teamRecords, accountId, identifier),
  ]);
  const [[before]] = rows;
  if (!before) return notFound("team");
  if (!resolved.ok) return refuseFields([...missing, ...resolved.errors]);
  if (missing.length > 0) return refuseFields(missing);
  const { id } = before;
  const [scheduleId] = resolved.idsOf("schedule_id");
  const [policyId] = resolved.idsOf("escalation_policy_id");
  const columns = {
    ...plainColumns(teams, body),
    updatedAt: now,
    scheduleId,
    escalationPolicyId: policyId,
  };
  const replaced = PEOPLE_FIELDS.filter((name) => body[name] !== undefined).flatMap((name) => [
    build
      .delete(teamPeople)
      .where(and(eq(teamPeople.teamId, id), eq(teamPeople.relation, RELATIONS[name]))),
    insertPeople(accountId, id, name, resolved.idsOf(name)),
  ]);
  const update = build
    .update(teams)
    .set(columns)
    .where(oneRecord(teams, accountId, identifier));
  const peopleOf = (name: "member_account_user_ids" | "admin_account_user_ids") =>
    body[name] === undefined ? before[name] : resolved.idsOf(name);
  const leaving = body.leave_schedule
    ? await leaveSchedule(context, before, {
        member_account_user_ids: peopleOf("member_account_user_ids"),
        admin_account_user_ids: peopleOf("admin_account_user_ids"),
      })
    : rotations;
  if (isRefusal(leaving)) return leaving;
  const { onCall } = leaving;
  const writes = [...leaving.writes, update, ...replaced];
  const places = isUndoable(before, body, resolved.idsOf) ? [before.schedule_id, scheduleId] : [];
  const concerns = sql`select distinct value from json_each(${JSON.stringify(places)})
    where value is not null`;
  // A request cannot clear them again.
  const hadNone =
    (scheduleId && before.schedule_id === null) ||
    (policyId && before.escalation_policy_id === null);
  return {
    ...{ verb: "update", records: teamRecords, id, before, writes, onCall, concerns },
    ...(hadNone && { irreversible: "settings" }),
    answer: ({ after }) => after ?? notFound("team"),
  };
}

/** Whether the request changes fields that an undo restores: the schedule's history shows it then. */
function isUndoable(
  before: Team,
  body: UpdateTeam,
  idsOf: (field: string) => readonly string[],
): boolean {
  const [was, sent] = [before, body].map((it) => new Map<string, unknown>(Object.entries(it)));
  return RESTORED_FIELDS.some((name) => {
    const [value, stored] = [sent?.get(name), was?.get(name)];
    if (value == null) return false;
    const wanted = Array.isArray(value) ? idsOf(name) : (idsOf(name)[0] ?? value);
    return JSON.stringify(wanted) !== JSON.stringify(stored);
  });
}

/**
 * Deletes a team; its schedule and policy stay: other teams may use them.
 *
 * @returns null; 404; 409 while it is in use
 */
export function deleteTeam(
  context: Context,
  identifier: Identifier,
): Promise<Decision<"Team", null> | Refusal> {
  const { accountId } = context.actor;
  const reasons = selectReferencesToReceiver(accountId);
  const deletes = (id: string) => [
    dropReassignments(accountId, id),
    build.delete(teams).where(eq(teams.id, id)),
  ];
  return deleteRecord(context, teamRecords, identifier, { reasons, deletes });
}
