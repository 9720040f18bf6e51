// Whose alerts a list shows, and the order of what needs somebody first: parameters of `GET /alerts`
// beside its filters.
import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { text } from "../../../kernel/contract/fields.ts";
import { type ListQuery, readListQuery } from "../../../kernel/db/list-query.ts";
import { type Records, recordsIn, selectId } from "../../../kernel/db/records.ts";
import { alerts } from "../../schema/alerts.ts";
import { teamPeople, teams } from "../../schema/oncall.ts";
import { ALERT_ALIASES, alertsOfTeam } from "./alert-lists.ts";
import { alertRecords } from "./alert-records.ts";

export const AlertListQuery = z.object({
  scope: text(
    "Whose alerts: `mine` (you are asked, or have acknowledged), `my_teams` (these, and those of your teams; all if you have none), or the identifier of a team. Default: all.",
    "mine",
  ).optional(),
});

/** The value of `sort` that is no attribute. */
const ATTENTION = "attention";

/** A list of alerts, as a request asks for it. */
export type AlertList = {
  readonly records: Records<"Alert">;
  readonly query: ListQuery;
  readonly scope?: SQL;
  /** Of a list of a team's alerts: whether an alert is one of them. */
  readonly team?: SQL;
};

export type ListCaller = Pick<MemberActor, "accountId" | "accountUserId">;

/**
 * Reads the query of a list of alerts.
 *
 * @param longest the maximum page size for the caller
 * @returns as `readListQuery`; 422 for an unknown scope
 */
export function readAlertList(
  asked: URLSearchParams,
  caller: ListCaller,
  longest?: number,
): AlertList | Refusal {
  const params = new URLSearchParams(asked);
  const scope = params.get("scope") ?? "";
  params.delete("scope");
  const isByAttention = params.get("sort") === ATTENTION;
  if (isByAttention) params.delete("sort");
  const read = readListQuery(params, alertRecords.attributes, ALERT_ALIASES, longest);
  if (isRefusal(read)) return read;
  const query = isByAttention ? { ...read, sort: attention, ascending: true } : read;
  if (scope === "") return { records: alertRecords, query };
  if (scope === "mine") return { records: alertRecords, query, scope: isMine(caller) };
  if (scope === "my_teams") return { records: alertRecords, query, scope: isOfMyTeams(caller) };
  const identifier = parseIdentifier("team", scope);
  if (identifier === null) {
    const message = "scope must be mine, my_teams, or the identifier of a team";
    return refuseFields([{ field: "scope", message }]);
  }
  const teamId = selectId(recordsIn("team", teams), caller.accountId, identifier);
  const narrow: Records["narrow"] = (accountId, filters) =>
    alertsOfTeam(accountId, teamId, filters);
  const team = hasWorkflow(sql`workflow.value ->> 'to' = (${teamId})`);
  return { records: { ...alertRecords, narrow }, query, team };
}

/**
 * What needs somebody first, and of that the most urgent; ascending. With the ids ascending, the
 * oldest first.
 */
const attention = sql`(case ${alerts.status} when 'open' then 0 when 'dropped' then 0
    when 'acknowledged' then iif(${alerts.snoozedUntil} is null, 100, 200)
    when 'resolved' then 400 else 300 end
  - instr(${ALERT_URGENCIES.join(" ")}, ${alerts.urgency}))`;

/** Whether one of the alert's workflows meets a condition on `workflow.value`. */
const hasWorkflow = (condition: SQL): SQL =>
  sql`exists (select 1 from json_each(${alerts.workflows}) as workflow where ${condition})`;

const ASKED = sql`coalesce(workflow.value -> 'asked', workflow.value -> 'people', '[]')`;
const BY = sql`workflow.value ->> 'by'`;

/** Whether the caller is asked and has not rejected the alert, or has acknowledged it. */
export const isMine = ({ accountUserId: me }: Pick<ListCaller, "accountUserId">): SQL =>
  hasWorkflow(sql`case workflow.value ->> 'state'
    when 'acknowledged' then iif(typeof(${BY}) = 'integer', ${ASKED} ->> (${BY}), ${BY}) = ${me}
    when 'cancelled' then 0
    else exists (select 1 from json_each(${ASKED}) as asked where asked.value = ${me})
      and not exists (select 1 from json_each(coalesce(workflow.value -> 'rejected', '[]')) as it
        where it.value = ${me}) end`);

/**
 * Whether the alert is the caller's, or is for one of their teams; before it has a workflow, too. All
 * alerts are of a caller without a team.
 */
export function isOfMyTeams(caller: ListCaller): SQL {
  const myTeams = sql`(select ${teamPeople.teamId} from ${teamPeople}
    where ${teamPeople.accountId} = ${caller.accountId}
      and ${teamPeople.accountUserId} = ${caller.accountUserId})`;
  const isOfTeam = hasWorkflow(sql`workflow.value ->> 'state' <> 'cancelled'
    and workflow.value ->> 'to' in ${myTeams}`);
  return sql`(not exists ${myTeams} or ${isMine(caller)} or ${isOfTeam} or json_array_length(${alerts.workflows}) = 0
    and exists (select 1 from json_each(${alerts.destinationTeamIds}) as team
      where team.value in ${myTeams}))`;
}
