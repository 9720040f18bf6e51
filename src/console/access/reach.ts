// What a team admin may change, by the API's rules (contract 1, Roles). Pages offer only that and
// state the reason.
import { TAKE_OVER } from "../../domain/oncall/changes/history-entry.ts";
import type { ScheduleChange } from "../../features/oncall/history/contract.ts";
import type { Team } from "../../features/oncall/teams/contract.ts";
import type { Visit } from "../page.ts";
import type { Names } from "../reads.ts";

type Assigned = "schedule_id" | "escalation_policy_id";

const usedBy = (names: Names, what: Assigned, id: string): readonly Team[] =>
  names.teams.filter((team) => team[what] === id);

/** The ids of a team's members and admins. */
export const peopleOf = (team: Team): readonly string[] => [
  ...team.member_account_user_ids,
  ...team.admin_account_user_ids,
];

const administers =
  ({ session: { actor } }: Visit) =>
  (team: Team): boolean =>
    actor.roles.admin || team.admin_account_user_ids.includes(actor.accountUserId);

/** Whether the viewer may change it: an account admin, or an admin of every team that uses it. */
export function mayChangeAssigned(visit: Visit, names: Names, what: Assigned, id: string): boolean {
  if (visit.session.actor.roles.admin) return true;
  const using = usedBy(names, what, id);
  return using.length > 0 && using.every(administers(visit));
}

/** Whether the viewer may assign it to a team: they administer every team that uses it. */
export const mayAssign = (visit: Visit, names: Names, what: Assigned, id: string): boolean =>
  usedBy(names, what, id).every(administers(visit));

/**
 * Whether the viewer may take shifts of these schedules onto themselves: an account admin, or somebody
 * in a team of each.
 */
export function mayTakeOver(visit: Visit, names: Names, scheduleIds: readonly string[]): boolean {
  const { actor } = visit.session;
  return actor.roles.admin || belongsToTeams(visit, names, scheduleIds);
}

/** Whether the viewer is in a team of each of these schedules; of none, false. */
export function belongsToTeams(
  { session: { actor } }: Visit,
  names: Names,
  scheduleIds: readonly string[],
): boolean {
  const belongsTo = (team: Team) => peopleOf(team).includes(actor.accountUserId);
  const isOwn = (id: string) => usedBy(names, "schedule_id", id).some(belongsTo);
  return scheduleIds.length > 0 && scheduleIds.every(isOwn);
}

/**
 * Whether the viewer may undo a change, once it can be undone: also a take-over that they made or that
 * relieved them.
 *
 * @param mayChange whether they may change what it concerns
 */
export const mayUndo = (
  { session: { actor } }: Visit,
  change: ScheduleChange,
  mayChange: boolean,
): boolean =>
  mayChange ||
  (change.verb === TAKE_OVER &&
    [change.account_user_id, ...change.relieved_account_user_ids].includes(actor.accountUserId));

/**
 * Whether the viewer may say who takes the shifts of others who are away: an account admin, or an admin
 * of a team.
 */
export const mayDecideAbsences = (visit: Visit, names: Names): boolean =>
  visit.session.actor.roles.admin || names.teams.some(administers(visit));

/** Why an admin of only some of the teams that use it may not change it; null for everyone else. */
export function whySharedIsFixed(
  visit: Visit,
  names: Names,
  what: Assigned,
  id: string,
): string | null {
  const using = usedBy(names, what, id);
  const others = using.filter((team) => !administers(visit)(team)).map(({ name }) => name);
  if (others.length === 0 || others.length === using.length) return null;
  return `Also used by ${others.join(", ")}. Only an admin of all its teams, or of the account, can change it.`;
}
