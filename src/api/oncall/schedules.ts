// Schedules: containers of on-call events, independent of the teams that use them (contract 2,
// Schedules).

import { and, eq, sql } from "drizzle-orm";
import { CreateSchedule, UpdateSchedule } from "../../contract/oncall/schedule-parameters.ts";
import { deleteEventsOnlyIn } from "../../db/oncall/event-rows.ts";
import { commonAttributes, type RawRow, string } from "../../db/records/attributes.ts";
import { oneRecord, type Records, selectId } from "../../db/records/records.ts";
import { eventSchedules, schedules, teams } from "../../db/schema/oncall.ts";
import { build, statement } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound } from "../../domain/shared/refusal.ts";
import { type Answer, created, deleted, found, nothing } from "../../http/answers.ts";
import { onRecord, pathIdentifier, readRoutes, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, noBody, one } from "../../http/shown.ts";
import { deleteRecord, usesThroughTeams } from "../../services/shared/delete-record.ts";

// ── Rows ──

export const scheduleRecords: Records<"Schedule"> = {
  kind: "schedule",
  shows: "Schedule",
  from: schedules,
  accountId: schedules.accountId,
  id: schedules.id,
  prefixId: schedules.prefixId,
  attributes: { ...commonAttributes(schedules), name: string(schedules.name) },
  search: [schedules.name],
  total: "schedules",
};

// ── Routes ──

async function update(request: ApiRequest<UpdateSchedule>): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "schedule");
  if (isRefusal(identifier)) return identifier;
  const columns = { ...body, updatedAt: now };
  const writes = [
    ...request.stillAllowed,
    build
      .update(schedules)
      .set(columns)
      .where(oneRecord(schedules, accountId, identifier)),
  ];
  const record = await writeAndRead(db, writes, scheduleRecords, accountId, identifier);
  return isRefusal(record) ? record : found(record);
}

/** Clears the schedule from its teams, and deletes the events that are in no other schedule. */
async function remove(request: ApiRequest, identifier: Identifier): Promise<Answer> {
  const { accountId } = request.actor;
  const reasons = usesThroughTeams(accountId, teams.scheduleId);
  const deletes = (id: string) => [
    build
      .update(teams)
      .set({ scheduleId: null, updatedAt: request.now })
      .where(and(eq(teams.accountId, accountId), eq(teams.scheduleId, id))),
    deleteEventsOnlyIn(accountId, sql`${id}`),
    build.delete(schedules).where(eq(schedules.id, id)),
  ];
  return deleted(await deleteRecord(request, scheduleRecords, identifier, { reasons, deletes }));
}

/**
 * Removes every event from the schedule. Events in no other schedule are deleted with their
 * overrides.
 */
async function flush(request: ApiRequest): Promise<Answer> {
  const { db, actor } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "schedule");
  if (isRefusal(identifier)) return identifier;
  const id = selectId(scheduleRecords, accountId, identifier);
  const leave = sql`delete from ${eventSchedules}
    where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.scheduleId} = (${id})`;
  const writes = [...request.stillAllowed, deleteEventsOnlyIn(accountId, sql`(${id})`), leave];
  const [target] = await db.batch<RawRow>([id, ...writes].map((query) => statement(db, query)));
  return target?.results[0] ? nothing : notFound("schedule");
}

export const scheduleRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/schedules", "Schedule", scheduleRecords),
  route({
    method: "POST",
    path: "/schedules",
    operation: "createSchedule",
    summary: "Create a schedule",
    shows: made(scheduleRecords),
    body: CreateSchedule,
    makes: scheduleRecords,
    handle: async ({ db, actor: { accountId }, now, body, recordId }) => {
      const row = { ...newIdentity("schedule", now, recordId), accountId, ...body };
      const insert = build.insert(schedules).values(row);
      const identifier = { form: "id", value: row.id } as const;
      const record = await writeAndRead(db, [insert], scheduleRecords, accountId, identifier);
      return isRefusal(record) ? record : created(record);
    },
  }),
  ...updateRoutes({
    path: "/schedules/:id",
    operation: "updateSchedule",
    summary: "Update a schedule",
    shows: one(scheduleRecords),
    body: UpdateSchedule,
    handle: (request) => retryOnConflict(() => update(request)),
  }),
  route({
    method: "DELETE",
    path: "/schedules/:id",
    operation: "deleteSchedule",
    summary: "Delete a schedule",
    shows: noBody,
    refuses: ["conflict"],
    handle: onRecord("schedule", remove),
  }),
  route({
    method: "DELETE",
    path: "/schedules/:id/flush",
    operation: "flushSchedule",
    summary: "Remove all events from a schedule",
    shows: noBody,
    handle: (request) => retryOnConflict(() => flush(request)),
  }),
];
