// Account users: the memberships of people in an account, with their roles and teams (contract 2,
// Account users).

import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Person, Roles } from "../../contract/people/account-user.ts";
import {
  CreateAccountUser,
  UpdateAccountUser,
} from "../../contract/people/account-user-parameters.ts";
import { invitedAt } from "../../db/people/invitation-rows.ts";
import {
  commonAttributes,
  hash,
  instant,
  reference,
  references,
  string,
} from "../../db/records/attributes.ts";
import type { Records } from "../../db/records/records.ts";
import { oneRecord } from "../../db/records/records.ts";
import { resolveWith } from "../../db/records/references.ts";
import { notificationRules } from "../../db/schema/integrations.ts";
import { teamPeople, teams } from "../../db/schema/oncall.ts";
import { accountUsers, users } from "../../db/schema/people.ts";
import { build } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../db/shared/optimistic-retry.ts";
import { assertPrecondition, isPreconditionFailed } from "../../db/shared/precondition.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound, refuse, refuseFields } from "../../domain/shared/refusal.ts";
import { forgetKeys } from "../../http/access/actor.ts";
import { refuseOthersInPath } from "../../http/access/own-record.ts";
import { type Answer, created, deleted, found } from "../../http/answers.ts";
import { onRecord, pathIdentifier, readRoutes, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, noBody, one } from "../../http/shown.ts";
import {
  deleteRecord,
  dropReassignments,
  usesOfReceiver,
} from "../../services/shared/delete-record.ts";
import {
  changesMembership,
  personOf,
  referencesOf,
  teamsField,
} from "./account-user-parameters.ts";
import { proveWith } from "./contacts/address-mails.ts";
import { foundPerson, selectPerson } from "./held-person.ts";
import {
  memberEmails,
  memberName,
  memberPhones,
  memberSearch,
  membersFrom,
  ofMember,
} from "./people.ts";
import { addPerson, changePerson, selectOwners, takenMeanwhile } from "./people-changes.ts";
import { mayNotChange } from "./person-access.ts";
import { guardedWrites, rolesNotice } from "./person-notices.ts";
import { countInvitation, welcomeWith } from "./welcome.ts";

// ── Rows ──

const flags = (...columns: readonly SQLWrapper[]) =>
  columns.map((it) => sql`iif(${it}, 'true', 'false')`);

const [admin, billing, broadcaster, communicator] = flags(
  accountUsers.admin,
  accountUsers.billing,
  accountUsers.broadcaster,
  accountUsers.communicator,
);

const [push, email, sms, voice] = flags(
  users.notifyPush,
  users.notifyEmail,
  users.notifySms,
  users.notifyVoice,
).map((it) => ofMember(it, sql`'null'`));

const memberTeams = sql<
  readonly string[]
>`(select json_group_array(team_id order by team_id) from ${teamPeople}
  where ${teamPeople.accountUserId} = ${accountUsers.id} and ${teamPeople.relation} = 'member')`;

export const accountUserRecords: Records<"AccountUser"> = {
  kind: "account_user",
  shows: "AccountUser",
  from: membersFrom,
  accountId: accountUsers.accountId,
  id: accountUsers.id,
  prefixId: accountUsers.prefixId,
  attributes: {
    ...commonAttributes(accountUsers),
    state: string(accountUsers.state),
    invited_at: instant(invitedAt),
    roles: hash(
      sql<Roles>`json_object('admin', json(${admin}), 'billing', json(${billing}),
      'broadcaster', json(${broadcaster}), 'communicator', json(${communicator}))`,
    ),
    notification_rule_id: reference(
      accountUsers.notificationRuleId,
      accountUsers.accountId,
      notificationRules,
    ),
    member_team_ids: references(memberTeams, accountUsers.accountId, teams),
    team_ids: references(memberTeams, accountUsers.accountId, teams),
    user: hash(
      sql<Person>`json_object('id', ${users.id}, 'prefix_id', ${users.prefixId}, 'name', ${memberName},
      'time_zone', ${ofMember(users.timeZone)},
      'preferred_language', ${ofMember(users.preferredLanguage)},
      'notify_push', json(${push}), 'notify_email', json(${email}),
      'notify_sms', json(${sms}), 'notify_voice', json(${voice}),
      'emails', json(${memberEmails}), 'phones', json(${memberPhones}))`,
    ),
  },
  search: memberSearch,
  total: "account_users",
};

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
function columnsOf({ roles, meta, notification_rule_id }: UpdateAccountUser, ruleId?: string) {
  return {
    ...(roles?.admin !== undefined && { admin: roles.admin }),
    ...(roles?.billing !== undefined && { billing: roles.billing }),
    ...(roles?.broadcaster !== undefined && { broadcaster: roles.broadcaster }),
    ...(roles?.communicator !== undefined && { communicator: roles.communicator }),
    ...(meta !== undefined && { meta }),
    ...(notification_rule_id !== undefined && { notificationRuleId: ruleId ?? null }),
  };
}

/** Makes an account user a member of exactly these teams. Existing members keep their position. */
function joinTeams(accountId: string, accountUserId: string, teamIds: readonly string[]) {
  const ids = JSON.stringify(teamIds);
  return [
    sql`delete from ${teamPeople} where account_user_id = ${accountUserId} and relation = 'member'
      and team_id not in (select value from json_each(${ids}))`,
    sql`insert or ignore into ${teamPeople} (account_id, team_id, relation, account_user_id, position)
      select ${accountId}, teams.id, 'member', ${accountUserId}, coalesce((select max(position) + 1
        from ${teamPeople} as held where held.team_id = teams.id and held.relation = 'member'), 0)
      from json_each(${ids}) as given join teams on teams.id = given.value`,
  ];
}

// ── Rules ──

const KEEP_AN_ADMIN = "the account needs at least one admin; give another member the role first";
const ADMINS_ONLY = refuse("forbidden", "this needs the role admin");

const admins = (accountId: string): SQL =>
  sql`select ${accountUsers.id} as id from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
    and ${accountUsers.admin} and ${accountUsers.state} = 'active'`;

// ── Routes ──

async function create(request: ApiRequest<CreateAccountUser>): Promise<Answer> {
  const { env, db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const parameters = { ...personOf(body), name: body.user_attributes.name };
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectOwners(accountId, parameters),
  ]);
  const ruleId = resolved.ok ? resolved.idsOf("notification_rule_id")[0] : undefined;
  const membership = {
    ...newIdentity("account_user", now, recordId),
    accountId,
    ...columnsOf(body, ruleId),
  };
  const added = addPerson(membership, parameters, rows[0] ?? [], "user_attributes.", now);
  const errors = [...added.errors, ...(resolved.ok ? [] : resolved.errors)];
  if (errors.length > 0 || !resolved.ok) return refuseFields(errors);
  const teamIds = resolved.idsOf(teamsField(body));
  const welcome = { accountId, accountUserId: membership.id };
  const isInvited = body.invite !== false;
  const over = isInvited ? await countInvitation(env, db, accountId, now) : null;
  if (over) return over;
  const writes = [
    ...added.writes,
    ...joinTeams(accountId, membership.id, teamIds),
    ...(isInvited ? [await welcomeWith(env, welcome, added, now)] : []),
    ...(await proveWith(env, actor, added.unverified, now)),
  ];
  const identifier = { form: "id", value: membership.id } as const;
  const record = await writeAndRead(db, writes, accountUserRecords, accountId, identifier).catch(
    (error) => takenMeanwhile(error, "user_attributes."),
  );
  return isRefusal(record) ? record : created(record);
}

function writesOf(body: UpdateAccountUser, accountId: string, id: string, ids: Ids, now: number) {
  const teams = ids(teamsField(body));
  return [
    build
      .update(accountUsers)
      .set({ ...columnsOf(body, ids("notification_rule_id")[0]), updatedAt: now })
      .where(and(eq(accountUsers.accountId, accountId), eq(accountUsers.id, id))),
    ...(body[teamsField(body)] === undefined ? [] : joinTeams(accountId, id, teams)),
    ...(body.roles?.admin === false
      ? [assertPrecondition(sql`exists (${admins(accountId)})`)]
      : []),
  ];
}
type Ids = (field: string) => readonly string[];

async function update(request: ApiRequest<UpdateAccountUser>): Promise<Answer> {
  const { env, db, actor, now, body } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "account_user");
  if (isRefusal(identifier)) return identifier;
  const parameters = personOf(body);
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectPerson(oneRecord(accountUsers, accountId, identifier)),
    selectOwners(accountId, parameters ?? {}),
  ]);
  const person = foundPerson(rows[0]);
  if (person === null) return notFound("account_user");
  const refusal = parameters && mayNotChange(actor, person);
  if (refusal) return refusal;
  const isSelf = person.userId === actor.userId;
  if (!actor.roles.admin && (!isSelf || changesMembership(body))) return ADMINS_ONLY;
  const personal = parameters
    ? changePerson(person, parameters, rows[1] ?? [], "user_attributes.", now)
    : null;
  const errors = [...(personal?.errors ?? []), ...(resolved.ok ? [] : resolved.errors)];
  if (errors.length > 0 || !resolved.ok) return refuseFields(errors);
  const membership = writesOf(body, accountId, person.accountUserId, resolved.idsOf, now);
  const mails = await proveWith(env, actor, personal?.unverified ?? [], now);
  const guarded = await guardedWrites(request, person, personal, rolesNotice(person, body.roles));
  const writes = [...guarded, ...membership, ...mails];
  const record = await writeAndRead(db, writes, accountUserRecords, accountId, identifier).catch(
    (error) =>
      isPreconditionFailed(error) && body.roles?.admin === false
        ? refuse("conflict", KEEP_AN_ADMIN)
        : takenMeanwhile(error, "user_attributes."),
  );
  forgetKeys((known) => known.userId === person.userId);
  return isRefusal(record) ? record : found(record);
}

/** Deletes the membership. Foreign keys remove it from teams and events and delete its keys. */
async function remove(request: ApiRequest, identifier: Identifier): Promise<Answer> {
  const { accountId } = request.actor;
  const lastAdmin = sql`select ${KEEP_AN_ADMIN} as message from target
    where not exists (select 1 from (${admins(accountId)}) as other where other.id <> target.id)`;
  const reasons = [lastAdmin, ...usesOfReceiver(accountId)];
  const deletes = (id: string) => [
    dropReassignments(accountId, id),
    build.delete(accountUsers).where(eq(accountUsers.id, id)),
  ];
  const refusal = await deleteRecord(request, accountUserRecords, identifier, { reasons, deletes });
  forgetKeys((known) => known.accountId === accountId);
  return deleted(refusal);
}

export const accountUserRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/account_users", "AccountUser", accountUserRecords),
  route({
    method: "POST",
    path: "/account_users",
    operation: "createAccountUser",
    summary: "Add a person to the account",
    shows: made(accountUserRecords),
    body: CreateAccountUser,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    makes: accountUserRecords,
    handle: (request) => retryOnConflict(() => create(request)),
  }),
  ...updateRoutes({
    path: "/account_users/:id",
    operation: "updateAccountUser",
    summary: "Update an account user",
    shows: one(accountUserRecords),
    body: UpdateAccountUser,
    forbids: refuseOthersInPath("account_user"),
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: (request) => retryOnConflict(() => update(request)),
  }),
  route({
    method: "DELETE",
    path: "/account_users/:id",
    operation: "deleteAccountUser",
    summary: "Remove a person from the account",
    shows: noBody,
    refuses: ["conflict"],
    handle: onRecord("account_user", remove),
  }),
];
