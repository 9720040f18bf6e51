// How well a schedule covers a window: the covered and uncovered hours of each layer, and the hours
// of each person (contract 2, Schedules). Reports the layers of the schedule's events and of the
// policies of its teams, covered or not.
import { type SQL, sql } from "drizzle-orm";
import type { Coverage as ShownCoverage } from "../../contract/oncall/coverage.ts";
import { selectOnCallEvents, toOnCallEvents } from "../../db/oncall/oncall-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { escalationLayers, teams } from "../../db/schema/oncall.ts";
import { statement } from "../../db/shared/database.ts";
import {
  type Coverage,
  type CoverageInterval,
  coverageBetween,
} from "../../domain/oncall/coverage.ts";
import { isRefusal, notFound } from "../../domain/shared/refusal.ts";
import { formatInstant, HOUR } from "../../domain/shared/time.ts";
import { type Answer, found } from "../../http/answers.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { exactly } from "../../http/shown.ts";
import { scheduleHolder } from "./oncall.ts";
import { readWindow, type Window } from "./window.ts";

// ── Shape ──

const showStretch = ({ startAt, endAt }: CoverageInterval) => ({
  start_time: formatInstant(startAt),
  end_time: formatInstant(endAt),
});

/** The coverage of each layer, in the format of responses. */
export const showLayers = ({ layers }: Coverage) =>
  layers.map(({ layer, share, gaps, overlaps }) => ({
    layer,
    share,
    gaps: gaps.map(showStretch),
    overlaps: overlaps.map((it) => ({ ...showStretch(it), event_ids: it.eventIds })),
  }));

function showCoverage(coverage: Coverage, scheduleId: string, { from, to }: Window) {
  return {
    schedule_id: scheduleId,
    ...showStretch({ startAt: from, endAt: to }),
    layers: showLayers(coverage),
    people: coverage.people.map(({ attendeeId, onCallMs }) => ({
      account_user_id: attendeeId,
      hours: onCallMs / HOUR,
    })),
  };
}

// ── Rows ──

/** The layers of the escalation policies of the teams that use this schedule. */
const selectLayers = (accountId: string, scheduleId: SQL): SQL =>
  sql`select distinct ${escalationLayers.layer} as layer from ${teams}
    join ${escalationLayers} on ${escalationLayers.accountId} = ${teams.accountId}
      and ${escalationLayers.escalationPolicyId} = ${teams.escalationPolicyId}
    where ${teams.accountId} = ${accountId} and ${teams.scheduleId} = (${scheduleId})`;

// ── Routes ──

async function get(request: ApiRequest): Promise<Answer> {
  const { db, actor, query } = request;
  const { accountId } = actor;
  const holder = scheduleHolder(request);
  if (isRefusal(holder)) return holder;
  const window = readWindow(query);
  if (isRefusal(window)) return window;
  const scheduleId = sql`select schedule_id from (${holder})`;
  const [holders, rows, layers] = await db.batch<RawRow>([
    statement(db, holder),
    statement(db, selectOnCallEvents(accountId, scheduleId, window.from)),
    statement(db, selectLayers(accountId, scheduleId)),
  ]);
  if (!holders?.results[0]) return notFound("schedule");
  const id = String(holders.results[0].schedule_id);
  const events = toOnCallEvents(rows?.results ?? []).get(id) ?? [];
  const climbed = layers?.results.map(({ layer }) => Number(layer)) ?? [];
  const reportedLayers = [...climbed, ...events.map(({ layer }) => layer)];
  const coverage = coverageBetween(events, window.from, window.to, reportedLayers);
  return found<ShownCoverage>(showCoverage(coverage, id, window));
}

export const coverageRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/schedules/:id/coverage",
    operation: "getScheduleCoverage",
    summary: "Get a schedule's coverage of a window",
    shows: exactly("Coverage"),
    query: "WindowQuery",
    handle: get,
  }),
];
