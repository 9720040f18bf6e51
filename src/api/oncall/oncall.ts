// Who is on call now or in a window, and the events of a schedule (contract 4, Who is on call). The
// same calculation as alerts use, in one round trip.
import { type SQL, sql } from "drizzle-orm";
import type { OnCallEntry as ShownEntry } from "../../contract/oncall/on-call.ts";
import { selectOnCallEvents, toOnCallEvents } from "../../db/oncall/oncall-rows.ts";
import { teamRecords } from "../../db/people/team-records.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { identified, selectId } from "../../db/records/records.ts";
import { eventSchedules, events, teams } from "../../db/schema/oncall.ts";
import { statement } from "../../db/shared/database.ts";
import type { OnCallEvent } from "../../domain/oncall/on-call-event.ts";
import { type OnCallEntry, onCallAt, onCallBetween } from "../../domain/oncall/oncall.ts";
import { isRefusal, notFound, type Refusal } from "../../domain/shared/refusal.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import { type Answer, bare } from "../../http/answers.ts";
import { listRecords, pathIdentifier } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { bareList, many } from "../../http/shown.ts";
import { eventRecords, showAttendee } from "./events/event-records.ts";
import { scheduleRecords } from "./schedules.ts";
import { readWindow } from "./window.ts";

// ── Shape ──

/** An on-call entry in the format of responses. */
export function showEntry(
  { layer, startAt, endAt, eventId, attendees }: OnCallEntry,
  scheduleId: string,
) {
  return {
    layer,
    start_time: formatInstant(startAt),
    end_time: formatInstant(endAt),
    event_id: eventId,
    schedule_id: scheduleId,
    attendees: attendees.map(showAttendee),
  };
}

// ── Rows ──

/**
 * Responds with the on-call entries of one schedule. `holder` selects the `id` of the record in the
 * path, if it exists, and its `schedule_id`.
 */
async function respondWithEntries(
  request: ApiRequest,
  kind: "schedule" | "team",
  holder: SQL,
  from: number,
  entriesOf: (events: readonly OnCallEvent[]) => OnCallEntry[],
): Promise<Answer> {
  const { db, actor } = request;
  const scheduleId = sql`select schedule_id from (${holder}) where schedule_id is not null`;
  const [holders, rows] = await db.batch<RawRow>([
    statement(db, holder),
    statement(db, selectOnCallEvents(actor.accountId, scheduleId, from)),
  ]);
  if (!holders?.results[0]) return notFound(kind);
  const id = String(holders.results[0].schedule_id);
  const entries = entriesOf(toOnCallEvents(rows?.results ?? []).get(id) ?? []);
  return bare<ShownEntry>(entries.map((entry) => showEntry(entry, id)));
}

/** Selects the schedule in the path, as its own holder. */
export function scheduleHolder(request: ApiRequest): SQL | Refusal {
  const identifier = pathIdentifier(request, "schedule");
  if (isRefusal(identifier)) return identifier;
  const id = selectId(scheduleRecords, request.actor.accountId, identifier);
  return sql`select id, id as schedule_id from (${id})`;
}

/** Selects the team in the path, as the holder of its active schedule. */
function teamHolder(request: ApiRequest): SQL | Refusal {
  const identifier = pathIdentifier(request, "team");
  if (isRefusal(identifier)) return identifier;
  return sql`select ${teams.id} as id, ${teams.scheduleId} as schedule_id from ${teams}
    where ${teams.accountId} = ${request.actor.accountId} and ${identified(teamRecords, identifier)}`;
}

// ── Routes ──

export const oncallRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/schedules/:id/current_oncall",
    operation: "getScheduleCurrentOncall",
    summary: "List who is on call now on a schedule",
    shows: bareList("OnCallEntry"),
    handle: async (request) => {
      const holder = scheduleHolder(request);
      if (isRefusal(holder)) return holder;
      const { now } = request;
      return respondWithEntries(request, "schedule", holder, now, (all) => onCallAt(all, now));
    },
  }),
  route({
    method: "GET",
    path: "/teams/:id/current_oncall",
    operation: "getTeamCurrentOncall",
    summary: "List who is on call now for a team",
    shows: bareList("OnCallEntry"),
    handle: async (request) => {
      const holder = teamHolder(request);
      if (isRefusal(holder)) return holder;
      const { now } = request;
      return respondWithEntries(request, "team", holder, now, (all) => onCallAt(all, now));
    },
  }),
  route({
    method: "GET",
    path: "/schedules/:id/window_events",
    operation: "listScheduleWindowEvents",
    summary: "List who is on call in a window",
    shows: bareList("OnCallEntry"),
    query: "WindowQuery",
    handle: async (request) => {
      const holder = scheduleHolder(request);
      if (isRefusal(holder)) return holder;
      const window = readWindow(request.query);
      if (isRefusal(window)) return window;
      const { from, to } = window;
      return respondWithEntries(request, "schedule", holder, from, (all) =>
        onCallBetween(all, from, to),
      );
    },
  }),
  route({
    method: "GET",
    path: "/schedules/:id/events",
    operation: "listScheduleEvents",
    summary: "List a schedule's events",
    shows: many(eventRecords),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "schedule");
      if (isRefusal(identifier)) return identifier;
      const scope = (scheduleId: SQL) => sql`${events.id} in (
        select ${eventSchedules.eventId} from ${eventSchedules}
        where ${eventSchedules.accountId} = ${request.actor.accountId}
          and ${eventSchedules.scheduleId} = (${scheduleId}))`;
      const below = { parent: scheduleRecords, identifier, scope };
      return listRecords(request, eventRecords, { below });
    },
  }),
];
