// Escalation policies: how an alert moves through the layers of a team's schedule (contract 2,
// Escalation policies). Teams refer to a policy; a policy does not belong to a team.

import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import {
  CreateEscalationPolicy,
  UpdateEscalationPolicy,
} from "../../contract/routing/escalation-policy-parameters.ts";
import {
  commonAttributes,
  nested,
  number,
  type RawRow,
  references,
  string,
} from "../../db/records/attributes.ts";
import { presentRecord, type Records, selectOne } from "../../db/records/records.ts";
import { type Reference, resolveWith } from "../../db/records/references.ts";
import {
  escalationLayers,
  escalationPolicies,
  escalationReassignments,
  teams,
} from "../../db/schema/oncall.ts";
import { accountUsers } from "../../db/schema/people.ts";
import { build } from "../../db/shared/database.ts";
import { newId, newIdentity } from "../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../db/shared/optimistic-retry.ts";
import { isTaken } from "../../db/shared/precondition.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../domain/shared/refusal.ts";
import { type Answer, created, deleted, found } from "../../http/answers.ts";
import { onRecord, pathIdentifier, readRoutes, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, noBody, one } from "../../http/shown.ts";
import { deleteRecord, usesThroughTeams } from "../../services/shared/delete-record.ts";
import { changeLayers, type Layer, layersOf, writeLayers } from "./escalation-layers.ts";

// ── Rows ──

/** The parameters that list receivers, with the type of their rows. */
const RECEIVERS = { reassign_team_ids: "team", reassign_account_user_ids: "account_user" } as const;
type ReceiverField = keyof typeof RECEIVERS;
const RECEIVER_FIELDS = Object.keys(RECEIVERS) as ReceiverField[];

const receivers = (type: (typeof RECEIVERS)[ReceiverField]) =>
  sql<
    readonly string[]
  >`(select json_group_array(receiver_id order by position) from ${escalationReassignments}
    where ${escalationReassignments.escalationPolicyId} = ${escalationPolicies.id}
      and ${escalationReassignments.receiverType} = ${type})`;

const teamsOfPolicy = sql<
  readonly string[]
>`(select json_group_array(${teams.id} order by ${teams.id}) from ${teams}
  where ${teams.accountId} = ${escalationPolicies.accountId}
    and ${teams.escalationPolicyId} = ${escalationPolicies.id})`;

const escalationPolicyRecords: Records<"EscalationPolicy"> = {
  kind: "escalation_policy",
  shows: "EscalationPolicy",
  from: escalationPolicies,
  accountId: escalationPolicies.accountId,
  id: escalationPolicies.id,
  prefixId: escalationPolicies.prefixId,
  attributes: {
    ...commonAttributes(escalationPolicies),
    name: string(escalationPolicies.name),
    repeat: number(escalationPolicies.repeat),
    reassign_team_ids: references(receivers("team"), escalationPolicies.accountId, teams),
    reassign_account_user_ids: references(
      receivers("account_user"),
      escalationPolicies.accountId,
      accountUsers,
    ),
    team_ids: references(teamsOfPolicy, escalationPolicies.accountId, teams),
    escalation_layers: nested(layersOf(escalationPolicies.id)),
  },
  search: [escalationPolicies.name],
  total: "escalation_policies",
};

function writeReceivers(
  accountId: string,
  policyId: string,
  name: ReceiverField,
  ids: readonly string[],
): SQLWrapper[] {
  const policy = eq(escalationReassignments.escalationPolicyId, policyId);
  return [
    build
      .delete(escalationReassignments)
      .where(and(policy, eq(escalationReassignments.receiverType, RECEIVERS[name]))),
    sql`insert into ${escalationReassignments}
        (account_id, escalation_policy_id, receiver_type, receiver_id, position)
      select ${accountId}, ${policyId}, ${RECEIVERS[name]}, value, key
      from json_each(${JSON.stringify(ids)})`,
  ];
}

// ── Rules ──

const referencesOf = (body: UpdateEscalationPolicy): Reference[] =>
  RECEIVER_FIELDS.map((name) => ({ field: name, kind: RECEIVERS[name], ids: body[name] ?? [] }));

/** The refusal when a concurrent request took a layer's number. */
function refuseTakenLayer(error: unknown): Refusal {
  if (!isTaken(error, escalationLayers)) throw error;
  const name = "escalation_layers_attributes";
  return refuseFields([{ field: name, message: `${name} must differ from the other layers` }]);
}

// ── Routes ──

async function create(request: ApiRequest<CreateEscalationPolicy>): Promise<Answer> {
  const { db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const { resolved } = await resolveWith(db, accountId, referencesOf(body), []);
  const layers = changeLayers([], body.escalation_layers_attributes ?? [], () => newId(now));
  const errors = [...layers.errors, ...(resolved.ok ? [] : resolved.errors)];
  if (errors.length > 0 || !resolved.ok) return refuseFields(errors);
  const row = {
    ...newIdentity("escalation_policy", now, recordId),
    accountId,
    name: body.name,
    repeat: body.repeat ?? 0,
    ...(body.meta && { meta: body.meta }),
  };
  const writes = [
    build.insert(escalationPolicies).values(row),
    ...writeLayers(accountId, row.id, layers, now),
    ...RECEIVER_FIELDS.flatMap((name) =>
      writeReceivers(accountId, row.id, name, resolved.idsOf(name)),
    ),
  ];
  const identifier = { form: "id", value: row.id } as const;
  const record = await writeAndRead(db, writes, escalationPolicyRecords, accountId, identifier);
  return isRefusal(record) ? record : created(record);
}

async function update(request: ApiRequest<UpdateEscalationPolicy>): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "escalation_policy");
  if (isRefusal(identifier)) return identifier;
  const read = selectOne(escalationPolicyRecords, accountId, identifier);
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [read]);
  const policy = toPolicy(rows[0]?.[0]);
  if (policy === null) return notFound("escalation_policy");
  const entries = body.escalation_layers_attributes ?? [];
  const layers = changeLayers(policy.layers, entries, () => newId(now));
  const errors = [...layers.errors, ...(resolved.ok ? [] : resolved.errors)];
  if (errors.length > 0 || !resolved.ok) return refuseFields(errors);
  const columns = {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.repeat != null && { repeat: body.repeat }),
    ...(body.meta !== undefined && { meta: body.meta }),
    updatedAt: now,
  };
  const writes = [
    ...request.stillAllowed,
    build.update(escalationPolicies).set(columns).where(eq(escalationPolicies.id, policy.id)),
    ...writeLayers(accountId, policy.id, layers, now),
    ...RECEIVER_FIELDS.filter((name) => body[name] !== undefined).flatMap((name) =>
      writeReceivers(accountId, policy.id, name, resolved.idsOf(name)),
    ),
  ];
  const write = writeAndRead(db, writes, escalationPolicyRecords, accountId, identifier);
  const record = await write.catch(refuseTakenLayer);
  return isRefusal(record) ? record : found(record);
}

function toPolicy(row: RawRow | undefined) {
  if (!row) return null;
  const shown = presentRecord(escalationPolicyRecords, row);
  return { id: String(shown.id), layers: shown.escalation_layers as readonly Layer[] };
}

/** Clears the policy from the teams that use it. */
async function remove(request: ApiRequest, identifier: Identifier): Promise<Answer> {
  const { accountId } = request.actor;
  const reasons = usesThroughTeams(accountId, teams.escalationPolicyId);
  const deletes = (id: string) => [
    build
      .update(teams)
      .set({ escalationPolicyId: null, updatedAt: request.now })
      .where(and(eq(teams.accountId, accountId), eq(teams.escalationPolicyId, id))),
    build.delete(escalationPolicies).where(eq(escalationPolicies.id, id)),
  ];
  return deleted(
    await deleteRecord(request, escalationPolicyRecords, identifier, { reasons, deletes }),
  );
}

export const escalationPolicyRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/escalation_policies", "EscalationPolicy", escalationPolicyRecords),
  route({
    method: "POST",
    path: "/escalation_policies",
    operation: "createEscalationPolicy",
    summary: "Create an escalation policy",
    shows: made(escalationPolicyRecords),
    body: CreateEscalationPolicy,
    furtherChecks: (body) => ({
      faults: changeLayers([], body.escalation_layers_attributes ?? [], () => "").errors,
      references: referencesOf(body),
    }),
    makes: escalationPolicyRecords,
    handle: create,
  }),
  ...updateRoutes({
    path: "/escalation_policies/:id",
    operation: "updateEscalationPolicy",
    summary: "Update an escalation policy",
    shows: one(escalationPolicyRecords),
    body: UpdateEscalationPolicy,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: (request) => retryOnConflict(() => update(request)),
  }),
  route({
    method: "DELETE",
    path: "/escalation_policies/:id",
    operation: "deleteEscalationPolicy",
    summary: "Delete an escalation policy",
    shows: noBody,
    refuses: ["conflict"],
    handle: onRecord("escalation_policy", remove),
  }),
];
