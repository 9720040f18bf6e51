import { beforeAll, describe, expect, test } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";

const HOUR = 3_600_000;
const at = (offset: number) => new Date(Date.now() + offset).toISOString();

describe("the on-call API", () => {
  let account: Account;
  let bo: Colleague;
  let team: { id: string; prefix_id: string; schedule_id: string };
  const made: Record<string, string> = {};

  beforeAll(async () => {
    account = await makeAccount();
    bo = await addColleague(account, "Bo");
    const people = [account.accountUserId];
    const reply = await account.api("POST", "/teams", {
      name: "Payments",
      member_account_user_ids: people,
      admin_account_user_ids: people,
    });
    team = reply.body;
    const event = async (name: string, more: Record<string, unknown>) => {
      const { status, body, text } = await account.api("POST", "/events", {
        time_zone: "UTC",
        schedule_ids: [team.schedule_id],
        account_user_ids: people,
        ...more,
      });
      expect(status, text).toBe(201);
      made[name] = body.id;
    };
    await event("second layer", {
      layer: 2,
      start_datetime: at(-HOUR),
      end_datetime: at(HOUR),
    });
    await event("rotation", {
      layer: 1,
      start_datetime: "2026-01-05T09:00:00Z",
      end_datetime: "2026-01-06T09:00:00Z",
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: true,
      account_user_ids: [account.accountUserId, bo.id],
    });
    await event("over", { layer: 1, start_datetime: at(-3 * HOUR), end_datetime: at(-2 * HOUR) });
    await event("to come", { layer: 1, start_datetime: at(2 * HOUR), end_datetime: at(3 * HOUR) });
    await event("elsewhere", {
      layer: 1,
      start_datetime: at(-HOUR),
      end_datetime: at(HOUR),
      schedule_ids: [],
    });
  });

  test("lists who is on call now by layer, equally for the schedule and the team", async () => {
    const { api } = account;
    const now = await api("GET", `/schedules/${team.schedule_id}/current_oncall`);
    expect(now.status).toBe(200);
    expect(now.body.map((entry: { event_id: string }) => entry.event_id)).toEqual([
      made.rotation,
      made["second layer"],
    ]);
    const [first, second] = now.body;
    expect(first).toEqual({
      layer: 1,
      start_time: expect.stringMatching(/T09:00:00\.000Z$/),
      end_time: expect.stringMatching(/T09:00:00\.000Z$/),
      event_id: made.rotation,
      schedule_id: team.schedule_id,
      attendees: [
        {
          id: expect.any(String),
          attendee_id: expect.any(String),
          attendee_type: "AccountUser",
          position: expect.any(Number),
        },
      ],
      absent: [],
    });
    expect(second.attendees[0].attendee_id).toBe(account.accountUserId);
    expect((await api("GET", `/teams/${team.prefix_id}/current_oncall`)).body).toEqual(now.body);
    expect((await bo.api("GET", `/teams/${team.id}/current_oncall`)).body).toEqual(now.body);
  });

  test("answers 404 for an unknown record and an empty list for an empty schedule", async () => {
    const stranger = await makeAccount();
    for (const path of [
      `/schedules/${team.schedule_id}/current_oncall`,
      `/teams/${team.id}/current_oncall`,
      `/schedules/${team.schedule_id}/window_events?start=2026-01-05&end=2026-01-06`,
      `/schedules/nothing/current_oncall`,
    ]) {
      expect((await stranger.api("GET", path)).status, path).not.toBe(200);
    }
    expect((await stranger.api("GET", `/teams/${team.id}/current_oncall`)).status).toBe(404);
    const { body: empty } = await account.api("POST", "/schedules", { name: "Empty" });
    const nobody = await account.api("GET", `/schedules/${empty.id}/current_oncall`);
    expect([nobody.status, nobody.body]).toEqual([200, []]);
  });

  test("lists the whole occurrences that overlap a window, including past ones, by turn", async () => {
    const { api } = account;
    const path = `/schedules/${team.schedule_id}/window_events`;
    const window = await api("GET", `${path}?start=2026-01-05 12:00:00&end=2026-01-07 12:00:00`);
    expect(window.status, window.text).toBe(200);
    type Entry = { start_time: string; attendees: { attendee_id: string }[] };
    expect(
      window.body.map((entry: Entry) => [entry.start_time, entry.attendees[0]?.attendee_id]),
    ).toEqual([
      ["2026-01-05T09:00:00.000Z", account.accountUserId],
      ["2026-01-06T09:00:00.000Z", bo.id],
      ["2026-01-07T09:00:00.000Z", account.accountUserId],
    ]);
    const iso = await api(
      "GET",
      `${path}?start=2026-01-05T12:00:00Z&end=2026-01-07T13:00:00%2B01:00`,
    );
    expect(iso.body).toEqual(window.body);
    const before = await api("GET", `${path}?start=2026-01-01 00:00:00&end=2026-01-05 09:00:00`);
    expect(before.body).toEqual([]);
  });

  test("rejects an invalid window", async () => {
    const path = `/schedules/${team.schedule_id}/window_events`;
    const refusals: [string, number, string[]][] = [
      ["", 422, ["start", "end"]],
      ["?start=2026-01-05 12:00:00", 422, ["end"]],
      ["?start=soon&end=2026-01-05 12:00:00", 400, ["start"]],
      ["?start=2026-02-30 00:00:00&end=2026-03-05 12:00:00", 400, ["start"]],
      ["?start=2026-01-05 12:00:00&end=2026-01-05 11:59:59", 422, ["end"]],
      ["?start=2026-01-05 12:00:00&end=2027-01-06 12:00:01", 422, ["end"]],
    ];
    for (const [query, status, fields] of refusals) {
      const refused = await account.api("GET", path + query);
      expect(
        [refused.status, refused.body.errors.map((e: { field: string }) => e.field)],
        query,
      ).toEqual([status, fields]);
    }
    const widest = `${path}?start=2026-01-05 12:00:00&end=2027-01-06 12:00:00`;
    expect((await account.api("GET", widest)).status).toBe(200);
  });
});
