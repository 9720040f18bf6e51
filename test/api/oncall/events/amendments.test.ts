// Removal of occurrences from an event and of all events from a schedule, and the clock changes that
// affect an event.
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { selectOnCallEvents } from "../../../../src/features/oncall/on-call/oncall-rows.ts";
import { statement } from "../../../../src/kernel/db/database.ts";
import { makeAccount } from "../../../support/api/api.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";
import { fewestTrips, roundTrips } from "../../../support/worker/round-trips.ts";

/** A daily rotation of A, B and C from Monday 2 March 2026, 09:00 UTC. */
const dailyRotation = (rota: Rota, more: Record<string, unknown> = {}) =>
  rota.event("ABC", {
    start_datetime: "2026-03-02T09:00:00Z",
    end_datetime: "2026-03-03T09:00:00Z",
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
    ...more,
  });

const overrideBody = (rota: Rota, day: string) => ({
  action_time: `${day}T09:00:00Z`,
  start_time: `${day} 12:00`,
  end_time: `${day} 13:00`,
  layer: 1,
  time_zone: "UTC",
  account_user_ids: rota.ids("A"),
});

async function createOverride(rota: Rota, id: string, day: string): Promise<string> {
  const { status, body, text } = await rota.amend(id, "override", overrideBody(rota, day));
  expect(status, text).toBe(201);
  return body.id;
}

describe("add_exception", () => {
  test("removes one occurrence, preserves the other turns, and is idempotent", async () => {
    const rota = await makeRota();
    const event = await dailyRotation(rota);
    const removed = await createOverride(rota, event.id, "2026-03-03");
    const remaining = await createOverride(rota, event.id, "2026-03-04");
    const body = { action_time: "2026-03-03T10:00:00+01:00" };
    const first = await rota.amend(event.prefix_id, "add_exception", body);
    expect(first.status, first.text).toBe(200);
    expect(first.body).toMatchObject({
      id: event.id,
      exceptions: [{ id: expect.any(String), start_datetime: "2026-03-03T09:00:00.000Z" }],
      overrides_removed: [removed],
    });
    expect(first.body.updated_at > event.updated_at).toBe(true);
    const again = await rota.amend(event.id, "add_exception", body);
    expect([again.status, again.body.overrides_removed]).toEqual([200, []]);
    expect(again.body.exceptions).toEqual(first.body.exceptions);
    expect((await rota.account.api("GET", `/events/${removed}`)).status).toBe(404);
    expect((await rota.account.api("GET", `/events/${remaining}`)).status).toBe(200);
    expect(await rota.window("2026-03-02T09:00:00Z", "2026-03-06T09:00:00Z")).toEqual([
      "1 2026-03-02T09:00Z..2026-03-03T09:00Z A",
      "1 2026-03-04T09:00Z..2026-03-04T12:00Z C",
      "1 2026-03-04T12:00Z..2026-03-04T13:00Z A",
      "1 2026-03-04T13:00Z..2026-03-05T09:00Z C",
      "1 2026-03-05T09:00Z..2026-03-06T09:00Z A",
    ]);
  });

  test("stores one exception for two concurrent requests", async () => {
    const rota = await makeRota("A");
    const event = await dailyRotation(rota, { account_user_ids: rota.ids("A") });
    const body = { action_time: "2026-03-03T09:00:00Z" };
    const twice = [1, 2].map(() => rota.amend(event.id, "add_exception", body));
    const replies = await Promise.all(twice);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { body: read } = await rota.account.api("GET", `/events/${event.id}`);
    expect(read.exceptions).toHaveLength(1);
  });
});

describe("terminate_on", () => {
  test("removes an occurrence and all later ones, and is idempotent", async () => {
    const rota = await makeRota();
    const { api } = rota.account;
    const event = await dailyRotation(rota);
    const removed = await createOverride(rota, event.id, "2026-03-06");
    const body = { action_time: "2026-03-04T09:00:00Z" };
    const first = await rota.amend(event.id, "terminate_on", body);
    expect(first.status, first.text).toBe(200);
    expect(first.body).toMatchObject({
      terminated_at: "2026-03-04T09:00:00.000Z",
      repeat_end_datetime: null,
      overrides_removed: [removed],
    });
    const again = await rota.amend(event.id, "terminate_on", body);
    expect([again.status, again.body.terminated_at]).toEqual([200, first.body.terminated_at]);
    expect(await rota.window("2026-03-01T09:00:00Z", "2026-06-06T09:00:00Z")).toEqual([
      "1 2026-03-02T09:00Z..2026-03-03T09:00Z A",
      "1 2026-03-03T09:00Z..2026-03-04T09:00Z B",
    ]);
    const late = await api("PUT", `/events/${event.id}`, {
      start_time: "2026-03-05T09:00:00Z",
      end_time: "2026-03-06T09:00:00Z",
    });
    expect([late.status, faultyFields(late)]).toEqual([422, ["start_datetime"]]);
    const listed = await api("GET", "/events?terminated_at=2026-03-04T09:00:00Z");
    expect(listed.body.total_count).toBe(1);
  });

  test("preserves the earlier occurrences of an hourly event", async () => {
    const rota = await makeRota("AB");
    const event = await rota.event("AB", {
      start_datetime: "2026-03-02T09:00:00Z",
      end_datetime: "2026-03-02T10:00:00Z",
      repeat: true,
      frequency: 1,
      frequency_unit: "hourly",
      rotation: true,
    });
    await rota.amend(event.id, "terminate_on", { action_time: "2026-03-02T11:00:00Z" });
    expect(await rota.window("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z")).toEqual([
      "1 2026-03-02T09:00Z..2026-03-02T10:00Z A",
      "1 2026-03-02T10:00Z..2026-03-02T11:00Z B",
    ]);
  });
});

describe.each(["add_exception", "terminate_on"])("%s", (what) => {
  test("rejects a time at which no occurrence starts, and names the nearest occurrence", async () => {
    const rota = await makeRota();
    const event = await dailyRotation(rota);
    const refused = await rota.amend(event.id, what, { action_time: "2026-03-03T08:00:00Z" });
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["action_time"]]);
    expect(refused.body.errors[0].message).toContain("2026-03-03T09:00:00.000Z");
    const missing = await rota.amend(event.id, what, {});
    expect([missing.status, faultyFields(missing)]).toEqual([422, ["action_time"]]);
    const single = await dailyRotation(rota, { repeat: false });
    const once = await rota.amend(single.id, what, { action_time: "2026-03-02T09:00:00Z" });
    expect([once.status, faultyFields(once)]).toEqual([422, ["action_time"]]);
    const child = await createOverride(rota, event.id, "2026-03-03");
    const below = await rota.amend(child, what, { action_time: "2026-03-03T12:00:00Z" });
    expect(below.status).toBe(422);
  });

  test("is allowed only for the team's admins and within the account", async () => {
    const rota = await makeRota();
    const event = await dailyRotation(rota);
    await rota.account.api("PUT", `/teams/${rota.teamId}`, {
      admin_account_user_ids: rota.ids("B"),
    });
    const body = { action_time: "2026-03-04T09:00:00Z" };
    const path = `/events/${event.id}/${what}`;
    expect((await rota.colleagues.get("C")?.api("POST", path, body))?.status).toBe(403);
    const stranger = await makeAccount();
    expect((await stranger.api("POST", path, body)).status).toBe(404);
    expect((await rota.colleagues.get("B")?.api("POST", path, body))?.status).toBe(200);
  });
});

describe("a flush", () => {
  test("detaches the schedule's events, and deletes those in no other schedule with overrides", async () => {
    const rota = await makeRota();
    const { api } = rota.account;
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    const here = await dailyRotation(rota);
    const both = await dailyRotation(rota, { schedule_ids: [rota.scheduleId, other.id] });
    const there = await dailyRotation(rota, { schedule_ids: [other.id] });
    const deleted = await createOverride(rota, here.id, "2026-03-03");
    const remaining = await createOverride(rota, both.id, "2026-03-03");
    await api("PUT", `/teams/${rota.teamId}`, { admin_account_user_ids: rota.ids("B") });
    const path = `/schedules/${rota.scheduleId}/flush`;
    expect((await rota.colleagues.get("C")?.api("DELETE", path))?.status).toBe(403);
    const stranger = await makeAccount();
    expect((await stranger.api("DELETE", path)).status).toBe(404);
    const flushed = await rota.colleagues.get("B")?.api("DELETE", path);
    expect([flushed?.status, flushed?.text]).toEqual([204, ""]);
    expect((await api("DELETE", path)).status, "again").toBe(204);
    const { body: remainingEvents } = await api("GET", "/events?sort=id&direction=asc");
    expect(remainingEvents.data.map(({ id }: { id: string }) => id)).toEqual([
      both.id,
      there.id,
      remaining,
    ]);
    expect(remainingEvents.total_count).toBe(3);
    for (const event of remainingEvents.data) expect(event.schedule_ids).toEqual([other.id]);
    expect((await api("GET", `/events/${deleted}`)).status).toBe(404);
    expect(await rota.window("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toEqual([]);
    expect((await api("GET", `/schedules/${rota.scheduleId}`)).status).toBe(200);
  });
});

describe("clock_changes", () => {
  test("lists the coming year's occurrences at skipped or repeated local times", async () => {
    const rota = await makeRota("A");
    const event = await rota.event("A", {
      time_zone: "Berlin",
      start_datetime: "2026-01-05T02:30:00+01:00",
      end_datetime: "2026-01-05T10:30:00+01:00",
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
    });
    const { body } = await rota.account.api("GET", `/events/${event.id}`);
    // Berlin's clocks change twice in every year, at 02:00 and 03:00; on such a day, a third time a year later.
    expect(body.clock_changes.length).toBeOneOf([2, 3]);
    const of = (start: string) =>
      body.clock_changes.find((notice: { start: string }) => notice.start === start);
    expect(of("skipped")).toEqual({
      local_start: expect.stringMatching(/^\d{4}-03-\d\d 02:30$/),
      local_end: expect.stringMatching(/ 10:30$/),
      start: "skipped",
      end: null,
      happens: true,
      start_time: expect.stringMatching(/T01:30:00\.000Z$/),
      end_time: expect.stringMatching(/T08:30:00\.000Z$/),
      longer_by_minutes: -60,
    });
    expect(of("repeated")).toMatchObject({
      local_start: expect.stringMatching(/^\d{4}-10-\d\d 02:30$/),
      start_time: expect.stringMatching(/T00:30:00\.000Z$/),
      longer_by_minutes: 60,
    });
    const { body: list } = await rota.account.api("GET", "/events");
    expect(list.data[0]).not.toHaveProperty("clock_changes");
  });
});

test("a write takes two round trips, a read one", async () => {
  const rota = await makeRota("A");
  const { api } = rota.account;
  const event = await dailyRotation(rota, { account_user_ids: rota.ids("A") });
  const body = { action_time: "2026-03-09T09:00:00Z" };
  const path = `/events/${event.id}`;
  expect((await fewestTrips(1, () => api("GET", path))).trips).toBe(1);
  for (const act of [
    () => rota.amend(event.id, "override", overrideBody(rota, "2026-03-03")),
    () => rota.amend(event.id, "add_exception", body),
    () => rota.amend(event.id, "terminate_on", body),
    () => api("PUT", path, { layer: 2 }),
    () => api("DELETE", path),
    () => api("DELETE", `/schedules/${rota.scheduleId}/flush`),
  ]) {
    expect(await roundTrips(act)).toBe(2);
  }
});

describe("ended events", () => {
  test("add no rows read to the on-call query, however many there are", async () => {
    const rota = await makeRota("A");
    const { accountId } = rota.account;
    await rota.event("A", {
      start_datetime: new Date(Date.now() - 3_600_000).toISOString(),
      end_datetime: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const rowsRead = async () => {
      const query = selectOnCallEvents(accountId, sql`select ${rota.scheduleId}`, Date.now());
      const { meta, results } = await statement(env.DB, query).all();
      expect(results).toHaveLength(1);
      return meta.rows_read;
    };
    const ended = await rota.event("A", {
      start_datetime: "2020-01-01T00:00:00Z",
      end_datetime: "2020-01-01T01:00:00Z",
    });
    const rowsBesideOneEnded = await rowsRead();
    // A thousand copies of the row that the API created.
    await env.DB.batch([
      env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
        insert into events (id, prefix_id, created_at, updated_at, account_id, start_at, end_at,
          layer, time_zone)
        select substr(id, 1, 20) || printf('%06d', i), 'evt_' || printf('%013d', i) || 'A',
          created_at, updated_at, account_id, start_at, end_at, layer, time_zone from events, n where id = ?`,
      ).bind(ended.id),
      env.DB.prepare(
        `insert into event_schedules (account_id, schedule_id, event_id, active_until)
        select account_id, schedule_id, events.id, active_until
        from event_schedules, (select id from events where prefix_id like 'evt_0000000%') as events
        where event_id = ?`,
      ).bind(ended.id),
    ]);
    const { body } = await rota.account.api("GET", `/schedules/${rota.scheduleId}/events`);
    expect(body.total_count).toBe(1002);
    expect(await rowsRead()).toBe(rowsBesideOneEnded);
    expect(await rota.now()).toEqual(["1 A"]);
  });
});
