// The parameters of an account user: the person, their roles and teams (contract 2, Account users).
import { isNull, type SQL, sql } from "drizzle-orm";
import type { Reference } from "../../../kernel/db/references.ts";
import { notificationRules } from "../../schema/integrations.ts";
import type { UpdateUser } from "../users/parameters.ts";
import type { UpdateAccountUser } from "./parameters.ts";

/** The parameter with the teams: the body may use either of its two names. */
export const teamsField = (body: UpdateAccountUser) =>
  body.member_team_ids === undefined ? "team_ids" : "member_team_ids";

const { accountUserId: owner } = notificationRules;

/** The rules that anybody may use. */
const OF_THE_ACCOUNT = isNull(owner);

/** The rules that a person may use. `personId` selects their `account_users.id`. */
export const usableBy = (personId: SQL): SQL =>
  sql`(${OF_THE_ACCOUNT} or ${owner} = (${personId}))`;

/** The references of the body, to resolve in the account; of rules, those of a condition. */
export function referencesOf(body: UpdateAccountUser, among: SQL = OF_THE_ACCOUNT): Reference[] {
  const rule = body.notification_rule_id;
  const name = teamsField(body);
  return [
    { field: name, kind: "team", ids: body[name] ?? [] },
    { field: "notification_rule_id", kind: "notification_rule", ids: rule ? [rule] : [], among },
  ];
}

/** The parameters of the person; null when the body has none. */
export function personOf(body: UpdateAccountUser): UpdateUser | null {
  const { user_attributes: attributes, time_zone, preferred_language } = body;
  const parameters = {
    ...attributes,
    time_zone: attributes?.time_zone ?? time_zone,
    preferred_language: attributes?.preferred_language ?? preferred_language,
  };
  return Object.values(parameters).some((value) => value !== undefined) ? parameters : null;
}

/** Whether the parameters change what only admins may: not the person, nor which rule they use. */
export const changesMembership = (body: UpdateAccountUser) =>
  [body.roles, body.member_team_ids, body.team_ids, body.meta].some((value) => value !== undefined);
