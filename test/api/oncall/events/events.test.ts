import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { addColleague, faultyFields } from "../../../support/people/people.ts";

const FOREVER = 9_007_199_254_740_991;

async function makeSchedule(account: Account, name = "Primary"): Promise<string> {
  return (await account.api("POST", "/schedules", { name })).body.id;
}

const shift = (account: Account, more: Record<string, unknown> = {}) => ({
  start_datetime: "2026-03-02T09:00:00Z",
  end_datetime: "2026-03-02T17:00:00Z",
  layer: 1,
  time_zone: "London",
  account_user_ids: [account.accountUserId],
  ...more,
});

async function activeUntil(eventId: string): Promise<number[]> {
  const { results } = await env.DB.prepare(
    "select active_until from event_schedules where event_id = ? order by schedule_id",
  )
    .bind(eventId)
    .all<{ active_until: number }>();
  return results.map((row) => row.active_until);
}

describe("events", () => {
  test("a create returns every parameter, and the event can be read by either form of its id", async () => {
    const account = await makeAccount();
    const { api, accountUserId, accountId } = account;
    const scheduleId = await makeSchedule(account);
    const made = await api("POST", "/events", {
      start_time: "2026-03-02T10:00:00+01:00",
      end_time: "2026-03-02T17:00:00Z",
      layer: "2",
      time_zone: "Mazatlan",
      repeat: "true",
      frequency: "1",
      frequency_unit: "weekly",
      days_of_week: [5, "1", 1],
      repeat_end_datetime: "2026-12-31T00:00:00Z",
      rotation: true,
      restrictions: [{ days_of_week: [5, "1"], start_time: "08:00", end_time: "16:30" }],
      priority: "3",
      schedule_ids: [scheduleId],
      account_user_ids: accountUserId,
      meta: { shift: "late" },
      unheard_of: 1,
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      series_id: made.body.id,
      prefix_id: expect.stringMatching(/^evt_/),
      account_id: accountId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      meta: { shift: "late" },
      parent_id: null,
      start_datetime: "2026-03-02T09:00:00.000Z",
      end_datetime: "2026-03-02T17:00:00.000Z",
      start_time: "2026-03-02T09:00:00.000Z",
      end_time: "2026-03-02T17:00:00.000Z",
      layer: 2,
      time_zone: "Mazatlán",
      repeat: true,
      frequency: 1,
      frequency_unit: "weekly",
      days_of_week: [1, 5],
      repeat_end_datetime: "2026-12-31T00:00:00.000Z",
      rotation: true,
      schedule_ids: [scheduleId],
      account_user_ids: [accountUserId],
      event_attendees: [
        {
          id: expect.any(String),
          attendee_id: accountUserId,
          attendee_type: "AccountUser",
          position: 0,
        },
      ],
      positions: [[accountUserId]],
      restrictions: [{ days_of_week: [1, 5], start_time: "08:00", end_time: "16:30" }],
      priority: 3,
      when_away: "stay",
      effective_at: null,
      exceptions: [],
      terminated_at: null,
      begins_at: null,
      import_id: null,
    });
    const read = await api("GET", `/events/${made.body.prefix_id}`);
    const rosters = [{ from: null, until: null, rotation: true, positions: [[accountUserId]] }];
    expect(read.body).toEqual({ ...made.body, clock_changes: [], rosters });
    expect((await api("DELETE", `/events/${made.body.id}`)).status).toBe(204);
    expect((await api("GET", `/events/${made.body.id}`)).status).toBe(404);
    expect((await api("DELETE", `/events/${made.body.id}`)).status).toBe(404);
    expect(await activeUntil(made.body.id)).toEqual([]);
  });

  test("names every invalid field", async () => {
    const account = await makeAccount();
    const { api } = account;
    expect(faultyFields(await api("POST", "/events", {}))).toEqual([
      "account_user_ids",
      "end_datetime",
      "layer",
      "start_datetime",
      "time_zone",
    ]);
    const refusals: [Record<string, unknown>, string[]][] = [
      [{ end_datetime: "2026-03-02T09:00:00Z" }, ["end_datetime"]],
      [{ start_datetime: "2026-03-02 09:00" }, ["start_datetime"]],
      [{ time_zone: "Europe/London" }, ["time_zone"]],
      [{ layer: 0 }, ["layer"]],
      [{ account_user_ids: [] }, ["account_user_ids"]],
      [{ repeat: true }, ["frequency", "frequency_unit"]],
      [{ frequency: 0 }, ["frequency"]],
      [{ frequency_unit: "fortnightly" }, ["frequency_unit"]],
      [{ days_of_week: [7] }, ["days_of_week[0]"]],
      [
        { repeat: true, frequency: 1, frequency_unit: "monthly", days_of_week: [1] },
        ["days_of_week"],
      ],
      [
        {
          repeat: true,
          frequency: 1,
          frequency_unit: "daily",
          repeat_end_datetime: "2026-03-01T23:00:00Z",
        },
        ["repeat_end_datetime"],
      ],
      [
        {
          repeat: true,
          frequency: 1,
          frequency_unit: "hourly",
          end_datetime: "2036-03-02T09:00:00Z",
        },
        ["end_datetime"],
      ],
      [
        { account_user_ids: ["acu_nobody"], schedule_ids: ["x"] },
        ["account_user_ids", "schedule_ids"],
      ],
    ];
    for (const [more, fields] of refusals) {
      const refused = await api("POST", "/events", shift(account, more));
      expect(refused.status, JSON.stringify(more)).toBe(422);
      expect(faultyFields(refused), JSON.stringify(more)).toEqual(fields);
    }
    const lastDay = { repeat: true, frequency: 1, frequency_unit: "daily" };
    const made = await api("POST", "/events", {
      ...shift(account, lastDay),
      repeat_end_datetime: "2026-03-02T00:00:00Z",
    });
    expect(made.status, "inclusive of its local day").toBe(201);
  });

  test("an update merges, preserves the ids of remaining attendees and updates active_until", async () => {
    const account = await makeAccount();
    const { api } = account;
    const other = await addColleague(account, "Bo");
    const [one, two] = [await makeSchedule(account), await makeSchedule(account, "Second")];
    const rule = { repeat: true, frequency: 1, frequency_unit: "daily", schedule_ids: [one] };
    const { body: made } = await api("POST", "/events", shift(account, rule));
    expect(await activeUntil(made.id)).toEqual([FOREVER]);

    const swapped = await api("PUT", `/events/${made.id}`, {
      account_user_ids: [other.id, account.accountUserId],
    });
    expect(swapped.status, swapped.text).toBe(200);
    expect(swapped.body.account_user_ids).toEqual([other.id, account.accountUserId]);
    expect(swapped.body.event_attendees[1].id).toBe(made.event_attendees[0].id);
    expect(swapped.body).toMatchObject({ layer: 1, repeat: true, frequency: 1 });
    expect(swapped.body.updated_at > made.updated_at).toBe(true);

    await api("PATCH", `/events/${made.prefix_id}`, {
      repeat_end_datetime: "2026-03-04T12:00:00Z",
    });
    expect(await activeUntil(made.id)).toEqual([Date.UTC(2026, 2, 4, 17)]);
    const single = await api("PUT", `/events/${made.id}`, {
      repeat: false,
      schedule_ids: [one, two],
      end_time: "2026-03-02T18:00:00Z",
    });
    expect(single.body.schedule_ids.toSorted()).toEqual([one, two].toSorted());
    expect(await activeUntil(made.id)).toEqual([
      Date.UTC(2026, 2, 2, 18),
      Date.UTC(2026, 2, 2, 18),
    ]);
    const endless = await api("PUT", `/events/${made.id}`, {
      repeat: true,
      repeat_end_datetime: null,
      schedule_ids: [two],
    });
    expect(endless.body).toMatchObject({ repeat_end_datetime: null, schedule_ids: [two] });
    expect(await activeUntil(made.id)).toEqual([FOREVER]);

    const wrong = await api("PUT", `/events/${made.id}`, { end_datetime: "2026-03-02T09:00:00Z" });
    expect([wrong.status, faultyFields(wrong)]).toEqual([422, ["end_datetime"]]);
    const empty = await api("PUT", `/events/${made.id}`, { account_user_ids: [] });
    expect([empty.status, faultyFields(empty)]).toEqual([422, ["account_user_ids"]]);
    const stranger = await makeAccount();
    expect((await stranger.api("PUT", `/events/${made.id}`, { layer: 2 })).status).toBe(404);
    expect((await stranger.api("DELETE", `/events/${made.id}`)).status).toBe(404);
    expect((await stranger.api("GET", `/events/${made.prefix_id}`)).status).toBe(404);
  });

  test("applies all concurrent updates", async () => {
    const account = await makeAccount();
    const { api } = account;
    const scheduleId = await makeSchedule(account);
    const { body: made } = await api(
      "POST",
      "/events",
      shift(account, { schedule_ids: [scheduleId], frequency: 1, frequency_unit: "daily" }),
    );
    const replies = await Promise.all([
      api("PUT", `/events/${made.id}`, { repeat: true }),
      api("PUT", `/events/${made.id}`, { layer: 3 }),
      api("PUT", `/events/${made.id}`, { end_datetime: "2026-03-02T20:00:00Z" }),
    ]);
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
    const { body: read } = await api("GET", `/events/${made.id}`);
    expect(read).toMatchObject({
      repeat: true,
      layer: 3,
      end_datetime: "2026-03-02T20:00:00.000Z",
    });
    expect(await activeUntil(made.id)).toEqual([FOREVER]);
  });

  test("lists with filters by either name of a field", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const scheduleId = await makeSchedule(account);
    const ids: string[] = [];
    for (const day of [2, 3, 4]) {
      const { body } = await api("POST", "/events", {
        ...shift(account, { layer: day, days_of_week: [day], schedule_ids: [scheduleId] }),
        start_datetime: `2026-03-0${day}T09:00:00Z`,
        end_datetime: `2026-03-0${day}T17:00:00Z`,
      });
      ids.push(body.id);
    }
    const layers = async (query: string) => {
      const { status, body } = await api("GET", `/events?sort=layer&direction=asc&${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.map((event: { layer: number }) => event.layer);
    };
    expect(await layers("")).toEqual([2, 3, 4]);
    expect(await layers("start_time=2026-03-03 09:00:00&ops=start_time:gte")).toEqual([3, 4]);
    expect(await layers("start_datetime=2026-03-03T09:00:00Z")).toEqual([3]);
    expect(await layers("days_of_week=4")).toEqual([4]);
    expect(await layers(`schedule_ids=${scheduleId}&layer=2`)).toEqual([2]);
    const { prefix_id } = (await api("GET", `/schedules/${scheduleId}`)).body;
    expect(await layers(`schedule_ids=${prefix_id}&layer=3&ops=layer:gt`)).toEqual([4]);
    expect(await layers(`account_user_ids=${accountUserId}&limit=2`)).toEqual([2, 3]);
    const within = await api(
      "GET",
      `/schedules/${scheduleId}/events?ops=start_datetime:gte,end_datetime:lte` +
        "&start_datetime=2026-03-03 00:00:00&end_datetime=2026-03-04 00:00:00",
    );
    expect(within.body).toMatchObject({ data: [{ id: ids[1] }], has_more: false, total_count: 1 });
    const other = await makeSchedule(account, "Other");
    const none = await api("GET", `/schedules/${other}/events`);
    expect(none.body).toEqual({ data: [], has_more: false, total_count: 0 });
    const stranger = await makeAccount();
    expect((await stranger.api("GET", `/schedules/${scheduleId}/events`)).status).toBe(404);
    const unreadable = await api("GET", `/schedules/${scheduleId}/events?start_datetime=soon`);
    expect(unreadable.status).toBe(400);
  });

  test("lists all time zones and ignores the limit", async () => {
    const { api } = await makeAccount();
    const { body } = await api("GET", "/events/time_zones?limit=5");
    expect(body).toMatchObject({ has_more: false, total_count: 151 });
    expect(body.data).toHaveLength(151);
    expect(body.data[0]).toBe("International Date Line West");
    expect(body.data).toContain("Mazatlán");
  });

  test("team admins may write only events of their own schedule", async () => {
    const account = await makeAccount();
    const lead = await addColleague(account, "Lea Lead");
    const member = await addColleague(account, "Mo Member");
    const { body: team } = await account.api("POST", "/teams", {
      name: "Payments",
      member_account_user_ids: [member.id],
      admin_account_user_ids: [lead.id],
    });
    const elsewhere = await makeSchedule(account);
    const here = shift(account, { schedule_ids: [team.schedule_id] });
    expect((await member.api("POST", "/events", here)).status).toBe(403);
    const made = await lead.api("POST", "/events", here);
    expect(made.status, made.text).toBe(201);
    expect((await lead.api("POST", "/events", shift(account))).status).toBe(403);
    const both = shift(account, { schedule_ids: [team.schedule_id, elsewhere] });
    expect((await lead.api("POST", "/events", both)).status).toBe(403);
    const path = `/events/${made.body.prefix_id}`;
    expect((await lead.api("PUT", path, { layer: 2 })).status).toBe(200);
    expect((await lead.api("PUT", path, { schedule_ids: [elsewhere] })).status).toBe(403);
    expect((await member.api("PUT", path, { layer: 3 })).status).toBe(403);
    expect((await member.api("DELETE", path)).status).toBe(403);
    const shared = await account.api("POST", "/events", both);
    expect((await lead.api("DELETE", `/events/${shared.body.id}`)).status).toBe(403);
    expect((await lead.api("DELETE", path)).status).toBe(204);
    expect((await member.api("GET", `/events/${shared.body.id}`)).status).toBe(200);
  });
});
