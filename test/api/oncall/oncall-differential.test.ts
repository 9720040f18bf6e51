// Compares generated schedules, through the HTTP API, with a slow and simple reference: it enumerates
// every shift of every event from its start, and decides for each interval between two boundaries
// who remains on call after the overrides. A failure prints the schedule and the seed.
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { FrequencyUnit, OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { sized } from "../../support/generated/sizes.ts";
import { event as plainEvent } from "../../support/oncall/oncall-makers.ts";
import { isReplacedAt, referenceShifts } from "../../support/oncall/oncall-reference.ts";
import { addColleague } from "../../support/people/people.ts";

const CASES = sized(4, 120);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

// ── Generated input ──

const ZONES = [
  "UTC",
  "Eastern Time (US & Canada)",
  "London",
  "Sydney",
  "Kathmandu",
  "Samoa",
  "Cairo",
];

type Rule = {
  readonly zone: string;
  /** Hours before now. */
  readonly startsBefore: number;
  readonly hours: number;
  readonly unit: FrequencyUnit | null;
  readonly frequency: number;
  readonly days: readonly number[];
  readonly people: string;
  readonly rotation: boolean;
  readonly layer: number;
  readonly endsAfterDays: number | null;
};

const rule: fc.Arbitrary<Rule> = fc.record({
  zone: fc.constantFrom(...ZONES),
  startsBefore: fc.integer({ min: -24 * 10, max: 24 * 200 }),
  hours: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(24, 24 * 7)),
  unit: fc.constantFrom<FrequencyUnit | null>(
    null,
    "hourly",
    "daily",
    "daily",
    "weekly",
    "monthly",
  ),
  frequency: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
  days: fc.oneof(fc.constant([]), fc.subarray([0, 1, 2, 3, 4, 5, 6])),
  people: fc.constantFrom("A", "AB", "BA", "ABC", "CB"),
  rotation: fc.boolean(),
  layer: fc.integer({ min: 1, max: 3 }),
  endsAfterDays: fc.option(fc.integer({ min: 0, max: 220 }), { freq: 3 }),
});

/** An operation on an existing event; `pick` chooses the occurrence. */
type Operation = {
  readonly what:
    | "override"
    | "child"
    | "move"
    | "same_age"
    | "add_exception"
    | "terminate_on"
    | "edit"
    | "delete";
  readonly on: number;
  readonly pick: number;
  /** For overrides: start (hours from the occurrence's start); `hours` is the length. */
  readonly from: number;
  readonly hours: number;
  readonly layer: number;
  readonly people: string;
};

const operation: fc.Arbitrary<Operation> = fc.record({
  what: fc.oneof(
    { weight: 5, arbitrary: fc.constant("override" as const) },
    { weight: 2, arbitrary: fc.constant("child" as const) },
    { weight: 2, arbitrary: fc.constantFrom("move" as const, "same_age" as const) },
    { weight: 2, arbitrary: fc.constant("add_exception" as const) },
    { weight: 1, arbitrary: fc.constantFrom("terminate_on" as const, "edit" as const) },
    { weight: 1, arbitrary: fc.constant("delete" as const) },
  ),
  on: fc.nat(),
  // Prefers the first two occurrences, so that overrides overlap.
  pick: fc.oneof(fc.nat(1), fc.nat()),
  from: fc.integer({ min: -5, max: 20 }),
  hours: fc.integer({ min: 1, max: 60 }),
  layer: fc.integer({ min: 1, max: 3 }),
  people: fc.constantFrom("C", "AC", "B"),
});

// ── The reference ──

/** The events and overrides by id, as recorded from requests and replies; nothing is computed. */
type Known = Map<string, OnCallEvent>;

type Interval = { layer: number; startAt: number; endAt: number; who: string; id: string };

/** The intervals of an event's shifts that no override replaces, checked boundary by boundary. */
function remainingIntervals(known: Known, event: OnCallEvent, until: number): Interval[] {
  const all = [...known.values()];
  const overrides = all.filter((other) => other.parentId !== null);
  const isTaken = (at: number) => isReplacedAt(all, event, at);
  const found: Interval[] = [];
  for (const shift of referenceShifts({ ...event, repeat: isSeries(event) }, until)) {
    const inside = overrides
      .flatMap((it) => [it.startAt, it.endAt])
      .filter((at) => at > shift.startAt && at < shift.endAt);
    const bounds = [...new Set([shift.startAt, ...inside, shift.endAt])].sort((a, b) => a - b);
    let open: Interval | null = null;
    for (const [i, at] of bounds.entries()) {
      const last = i === bounds.length - 1;
      if (open && (last || isTaken(at))) {
        found.push({ ...open, endAt: at });
        open = null;
      } else if (!open && !last && !isTaken(at)) {
        open = { layer: event.layer, startAt: at, endAt: at, who: shift.who, id: event.id };
      }
    }
  }
  return found;
}

const isSeries = (event: OnCallEvent) => event.repeat && event.parentId === null;

function expected(known: Known, from: number, to: number): string[] {
  return [...known.values()]
    .flatMap((event) => remainingIntervals(known, event, to))
    .filter(({ startAt, endAt }) => startAt < to && endAt > from)
    .map(
      ({ layer, startAt, endAt, who, id }) => `${layer} ${iso(startAt)} ${iso(endAt)} ${who} ${id}`,
    )
    .sort();
}

// ── The API ──

let account: Account;
let people: Map<string, string>;

beforeAll(async () => {
  account = await makeAccount();
  people = new Map([["A", account.accountUserId]]);
  for (const letter of "BC") people.set(letter, (await addColleague(account, letter)).id);
});

const idsOf = (letters: string) => [...letters].map((letter) => people.get(letter));
const letterOf = (id: string) => [...people].find(([, personId]) => personId === id)?.[0] ?? "?";

type Entry = {
  layer: number;
  start_time: string;
  end_time: string;
  event_id: string;
  attendees: { attendee_id: string }[];
};

async function entries(path: string): Promise<Entry[]> {
  const { status, body, text } = await account.api("GET", path);
  expect(status, text).toBe(200);
  return body;
}

const formatted = (all: readonly Entry[]) =>
  all.map(
    ({ layer, start_time, end_time, event_id, attendees }) =>
      `${layer} ${start_time} ${end_time} ` +
      `${attendees.map((it) => letterOf(it.attendee_id)).join("")} ${event_id}`,
  );

/** Creates the event; null if its rule has no occurrence and is rejected. */
async function make(scheduleId: string, it: Rule, now: number): Promise<OnCallEvent | null> {
  // The reference is too slow to enumerate more than a week of hourly shifts.
  const startAt = now - (it.unit === "hourly" ? it.startsBefore % 168 : it.startsBefore) * HOUR;
  const endAt = startAt + it.hours * HOUR;
  const filtered = it.unit === "daily" || it.unit === "weekly";
  const daysOfWeek = filtered ? it.days : [];
  const repeatEndAt = it.endsAfterDays === null ? null : startAt + it.endsAfterDays * DAY;
  const made = await account.api("POST", "/events", {
    schedule_ids: [scheduleId],
    account_user_ids: idsOf(it.people),
    start_datetime: iso(startAt),
    end_datetime: iso(endAt),
    layer: it.layer,
    time_zone: it.zone,
    repeat: it.unit !== null,
    frequency: it.frequency,
    frequency_unit: it.unit,
    days_of_week: daysOfWeek,
    repeat_end_datetime: repeatEndAt && iso(repeatEndAt),
    rotation: it.rotation,
  });
  if (made.status === 422) return null;
  expect(made.status, made.text).toBe(201);
  return plainEvent({
    id: made.body.id,
    seriesId: made.body.id,
    createdAt: Date.parse(made.body.created_at),
    startAt,
    endAt,
    layer: it.layer,
    timeZone: it.zone,
    repeat: it.unit !== null,
    frequency: it.frequency,
    frequencyUnit: it.unit ?? "daily",
    daysOfWeek,
    repeatEndAt,
    rotation: it.rotation,
    who: it.people,
  });
}

/** The occurrence that an operation applies to: one of the reference's, close to `now`. */
function occurrenceOf(event: OnCallEvent, pick: number, now: number) {
  const shifts = referenceShifts({ ...event, repeat: isSeries(event) }, now + 20 * DAY);
  const near = shifts.filter(({ endAt }) => endAt > now - 60 * DAY);
  return near[pick % Math.max(1, near.length)];
}

const forget = (known: Known, ids: readonly string[]): void => {
  for (const id of ids) known.delete(id);
};

/** Changes an override's hours: rejected if they leave the occurrences of its series. */
async function move(known: Known, event: OnCallEvent, it: Operation): Promise<void> {
  const series = known.get(event.seriesId);
  if (event.parentId === null || !series) return;
  const startAt = event.startAt + it.from * HOUR;
  const endAt = startAt + it.hours * HOUR;
  const all = referenceShifts(series, Math.max(endAt, event.endAt) + DAY);
  const isOver = (hours: { startAt: number; endAt: number }) =>
    all.some((shift) => hours.startAt < shift.endAt && hours.endAt > shift.startAt);
  const body = { start_datetime: iso(startAt), end_datetime: iso(endAt) };
  const moved = await account.api("PUT", `/events/${event.id}`, body);
  const isTaken = isOver({ startAt, endAt }) || !isOver(event);
  expect(moved.status, moved.text).toBe(isTaken ? 200 : 422);
  if (!isTaken) return;
  known.set(event.id, { ...event, startAt, endAt });
  expect(moved.body.overrides_removed).toEqual([]);
}

async function perform(known: Known, it: Operation, now: number): Promise<void> {
  const event = [...known.values()][it.on % Math.max(1, known.size)];
  const shift = event && occurrenceOf(event, it.pick, now);
  if (!event || !shift) return;
  const path = `/events/${event.id}`;
  const startAt = shift.startAt + it.from * HOUR;
  const endAt = startAt + it.hours * HOUR;
  const action = { action_time: iso(shift.startAt) };
  const overrideFields = {
    layer: it.layer,
    time_zone: "London",
    account_user_ids: idsOf(it.people),
  };
  const isOverlapping = startAt < shift.endAt && endAt > shift.startAt;
  const added = (made: { id: string; created_at: string }, parentId: string) => {
    const { id } = made;
    const { seriesId } = event;
    const times = { startAt, endAt, createdAt: Date.parse(made.created_at) };
    const who = { layer: it.layer, who: it.people };
    known.set(id, plainEvent({ id, seriesId, parentId, ...times, ...who, repeat: false }));
  };
  switch (it.what) {
    case "override": {
      const body = { ...overrideFields, ...action, start_time: iso(startAt), end_time: iso(endAt) };
      const made = await account.api("POST", `${path}/override`, body);
      expect(made.status, made.text).toBe(isOverlapping ? 201 : 422);
      if (isOverlapping) added(made.body, event.id);
      return;
    }
    case "child": {
      const times = { start_datetime: iso(startAt), end_datetime: iso(endAt) };
      const body = { ...overrideFields, ...times, parent_id: event.id };
      const made = await account.api("POST", "/events", body);
      const shifts = referenceShifts({ ...event, repeat: isSeries(event) }, startAt);
      const isInside = shifts.some((one) => one.startAt <= startAt && startAt < one.endAt);
      expect(made.status, made.text).toBe(isInside ? 201 : 422);
      if (isInside) added(made.body, event.id);
      return;
    }
    case "move":
      return move(known, event, it);
    case "same_age": {
      const createdAt = Date.now();
      const ids = JSON.stringify([...known.keys()]);
      const write =
        "update events set created_at = ?1 where id in (select value from json_each(?2))";
      await env.DB.prepare(write).bind(createdAt, ids).run();
      for (const [id, one] of known) known.set(id, { ...one, createdAt });
      return;
    }
    case "delete":
      expect((await account.api("DELETE", path)).status).toBe(204);
      if (event.parentId !== null) return forget(known, [event.id]);
      return forget(
        known,
        [...known.values()].filter(({ seriesId }) => seriesId === event.id).map(({ id }) => id),
      );
    case "edit": {
      // Not its people: they never change in the past (`events/rosters.test.ts`).
      const edited = await account.api("PUT", path, { layer: 2 });
      expect(edited.status, edited.text).toBe(200);
      known.set(event.id, { ...event, layer: 2 });
      return forget(known, edited.body.overrides_removed);
    }
    default: {
      const amended = await account.api("POST", `${path}/${it.what}`, action);
      expect(amended.status, amended.text).toBe(isSeries(event) ? 200 : 422);
      if (!isSeries(event)) return;
      const exception = { id: "", startAt: shift.startAt };
      const changed =
        it.what === "terminate_on"
          ? { ...event, cutAt: shift.startAt }
          : { ...event, exceptions: [...event.exceptions, exception] };
      known.set(event.id, changed);
      return forget(known, amended.body.overrides_removed);
    }
  }
}

test("the API answers as the reference does", async () => {
  const schedule = fc.record({
    rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
    operations: fc.array(operation, { maxLength: 8 }),
    windows: fc.array(
      fc.tuple(fc.integer({ min: -90, max: 40 }), fc.integer({ min: 1, max: 30 })),
      {
        minLength: 2,
        maxLength: 4,
      },
    ),
  });
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(schedule, async ({ rules, operations, windows }) => {
      const { body } = await account.api("POST", "/schedules", { name: "Generated" });
      const path = `/schedules/${body.id}`;
      const now = Math.floor(Date.now() / HOUR) * HOUR;
      const known: Known = new Map();
      for (const it of rules) {
        const made = await make(body.id, it, now);
        if (made) known.set(made.id, made);
      }
      for (const it of operations) await perform(known, it, now);
      for (const [day, length] of windows) {
        const from = now + day * DAY;
        const to = from + length * DAY;
        const shown = await entries(`${path}/window_events?start=${iso(from)}&end=${iso(to)}`);
        compared += shown.length;
        expect(formatted(shown).sort()).toEqual(expected(known, from, to));
      }
      const asked = Date.now();
      const current = formatted(await entries(`${path}/current_oncall`));
      compared += current.length;
      // Shifts change on the hour, which may pass during the request.
      const sides = [asked, Date.now()].map((at) => expected(known, at, at + 1));
      expect(sides).toContainEqual(current.sort());
    }),
    { numRuns: CASES },
  );
  // Ensures that not only empty lists were compared.
  expect(compared).toBeGreaterThan(CASES);
});
