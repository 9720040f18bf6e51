// Hours on call over HTTP: the same sums as JSON and CSV, who sees whose, and which schedules count.
import { describe, expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { makeRota, type Rota } from "../../support/oncall/rota.ts";
import { addColleague } from "../../support/people/people.ts";

const JANUARY = "start=2026-01-01 00:00:00&end=2026-02-01 00:00:00";

type Person = { account_user_id: string; name: string; minutes: Record<string, number> };

/** `A 480 0 0 0 480` for each person: weekday, night, weekend, holiday, total. */
const minutesOf = (rota: Rota, people: readonly Person[]) =>
  people.map(({ account_user_id, minutes }) =>
    [rota.letters([account_user_id]), ...Object.values(minutes)].join(" "),
  );

const shift = (start: string, end: string, more: object = {}) => ({
  start_datetime: start,
  end_datetime: end,
  ...more,
});

/** A is on call for a day and a night; B for a holiday on a weekend, with an override by A. */
async function makeServed() {
  const rota = await makeRota("AB");
  await rota.event("A", shift("2026-01-05T08:00:00Z", "2026-01-06T08:00:00Z"));
  await rota.event("A", shift("2026-01-05T12:00:00Z", "2026-01-05T18:00:00Z", { layer: 2 }));
  const weekend = await rota.event("B", shift("2026-01-09T22:00:00Z", "2026-01-11T00:00:00Z"));
  const override = await rota.amend(weekend.id, "override", {
    start_time: "2026-01-10 10:00",
    end_time: "2026-01-10 10:20",
    time_zone: "UTC",
    layer: 1,
    account_user_ids: rota.ids("A"),
    action_time: "2026-01-09T22:00:00Z",
  });
  expect(override.status).toBe(201);
  return rota;
}

describe("hours on call", () => {
  test("are reported by person and layer, as JSON and with the same sums as CSV", async () => {
    const rota = await makeServed();
    const { api } = rota.account;
    const { status, body } = await api("GET", `/reports/on_call_hours?${JANUARY}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      start_time: "2026-01-01T00:00:00.000Z",
      end_time: "2026-02-01T00:00:00.000Z",
      time_zone: "UTC",
      night_start: "22:00",
      night_end: "06:00",
      weekend_days: [0, 6],
      holiday_region: null,
      holidays: [],
    });
    expect(minutesOf(rota, body.by_person).sort()).toEqual([
      "A 960 480 20 0 1460",
      "B 0 120 1420 0 1540",
    ]);
    const [a] = rota.ids("A");
    const ofA = body.by_person.find((it: Person) => it.account_user_id === a);
    expect(ofA.name).toBe("Ada Admin");
    expect(ofA.by_layer).toEqual([
      {
        schedule_id: rota.scheduleId,
        layer: 1,
        minutes: { weekday: 960, night: 480, weekend: 20, holiday: 0, total: 1460 },
      },
      {
        schedule_id: rota.scheduleId,
        layer: 2,
        minutes: { weekday: 360, night: 0, weekend: 0, holiday: 0, total: 360 },
      },
    ]);
    const csv = await api("GET", `/reports/on_call_hours.csv?${JANUARY}`);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="on-call-hours.csv"');
    const [head, ...rows] = csv.text.trim().split("\r\n");
    expect(head).toBe(
      "person,account_user_id,weekday_hours,night_hours,weekend_hours,holiday_hours,total_hours",
    );
    expect(rows).toEqual(
      body.by_person.map(({ name, account_user_id, minutes }: Person) =>
        [name, account_user_id, ...Object.values(minutes).map((it) => (it / 60).toFixed(2))].join(),
      ),
    );
    expect(rows).toContain(`Ada Admin,${a},16.00,8.00,0.33,0.00,24.33`);
    const layers = await api("GET", `/reports/on_call_hours.csv?${JANUARY}&by=layer`);
    expect(layers.text).toContain(
      `\r\nAda Admin,${a},Payments Schedule,${rota.scheduleId},2,6.00,0.00,0.00,0.00,6.00\r\n`,
    );
    expect(layers.text.trim().split("\r\n")).toHaveLength(4);
  });

  test("follow the given zone, night hours, weekend days and holidays", async () => {
    const rota = await makeServed();
    const report = async (query: string) => {
      const path = `/reports/on_call_hours?${JANUARY}&${query}`;
      const { body } = await rota.account.api("GET", path);
      return { ...body, rows: minutesOf(rota, body.by_person).sort() };
    };
    // 2026-01-10 is a holiday in no region; 6 January is Epiphany in Bavaria.
    const bavaria = await report("holiday_region=de-by");
    expect(bavaria.holiday_region).toBe("DE-BY");
    expect(bavaria.holidays.map((it: { date: string }) => it.date)).toEqual([
      "2026-01-01",
      "2026-01-06",
    ]);
    expect(bavaria.rows[0]).toBe("A 840 120 20 480 1460");
    // In Tokyo the shift is from Monday 17:00 to Tuesday 17:00, and Saturday begins at 15:00 UTC.
    const tokyo = await report("time_zone=Tokyo");
    expect(tokyo.rows).toEqual(["A 960 480 20 0 1460", "B 0 0 1540 0 1540"]);
    const nights = await report("night_start=00:00&night_end=08:00&weekend_days=1");
    expect(nights.rows).toEqual(["A 20 480 960 0 1460", "B 1060 480 0 0 1540"]);
  });

  test("count company holidays unless they are left out", async () => {
    const rota = await makeServed();
    const { api } = rota.account;
    const stored = [
      { name: "Retreat", start_date: "2026-01-05", end_date: "2026-01-06" },
      { name: "Foundation Day", start_date: "2020-01-10", repeats_yearly: true },
      { name: "Of another year", start_date: "2025-01-05" },
    ];
    for (const body of stored)
      expect((await api("POST", "/company_holidays", body)).status).toBe(201);
    const path = `/reports/on_call_hours?${JANUARY}`;
    const counted = await api("GET", path);
    expect(counted.body).toMatchObject({
      company_holidays: true,
      holidays: [
        { date: "2026-01-05", starts_at: "00:00", name: "Retreat" },
        { date: "2026-01-06", name: "Retreat" },
        { date: "2026-01-10", name: "Foundation Day" },
      ],
    });
    expect(minutesOf(rota, counted.body.by_person).sort()).toEqual([
      "A 0 0 0 1460 1460",
      "B 0 120 0 1420 1540",
    ]);
    const left = await api("GET", `${path}&company_holidays=false`);
    expect(left.body).toMatchObject({ company_holidays: false, holidays: [] });
    expect(minutesOf(rota, left.body.by_person).sort()).toEqual([
      "A 960 480 20 0 1460",
      "B 0 120 1420 0 1540",
    ]);
  });

  test("of schedules and teams that are named, by either form of their ids", async () => {
    const rota = await makeServed();
    const { api } = rota.account;
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    await rota.event("B", {
      ...shift("2026-01-10T00:00:00Z", "2026-01-11T00:00:00Z"),
      schedule_ids: [other.id],
    });
    const report = async (query: string) => {
      const { body, text } = await api("GET", `/reports/on_call_hours?${JANUARY}&${query}`);
      expect(text).toContain("by_person");
      return minutesOf(rota, body.by_person).sort();
    };
    const all = ["A 960 480 20 0 1460", "B 0 120 1440 0 1560"];
    expect(await report("")).toEqual(all);
    expect(await report(`schedule_ids=${other.prefix_id}`)).toEqual(["B 0 0 1440 0 1440"]);
    expect(await report(`schedule_ids[]=${other.id.toLowerCase()}`)).toEqual(["B 0 0 1440 0 1440"]);
    const ofTeam = ["A 960 480 20 0 1460", "B 0 120 1420 0 1540"];
    expect(await report(`team_ids=${rota.teamId}`)).toEqual(ofTeam);
    expect(await report(`team_ids=${rota.teamId}&schedule_ids=${other.id}`)).toEqual(all);
    expect(await report(`schedule_ids=${rota.scheduleId},${other.id}`)).toEqual(all);
  });

  test("of other people only admins see, and the admins of their schedules' teams", async () => {
    const rota = await makeServed();
    const { account } = rota;
    const lead = await addColleague(account, "Lead");
    const { body: team } = await account.api("POST", "/teams", {
      name: "Other",
      member_account_user_ids: [lead.id, ...rota.ids("B")],
      admin_account_user_ids: [lead.id],
    });
    await rota.event("B", {
      ...shift("2026-01-10T00:00:00Z", "2026-01-10T04:00:00Z"),
      schedule_ids: [team.schedule_id],
    });
    await rota.event("A", {
      ...shift("2026-01-10T04:00:00Z", "2026-01-10T06:00:00Z"),
      schedule_ids: [team.schedule_id],
    });
    const { body } = await account.api("POST", "/events", {
      ...shift("2026-01-12T10:00:00Z", "2026-01-12T11:00:00Z"),
      ...{ layer: 1, time_zone: "UTC", schedule_ids: [rota.scheduleId] },
      account_user_ids: [lead.id],
    });
    expect(body.id).toBeDefined();
    const see = async (api: typeof account.api) => {
      const json = await api("GET", `/reports/on_call_hours?${JANUARY}`);
      const csv = await api("GET", `/reports/on_call_hours.csv?${JANUARY}&by=layer`);
      const seen = json.body.by_person.map(
        ({ name, minutes }: Person) => `${name} ${minutes.total}`,
      );
      const names = csv.text
        .trim()
        .split("\r\n")
        .slice(1)
        .map((row) => row.split(",")[0]);
      return [seen.sort(), [...new Set(names)].sort()];
    };
    expect(await see(account.api)).toEqual([
      ["Ada Admin 1580", "B Person 1540", "Lead 60"],
      ["Ada Admin", "B Person", "Lead"],
    ]);
    // Own hours everywhere, others only on the own team's schedule.
    expect(await see(lead.api)).toEqual([
      ["Ada Admin 120", "B Person 240", "Lead 60"],
      ["Ada Admin", "B Person", "Lead"],
    ]);
    const member = rota.colleagues.get("B");
    if (!member) throw new Error("no colleague");
    expect(await see(member.api)).toEqual([["B Person 1540"], ["B Person"]]);
    // Naming a schedule shows no more of it.
    const named = `/reports/on_call_hours?${JANUARY}&schedule_ids=${rota.scheduleId}`;
    const { body: own } = await member.api("GET", named);
    expect(minutesOf(rota, own.by_person)).toEqual(["B 0 120 1420 0 1540"]);
  });

  test("of the past stay what they were when people join and leave", async () => {
    const rota = await makeRota("ABC");
    const today = Math.floor(Date.now() / 86_400_000);
    const day = (offset: number) => `${new Date((today + offset) * 86_400_000).toISOString()}`;
    const { id } = await rota.event("AB", {
      ...shift(day(-20), day(-19)),
      ...{ repeat: true, frequency: 1, frequency_unit: "daily", rotation: true },
    });
    const past = async () => {
      const query = new URLSearchParams({ start: day(-20), end: day(0) });
      const { body } = await rota.account.api("GET", `/reports/on_call_hours?${query}`);
      return body.by_person.map((it: Person) => [it.account_user_id, it.name, it.minutes.total]);
    };
    const before = await past();
    expect(before.map(([, name, total]: unknown[]) => `${name} ${total}`).sort()).toEqual([
      "Ada Admin 14400",
      "B Person 14400",
    ]);
    const joined = await rota.account.api("PUT", `/events/${id}`, {
      account_user_ids: rota.ids("ABC"),
    });
    expect(joined.status).toBe(200);
    expect(await past()).toEqual(before);
    const [left] = rota.ids("B");
    expect((await rota.account.api("DELETE", `/account_users/${left}`)).status).toBe(204);
    expect(await past()).toEqual(
      before.map(([who, name, total]: unknown[]) => [who, who === left ? null : name, total]),
    );
    const query = new URLSearchParams({ start: day(-20), end: day(0) });
    const csv = await rota.account.api("GET", `/reports/on_call_hours.csv?${query}`);
    expect(csv.text).toContain(`\r\nFormer member,${left},`);
  });

  test("of another account are not found, neither its schedules nor its teams", async () => {
    const rota = await makeServed();
    const { api } = await makeAccount();
    const empty = await api("GET", `/reports/on_call_hours?${JANUARY}`);
    expect(empty.body.by_person).toEqual([]);
    for (const query of [`schedule_ids=${rota.scheduleId}`, `team_ids=${rota.teamId}`]) {
      const refused = await api("GET", `/reports/on_call_hours?${JANUARY}&${query}`);
      expect(refused.status).toBe(422);
      expect(refused.body.errors).toMatchObject([{ field: query.split("=")[0] }]);
      expect((await api("GET", `/reports/on_call_hours.csv?${JANUARY}&${query}`)).status).toBe(422);
    }
  });

  test("have names in CSV that no spreadsheet takes for formulas", async () => {
    const rota = await makeRota("A");
    const { body: evil } = await rota.account.api("POST", "/account_users", {
      user_attributes: {
        name: '=HYPERLINK("https://x","y")',
        emails_attributes: [{ email: `formula.${Date.now()}@example.com` }],
      },
    });
    const { body } = await rota.account.api("POST", "/events", {
      ...shift("2026-01-12T10:00:00Z", "2026-01-12T11:00:00Z"),
      ...{ layer: 1, time_zone: "UTC", schedule_ids: [rota.scheduleId] },
      account_user_ids: [evil.id],
    });
    expect(body.id).toBeDefined();
    const { text } = await rota.account.api("GET", `/reports/on_call_hours.csv?${JANUARY}`);
    expect(text).toContain(`\r\n"'=HYPERLINK(""https://x"",""y"")",${evil.id},1.00,`);
  });

  test.each([
    ["", 422, "start"],
    ["start=2026-01-01 00:00:00&end=2027-01-02 00:00:01", 422, "end"],
    ["start=yesterday&end=2026-02-01 00:00:00", 400, "start"],
    [`${JANUARY}&time_zone=Nowhere`, 422, "time_zone"],
    [`${JANUARY}&night_start=25:00`, 422, "night_start"],
    [`${JANUARY}&weekend_days=8`, 422, "weekend_days"],
    [`${JANUARY}&holiday_region=DE-XX`, 422, "holiday_region"],
    ["start=2036-06-01 00:00:00&end=2037-02-01 00:00:00&holiday_region=DE", 422, "holiday_region"],
    [`${JANUARY}&schedule_ids=nothing`, 422, "schedule_ids"],
  ])("are refused for %s", async (query, status, field) => {
    const { api } = await makeAccount();
    for (const name of ["on_call_hours", "on_call_hours.csv"]) {
      const reply = await api("GET", `/reports/${name}?${query}`);
      expect(reply.status).toBe(status);
      expect(reply.body.errors[0].field).toBe(field);
    }
  });

  test("as CSV are refused for an unknown kind of row; a year is not too long", async () => {
    const { api } = await makeAccount();
    const by = await api("GET", `/reports/on_call_hours.csv?${JANUARY}&by=team`);
    expect([by.status, by.body.errors[0].field]).toEqual([422, "by"]);
    const year = "start=2026-01-01 00:00:00&end=2027-01-02 00:00:00&holiday_region=US-CA";
    const { status, body } = await api("GET", `/reports/on_call_hours?${year}`);
    expect(status).toBe(200);
    expect(body.holidays.length).toBeGreaterThan(10);
  });
});
