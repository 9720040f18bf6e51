// A test per row of the tables of contract 4.
import { beforeAll, describe, expect, test } from "vitest";
import { TIME_ZONE_NAMES } from "../../../src/domain/shared/time-zones.ts";
import { faultyFields } from "../../support/people/people.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

let world: Inhabited;
let event: any;

const create = (body: Record<string, unknown> = {}) =>
  world.api("POST", "/events", {
    start_datetime: "2026-01-05T09:00:00Z",
    end_datetime: "2026-01-05T17:00:00Z",
    layer: 1,
    time_zone: "UTC",
    schedule_ids: [world.ids.schedule.id],
    account_user_ids: [world.accountUserId],
    ...body,
  });
const daily = { repeat: true, frequency: 1, frequency_unit: "daily" };

/** The start times of a schedule's on-call entries in January 2026. */
async function starts(scheduleId: string): Promise<string[]> {
  const window = "start=2026-01-01 00:00:00&end=2026-02-01 00:00:00";
  const { body } = await world.api("GET", `/schedules/${scheduleId}/window_events?${window}`);
  return body.map((entry: any) => entry.start_time.slice(0, 16));
}
async function onOwnSchedule(body: Record<string, unknown>) {
  const schedule = (await world.api("POST", "/schedules", { name: "Own" })).body.id;
  const made = await create({ schedule_ids: [schedule], ...body });
  expect(made.status, made.text).toBe(201);
  return { schedule, event: made.body };
}

beforeAll(async () => {
  world = await makeInhabited("spec-events");
  const made = await create({
    layer: 2,
    repeat: true,
    frequency: 2,
    frequency_unit: "weekly",
    days_of_week: [1, 5],
    repeat_end_datetime: "2026-12-31T00:00:00Z",
    rotation: true,
    account_user_ids: [world.accountUserId, world.ids.account_user.id],
  });
  expect(made.status, made.text).toBe(201);
  event = made.body;
});

describe("Field: Event", () => {
  test("start_datetime", () => expect(event.start_datetime).toBe("2026-01-05T09:00:00.000Z"));
  test("end_datetime", () => expect(event.end_datetime).toBe("2026-01-05T17:00:00.000Z"));
  test("layer: integer", () => expect(event.layer).toBe(2));
  test("frequency: integer", () => expect(event.frequency).toBe(2));
  test("frequency_unit: one of five", async () => {
    for (const unit of ["hourly", "daily", "weekly", "monthly", "yearly"]) {
      const body = { ...daily, frequency_unit: unit, frequency: 12 };
      expect((await create(body)).body.frequency_unit, unit).toBe(unit);
    }
    const refused = await create({ ...daily, frequency_unit: "fortnightly" });
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["frequency_unit"]]);
  });
  test("days_of_week: Sunday = 0 to Saturday = 6", async () => {
    expect(event.days_of_week).toEqual([1, 5]);
    const { schedule } = await onOwnSchedule({
      ...daily,
      days_of_week: [0],
      repeat_end_datetime: "2026-01-20T00:00:00Z",
    });
    expect(await starts(schedule)).toEqual(["2026-01-11T09:00", "2026-01-18T09:00"]);
  });
  test("repeat_end_datetime: inclusive of its day", async () => {
    expect(event.repeat_end_datetime).toBe("2026-12-31T00:00:00.000Z");
    const { schedule } = await onOwnSchedule({
      ...daily,
      repeat_end_datetime: "2026-01-07T00:00:00Z",
    });
    expect((await starts(schedule)).at(-1)).toBe("2026-01-07T09:00");
  });
  test("parent_id: the parent of an override", async () => {
    expect(event.parent_id).toBeNull();
    const { event: parent } = await onOwnSchedule(daily);
    const made = await world.api("POST", `/events/${parent.id}/override`, override("2026-01-06"));
    expect([made.status, made.body.parent_id], made.text).toEqual([201, parent.id]);
  });
  test("event_attendees: id, attendee_id, attendee_type, position", () =>
    expect(event.event_attendees).toEqual([
      {
        id: expect.any(String),
        attendee_id: world.accountUserId,
        attendee_type: "AccountUser",
        position: 0,
      },
      expect.objectContaining({ attendee_id: world.ids.account_user.id, position: 1 }),
    ]));
  test("exceptions: id, start_datetime", async () => {
    expect(event.exceptions).toEqual([]);
    const { event: repeating } = await onOwnSchedule(daily);
    const body = { action_time: "2026-01-06T09:00:00Z" };
    await world.api("POST", `/events/${repeating.id}/add_exception`, body);
    expect((await world.api("GET", `/events/${repeating.id}`)).body.exceptions).toEqual([
      { id: expect.any(String), start_datetime: "2026-01-06T09:00:00.000Z" },
    ]);
  });
});

describe("Create parameters: Event", () => {
  test.each(["start_datetime", "end_datetime", "layer", "time_zone", "account_user_ids"])(
    "%s is required",
    async (name) => {
      const reply = await create({ [name]: undefined });
      expect(reply.status).toBe(422);
      expect(faultyFields(reply)).toContain(name);
    },
  );
  test("at least one account user is required", async () => {
    const reply = await create({ account_user_ids: [] });
    expect([reply.status, faultyFields(reply)]).toEqual([422, ["account_user_ids"]]);
  });
  test.each(["frequency", "frequency_unit"])("%s is required with repeat", async (name) => {
    const reply = await create({ ...daily, [name]: undefined });
    expect([reply.status, faultyFields(reply)]).toEqual([422, [name]]);
  });
  test("time_zone: the names of the listing, and no others", async () => {
    for (const time_zone of ["Pacific Time (US & Canada)", "Nuku'alofa", "Mazatlán", "Kyiv"]) {
      expect((await create({ time_zone })).body.time_zone).toBe(time_zone);
    }
    const refused = await create({ time_zone: "Moon" });
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["time_zone"]]);
  });
  test("schedule_ids[]: an event can belong to several", async () => {
    const other = (await world.api("POST", "/schedules", { name: "Other" })).body.id;
    const { body } = await create({ schedule_ids: [world.ids.schedule.id, other] });
    expect(body.schedule_ids.toSorted()).toEqual([world.ids.schedule.id, other].toSorted());
  });
  test("rotation: attendees take turns", () => expect(event.rotation).toBe(true));
});

const override = (day: string, more: Record<string, unknown> = {}) => ({
  start_time: `${day} 10:00`,
  end_time: `${day} 12:00`,
  layer: 1,
  time_zone: "UTC",
  account_user_ids: [world.ids.account_user.id],
  action_time: `${day}T09:00:00Z`,
  ...more,
});

describe("Endpoints: Events", () => {
  test("POST /events", () => expect(event.prefix_id).toMatch(/^evt_/));
  test("GET /events/:id", async () =>
    expect((await world.api("GET", `/events/${event.prefix_id}`)).body).toMatchObject(event));
  test("PUT /events/:id", async () => {
    const { body } = await create();
    const reply = await world.api("PUT", `/events/${body.id}`, { layer: 3 });
    expect(reply.body).toMatchObject({ layer: 3, start_datetime: body.start_datetime });
  });
  test("DELETE /events/:id", async () => {
    const { body } = await create();
    expect((await world.api("DELETE", `/events/${body.id}`)).status).toBe(204);
    expect((await world.api("GET", `/events/${body.id}`)).status).toBe(404);
  });
  test("GET /events: list", async () => {
    const { body } = await world.api("GET", "/events?limit=100");
    expect(body.data.map((it: any) => it.id)).toContain(event.id);
  });
  test("GET /events/time_zones: the valid names", async () => {
    const { body } = await world.api("GET", "/events/time_zones");
    expect(body.data).toHaveLength(151);
    expect(body.data).toEqual(TIME_ZONE_NAMES);
    expect(body.data).toContain("International Date Line West");
  });
  test("POST /events/:id/override: the original is split", async () => {
    const { schedule, event: parent } = await onOwnSchedule({
      ...daily,
      repeat_end_datetime: "2026-01-06T00:00:00Z",
    });
    await world.api("POST", `/events/${parent.id}/override`, override("2026-01-06"));
    expect(await starts(schedule)).toEqual([
      "2026-01-05T09:00",
      "2026-01-06T09:00",
      "2026-01-06T10:00",
      "2026-01-06T12:00",
    ]);
  });
  test("POST /events/:id/add_exception: a single occurrence is removed", async () => {
    const { schedule, event: it } = await onOwnSchedule({
      ...daily,
      repeat_end_datetime: "2026-01-07T00:00:00Z",
    });
    const body = { action_time: "2026-01-06T10:00:00+01:00" };
    expect((await world.api("POST", `/events/${it.id}/add_exception`, body)).status).toBe(200);
    expect(await starts(schedule)).toEqual(["2026-01-05T09:00", "2026-01-07T09:00"]);
  });
  test("POST /events/:id/terminate_on: that occurrence and all later ones", async () => {
    const { schedule, event: it } = await onOwnSchedule(daily);
    const body = { action_time: "2026-01-07T09:00:00Z" };
    expect((await world.api("POST", `/events/${it.id}/terminate_on`, body)).status).toBe(200);
    expect(await starts(schedule)).toEqual(["2026-01-05T09:00", "2026-01-06T09:00"]);
  });
});

describe("Override body: all required", () => {
  const names = ["start_time", "end_time", "layer", "time_zone", "account_user_ids", "action_time"];
  test.each(names)("%s", async (name) => {
    const { event: parent } = await onOwnSchedule(daily);
    const body = override("2026-01-06", { [name]: undefined });
    const reply = await world.api("POST", `/events/${parent.id}/override`, body);
    expect(reply.status, reply.text).toBe(422);
    expect(faultyFields(reply)).toContain(name);
  });
  test("start_time and end_time: YYYY-MM-DD HH:mm in time_zone", async () => {
    const { event: parent } = await onOwnSchedule(daily);
    const body = override("2026-01-06", { time_zone: "Berlin" });
    const made = await world.api("POST", `/events/${parent.id}/override`, body);
    expect(made.body.start_datetime, made.text).toBe("2026-01-06T09:00:00.000Z");
  });
  test.each(["add_exception", "terminate_on"])("%s: action_time is required", async (verb) => {
    const { event: repeating } = await onOwnSchedule(daily);
    const reply = await world.api("POST", `/events/${repeating.id}/${verb}`, {});
    expect([reply.status, faultyFields(reply)]).toEqual([422, ["action_time"]]);
  });
});
