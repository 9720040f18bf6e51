// Teams: groups of account users with an active schedule and an active escalation policy (contract
// 2, Teams).

import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { CreateTeam, UpdateTeam } from "../../contract/people/team-parameters.ts";
import {
  commonAttributes,
  nested,
  reference,
  references,
  string,
} from "../../db/records/attributes.ts";
import { oneRecord, type Records, selectId } from "../../db/records/records.ts";
import { type Reference, resolveReferences, resolveWith } from "../../db/records/references.ts";
import {
  escalationLayers,
  escalationPolicies,
  schedules,
  teamPeople,
  teams,
} from "../../db/schema/oncall.ts";
import { accountUsers } from "../../db/schema/people.ts";
import { build } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { type FieldError, isRefusal, notFound, refuseFields } from "../../domain/shared/refusal.ts";
import { type Answer, created, deleted, found } from "../../http/answers.ts";
import { onRecord, pathIdentifier, readRoutes, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, noBody, one } from "../../http/shown.ts";
import {
  deleteRecord,
  dropReassignments,
  usesOfReceiver,
} from "../../services/shared/delete-record.ts";

// ── Rows ──

/** The parameters that list people, with the relation of their rows. */
const PEOPLE = {
  member_account_user_ids: "member",
  admin_account_user_ids: "admin",
  drop_notification_account_user_ids: "drop",
  handoff_notification_account_user_ids: "handoff",
} as const;
type PeopleField = keyof typeof PEOPLE;
const PEOPLE_FIELDS = Object.keys(PEOPLE) as PeopleField[];

const people = (relation: (typeof PEOPLE)[PeopleField]) =>
  sql<
    readonly string[]
  >`(select json_group_array(account_user_id order by position) from ${teamPeople}
    where ${teamPeople.teamId} = ${teams.id} and ${teamPeople.relation} = ${relation})`;

export const teamRecords: Records<"Team"> = {
  kind: "team",
  shows: "Team",
  from: teams,
  accountId: teams.accountId,
  id: teams.id,
  prefixId: teams.prefixId,
  attributes: {
    ...commonAttributes(teams),
    name: string(teams.name),
    notes: string(teams.notes),
    escalation_policy_id: reference(teams.escalationPolicyId, teams.accountId, escalationPolicies),
    schedule_id: reference(teams.scheduleId, teams.accountId, schedules),
    member_account_user_ids: references(people("member"), teams.accountId, accountUsers),
    admin_account_user_ids: references(people("admin"), teams.accountId, accountUsers),
    drop_notifications: string(teams.dropNotifications),
    handoff_notifications: string(teams.handoffNotifications),
    drop_notification_account_user_ids: references(people("drop"), teams.accountId, accountUsers),
    handoff_notification_account_user_ids: references(
      people("handoff"),
      teams.accountId,
      accountUsers,
    ),
    attachments: nested(teams.attachments),
  },
  search: [teams.name],
  total: "teams",
};

function insertPeople(
  accountId: string,
  teamId: string,
  fieldName: PeopleField,
  ids: readonly string[],
): SQLWrapper {
  return sql`insert into ${teamPeople} (account_id, team_id, relation, account_user_id, position)
    select ${accountId}, ${teamId}, ${PEOPLE[fieldName]}, value, key from json_each(${JSON.stringify(ids)})`;
}

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
function columnsOf(body: UpdateTeam) {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.notes !== undefined && { notes: body.notes }),
    ...(body.meta !== undefined && { meta: body.meta }),
    ...(body.attachments != null && { attachments: body.attachments }),
    ...(body.drop_notifications != null && { dropNotifications: body.drop_notifications }),
    ...(body.handoff_notifications != null && { handoffNotifications: body.handoff_notifications }),
  };
}

// ── Rules ──

/** The default policy of a new team: three layers of 5, 10 and 15 minutes (contract 2, Teams). */
const DEFAULT_LAYER_MINUTES = [5, 10, 15];

function referencesOf(body: UpdateTeam): Reference[] {
  return [
    ...PEOPLE_FIELDS.map((name) => ({
      field: name,
      kind: "account_user" as const,
      ids: body[name] ?? [],
    })),
    { field: "schedule_id", kind: "schedule", ids: body.schedule_id ? [body.schedule_id] : [] },
    {
      field: "escalation_policy_id",
      kind: "escalation_policy",
      ids: body.escalation_policy_id ? [body.escalation_policy_id] : [],
    },
  ];
}

/** Requires at least one member and one admin. */
function findMissingPeople(body: UpdateTeam, creating: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["member_account_user_ids", "admin_account_user_ids"] as const) {
    const ids = body[name];
    if (ids === undefined ? creating : ids.length === 0) {
      errors.push({ field: name, message: `${name} must name at least one account user` });
    }
  }
  return errors;
}

/** The default schedule and policy of a new team that names none (contract 2, Teams). */
function buildDefaults(body: UpdateTeam, accountId: string, now: number) {
  const name = body.name ?? "";
  const schedule = { ...newIdentity("schedule", now), accountId, name: `${name} Schedule` };
  const policy = {
    ...newIdentity("escalation_policy", now),
    accountId,
    name: `${name} Escalation Policy`,
  };
  const layers = DEFAULT_LAYER_MINUTES.map((timeout, i) => ({
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

// ── Routes ──

async function create(request: ApiRequest<CreateTeam>) {
  const { db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const missing = findMissingPeople(body, true);
  const resolved = await resolveReferences(db, accountId, referencesOf(body));
  if (!resolved.ok) return refuseFields([...missing, ...resolved.errors]);
  if (missing.length > 0) return refuseFields(missing);
  const made = buildDefaults(body, accountId, now);
  const [scheduleId] = resolved.idsOf("schedule_id");
  const [policyId] = resolved.idsOf("escalation_policy_id");
  const row = {
    ...newIdentity("team", now, recordId),
    accountId,
    ...columnsOf(body),
    name: body.name,
    scheduleId: scheduleId ?? made.scheduleId,
    escalationPolicyId: policyId ?? made.policyId,
  };
  const writes = [
    ...(scheduleId ? [] : made.insertSchedule),
    ...(policyId ? [] : made.insertPolicy),
    build.insert(teams).values(row),
    ...PEOPLE_FIELDS.map((name) => insertPeople(accountId, row.id, name, resolved.idsOf(name))),
  ];
  const identifier = { form: "id", value: row.id } as const;
  const record = await writeAndRead(db, writes, teamRecords, accountId, identifier);
  return isRefusal(record) ? record : created(record);
}

async function update(request: ApiRequest<UpdateTeam>) {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "team");
  if (isRefusal(identifier)) return identifier;
  const missing = findMissingPeople(body, false);
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectId(teamRecords, accountId, identifier),
  ]);
  const team = rows[0]?.[0];
  if (!team) return notFound("team");
  if (!resolved.ok) return refuseFields([...missing, ...resolved.errors]);
  if (missing.length > 0) return refuseFields(missing);
  const teamId = String(team.id);
  const [scheduleId] = resolved.idsOf("schedule_id");
  const [policyId] = resolved.idsOf("escalation_policy_id");
  const columns = {
    ...columnsOf(body),
    updatedAt: now,
    ...(scheduleId && { scheduleId }),
    ...(policyId && { escalationPolicyId: policyId }),
  };
  const replaced = PEOPLE_FIELDS.filter((name) => body[name] !== undefined).flatMap((name) => [
    build
      .delete(teamPeople)
      .where(and(eq(teamPeople.teamId, teamId), eq(teamPeople.relation, PEOPLE[name]))),
    insertPeople(accountId, teamId, name, resolved.idsOf(name)),
  ]);
  const writes = [
    ...request.stillAllowed,
    build
      .update(teams)
      .set(columns)
      .where(oneRecord(teams, accountId, identifier)),
    ...replaced,
  ];
  const record = await writeAndRead(db, writes, teamRecords, accountId, identifier);
  return isRefusal(record) ? record : found(record);
}

/** Keeps the team's schedule and policy: other teams may use them. */
async function remove(request: ApiRequest, identifier: Identifier): Promise<Answer> {
  const { accountId } = request.actor;
  const reasons = usesOfReceiver(accountId);
  const deletes = (id: string) => [
    dropReassignments(accountId, id),
    build.delete(teams).where(eq(teams.id, id)),
  ];
  return deleted(await deleteRecord(request, teamRecords, identifier, { reasons, deletes }));
}

export const teamRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/teams", "Team", teamRecords),
  route({
    method: "POST",
    path: "/teams",
    operation: "createTeam",
    summary: "Create a team",
    shows: made(teamRecords),
    body: CreateTeam,
    furtherChecks: (body) => ({
      faults: findMissingPeople(body, true),
      references: referencesOf(body),
    }),
    makes: teamRecords,
    handle: (request) => retryOnConflict(() => create(request)),
  }),
  ...updateRoutes({
    path: "/teams/:id",
    operation: "updateTeam",
    summary: "Update a team",
    shows: one(teamRecords),
    body: UpdateTeam,
    furtherChecks: (body) => ({
      faults: findMissingPeople(body, false),
      references: referencesOf(body),
    }),
    handle: (request) => retryOnConflict(() => update(request)),
  }),
  route({
    method: "DELETE",
    path: "/teams/:id",
    operation: "deleteTeam",
    summary: "Delete a team",
    shows: noBody,
    refuses: ["conflict"],
    handle: onRecord("team", remove),
  }),
];
