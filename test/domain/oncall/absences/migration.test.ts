/**
 * The migrations from stored overrides of covers, and of rotations that skip people, to absences that
 * are computed, and from covers and unavailabilities to one record: whoever was and will be on call
 * still is, 400 days each way.
 */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import {
  type Absence,
  EMPTY_SCHEDULE,
  inOrder,
  type OnCallSchedule,
} from "../../../../src/domain/oncall/absences/absence.ts";
import { layerShiftsBetween } from "../../../../src/domain/oncall/changes/on-call-comparison.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { servedBetween } from "../../../../src/domain/oncall/oncall.ts";
import {
  selectOnCall,
  toOnCallSchedules,
} from "../../../../src/features/oncall/on-call/oncall-rows.ts";
import { statement } from "../../../../src/kernel/db/database.ts";
import { newId, newIdentity } from "../../../../src/kernel/db/identifiers.ts";
import { batch } from "../../../../src/kernel/db/select.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import { makeLocalAccount } from "../../../support/local/local-api.ts";
import { type LocalDatabase, openDatabase } from "../../../support/local/sqlite-database.ts";
import { event } from "../../../support/oncall/oncall-makers.ts";
import { pick, type Random } from "../../../support/oncall/roster-random.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CASES = sized(20, 200);

type World = {
  readonly database: LocalDatabase;
  readonly accountId: string;
  readonly scheduleId: string;
  readonly people: readonly string[];
  readonly now: number;
};

const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));

async function makeWorld(): Promise<World> {
  const database = openDatabase("0020_");
  const { accountId, people } = await makeLocalAccount(database, 4);
  const now = Date.now();
  const { id, prefixId } = newIdentity("schedule", now);
  await statement(
    database,
    sql`insert into schedules (id, prefix_id, created_at, updated_at, account_id, name)
      values (${id}, ${prefixId}, ${now}, ${now}, ${accountId}, 'Payments')`,
  ).run();
  return { database, accountId, scheduleId: id, people, now };
}

/**
 * A stored event: an override has the start of what it overrides, and one of an absence the cover, or
 * the person who is skipped.
 */
type Stored = OnCallEvent & {
  readonly overriddenStartAt?: number;
  readonly coverId?: string;
  readonly absent?: string;
};

async function storeEvent(world: World, it: Stored): Promise<void> {
  const { database, accountId, scheduleId, now } = world;
  const { prefixId } = newIdentity("event", now, it.id);
  const isSkipping = (it.skipChanges ?? []).length > 0;
  const attendees = it.attendees.map(({ id, attendeeId, position }) => ({
    id,
    attendeeId,
    position,
  }));
  await database.batch([
    statement(
      database,
      sql`insert into events (id, prefix_id, created_at, updated_at, account_id, parent_id,
          overridden_start_at, start_at, end_at, layer, time_zone, repeat, frequency, frequency_unit,
          rotation, leaves_empty, cover_id, absent_account_user_id, skip_unavailable)
        values (${it.id}, ${prefixId}, ${it.createdAt}, ${now}, ${accountId}, ${it.parentId},
          ${it.overriddenStartAt ?? null}, ${it.startAt}, ${it.endAt}, ${it.layer}, ${it.timeZone},
          ${Number(it.repeat)}, ${it.frequency}, ${it.frequencyUnit}, ${Number(it.rotation)},
          ${Number(it.leavesEmpty ?? false)}, ${it.coverId ?? null}, ${it.absent ?? null},
          ${Number(isSkipping)})`,
    ),
    statement(
      database,
      sql`insert into event_attendees (id, account_id, event_id, account_user_id, position)
        select value ->> 'id', ${accountId}, ${it.id}, value ->> 'attendeeId', value ->> 'position'
        from json_each(${JSON.stringify(attendees)})`,
    ),
    statement(
      database,
      sql`insert into event_schedules (account_id, schedule_id, event_id)
        values (${accountId}, ${scheduleId}, ${it.id})`,
    ),
  ]);
}

async function storeAbsence({ database, accountId, now }: World, it: Absence): Promise<void> {
  const isCover = it.instead !== "nobody_yet";
  const prefixId = newIdentity("absence", now, it.id).prefixId.replace(
    "abs",
    isCover ? "cov" : "una",
  );
  const common = sql`${it.id}, ${prefixId}, ${it.decidedAt}, ${now}, ${accountId}, ${it.accountUserId},
    ${it.startAt}, ${it.endAt}`;
  const columns = sql`id, prefix_id, created_at, updated_at, account_id, account_user_id, start_at, end_at`;
  const insert = isCover
    ? sql`insert into covers (${columns}, covered_by, covering_account_user_id, decided_at)
        values (${common}, ${it.instead === "empty" ? "nobody" : it.instead}, ${it.coveringAccountUserId}, ${it.decidedAt})`
    : sql`insert into unavailabilities (${columns}) values (${common})`;
  await statement(database, insert).run();
}

function randomSeries(random: Random, { people, now }: World, layer: number): OnCallEvent {
  const unit = pick(random, ["daily", "weekly"] as const);
  const startAt = Math.floor(now / DAY) * DAY - upTo(random, 200) * DAY + upTo(random, 23) * HOUR;
  const length = unit === "daily" ? pick(random, [DAY, 8 * HOUR]) : 7 * DAY;
  const attendees = people.slice(0, 3).map((attendeeId, position) => ({
    ...{ id: newId(now), attendeeId, attendeeType: "AccountUser", position },
  })) as OnCallEvent["attendees"];
  const id = newId(now);
  return event({
    ...{ id, startAt, endAt: startAt + length, layer, repeat: true, frequency: 1 },
    ...({ frequencyUnit: unit, rotation: random() < 0.8, createdAt: startAt, attendees } as object),
    skipChanges: random() < 0.5 ? [0] : [],
  });
}

function randomAbsence(random: Random, { people, now }: World): Absence {
  const startAt = now + (upTo(random, 60) - 40) * DAY + upTo(random, 23) * HOUR;
  const instead = pick(random, [
    "person",
    "next_in_line",
    "empty",
    "nobody_yet",
    "nobody_yet",
  ] as const);
  return {
    id: newId(now),
    accountUserId: pick(random, people.slice(0, 3)),
    startAt,
    endAt: startAt + (1 + upTo(random, 20)) * DAY,
    instead,
    coveringAccountUserId: instead === "person" ? (people[3] ?? null) : null,
    scheduleIds: null,
    decidedAt: Math.min(startAt, now) - DAY,
  };
}

/** The overrides that absences had: one for each part that somebody else serves, or nobody. */
function storedFor(schedule: OnCallSchedule, absence: Absence, now: number): readonly Stored[] {
  return servedBetween(schedule, absence.startAt, absence.endAt)
    .filter(({ absent }) => absent?.at(-1)?.absenceId === absence.id)
    .map((part) => ({
      ...event({}),
      ...{ id: newId(now), createdAt: absence.decidedAt },
      ...{ seriesId: part.eventId, parentId: part.eventId },
      ...{ overriddenStartAt: part.startAt, startAt: part.startAt, endAt: part.endAt },
      ...{ layer: part.layer, leavesEmpty: absence.instead === "empty" },
      attendees: part.attendees.map((it, position) => ({ ...it, id: newId(now), position })),
      ...(absence.instead === "nobody_yet"
        ? { absent: absence.accountUserId }
        : { coverId: absence.id }),
    }));
}

/** An override by hand of some hours of another one, or of a turn. */
function randomOverride(random: Random, { people, now }: World, stored: readonly Stored[]): Stored {
  const parent = pick(random, stored);
  const startAt = parent.parentId === null ? now + upTo(random, 20) * DAY : parent.startAt;
  const endAt = parent.parentId === null ? startAt + 6 * HOUR : (startAt + parent.endAt) / 2;
  const attendeeId = pick(random, people);
  return {
    ...event({}),
    ...{ id: newId(now), createdAt: now - HOUR, overriddenStartAt: startAt },
    ...{ seriesId: parent.seriesId, parentId: parent.id },
    ...{ startAt, endAt, layer: parent.layer },
    attendees: [{ id: newId(now), attendeeId, attendeeType: "AccountUser", position: 0 }],
  };
}

async function readSchedule({ database, accountId, scheduleId, now }: World) {
  const reads = selectOnCall(accountId, sql`select ${scheduleId}`, now - 400 * DAY);
  const read = await batch(database, reads);
  return toOnCallSchedules(...read).get(scheduleId) ?? EMPTY_SCHEDULE;
}

describe("the migrations to absences", () => {
  it("leaves everybody on call who was, 400 days each way", async () => {
    const random = randomGenerator();
    for (let index = 0; index < CASES; index++) {
      const world = await makeWorld();
      const { now } = world;
      const series = [randomSeries(random, world, 1), randomSeries(random, world, 2)];
      const people = new Set<string>();
      // A person has at most one, so that no cover overlaps another.
      const absences = inOrder(
        Array.from({ length: 3 }, () => randomAbsence(random, world)).filter(
          ({ accountUserId }) => !people.has(accountUserId) && people.add(accountUserId),
        ),
      );
      const derived = absences.flatMap((it) => storedFor({ events: series, absences }, it, now));
      const byHand = Array.from({ length: upTo(random, 3) }, () =>
        randomOverride(random, world, [...series, ...derived]),
      );
      const stored: readonly Stored[] = [...series, ...derived, ...byHand];
      for (const it of stored) await storeEvent(world, it);
      for (const it of absences) await storeAbsence(world, it);
      const before = scheduleOf(stored);
      const [from, to] = [now - 400 * DAY, now + 400 * DAY];
      // Each statement of a migration reads the clock: within its milliseconds, absences may serve twice.
      const begun = Date.now() - 1;
      world.database.migrate();
      const ended = Date.now() + 1;
      const shifts = (schedule: OnCallSchedule) => [
        layerShiftsBetween(schedule, from, begun),
        layerShiftsBetween(schedule, ended, to),
      ];
      const after = await readSchedule(world);
      expect(shifts(after), `case ${index}`).toEqual(shifts(before));
      const left = after.events.filter(({ id, endAt }) =>
        derived.some((it) => it.id === id && endAt > now + DAY),
      );
      expect(left).toEqual([]);
    }
  });
});
