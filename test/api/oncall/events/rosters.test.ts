// The rosters of a series through the API: a change of its people leaves who was, and who is, on
// call as it was (contract 4, Rosters).
import { describe, expect, test } from "vitest";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

/** 09:00 UTC, `days` from today. */
const nine = (days: number) => Math.floor(Date.now() / DAY) * DAY + 9 * HOUR + days * DAY;

/** The start of the shift that is running; shifts change at 09:00 UTC. */
const running = () => (nine(0) > Date.now() ? nine(-1) : nine(0));

/** A daily rotation that began ten shifts ago. */
const rotation = (rota: Rota, who: string, more: Record<string, unknown> = {}) =>
  rota.event(who, {
    start_datetime: iso(running() - 10 * DAY),
    end_datetime: iso(running() - 9 * DAY),
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
    ...more,
  });

/** Who is on call in the shifts from some days before the running one to some days after it. */
async function turns(rota: Rota, before: number, after: number) {
  const window = await rota.window(iso(running() - before * DAY), iso(running() + after * DAY));
  return window.map((it) => it.replace(/^.* /, "")).join(" ");
}

const put = (rota: Rota, id: string, body: Record<string, unknown>, query = "") =>
  rota.account.api("PUT", `/events/${id}${query}`, body);

describe("a change of a rotation's people", () => {
  test("takes effect at the next handoff, whoever joins", async () => {
    const rota = await makeRota("ABCD");
    const event = await rotation(rota, "ABC");
    const past = await turns(rota, 10, 1);
    expect(past).toBe("A B C A B C A B C A B");
    const changed = await put(rota, event.id, { account_user_ids: rota.ids("ADBC") });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({
      account_user_ids: rota.ids("ADBC"),
      effective_at: iso(running() + DAY),
    });
    expect(await turns(rota, 10, 6)).toBe(`${past} C A D B C`);
    expect(await rota.now()).toEqual(["1 B"]);
    const { body: read } = await rota.account.api("GET", `/events/${event.id}`);
    const positions = (who: string) => rota.ids(who).map((id) => [id]);
    expect(read.rosters).toEqual([
      { from: null, until: iso(running() + DAY), rotation: true, positions: positions("ABC") },
      { from: iso(running() + DAY), until: null, rotation: true, positions: positions("ADBC") },
    ]);
    const again = await put(rota, event.id, read);
    expect(again.status, again.text).toBe(200);
    expect(await turns(rota, 10, 6), "what was read is sent back").toBe(`${past} C A D B C`);
  });

  test("lets those who are taken out serve their shift, unless it is for now", async () => {
    const rota = await makeRota("ABC");
    const later = await rotation(rota, "ABC");
    await put(rota, later.id, { account_user_ids: rota.ids("AC") });
    expect(await turns(rota, 1, 4)).toBe("A B C A C");
    await rota.account.api("DELETE", `/events/${later.id}`);
    const now = await rotation(rota, "ABC");
    await put(rota, now.id, { account_user_ids: rota.ids("AC"), effective_at: "now" });
    expect(await turns(rota, 1, 4)).toBe("A B C A C A");
    expect(await rota.now()).toEqual(["1 C"]);
  });

  test.each([
    ["next_handoff", "B C D A B C D"],
    ["after_full_rotation", "B C D A B C D"],
    ["in two days", "B C D A B C D"],
  ])("may be planned: %s", async (when, expected) => {
    const rota = await makeRota("ABCD");
    const event = await rotation(rota, "ABC");
    const at = when === "in two days" ? iso(running() + 2 * DAY) : when;
    const body = { account_user_ids: rota.ids("ABCD"), effective_at: at };
    const changed = await put(rota, event.id, body);
    expect(changed.status, changed.text).toBe(200);
    expect(await turns(rota, 0, 7)).toBe(expected);
  });

  test("is refused for the past, and for what is no time", async () => {
    const rota = await makeRota("AB");
    const event = await rotation(rota, "AB");
    for (const effective_at of [iso(Date.now() - HOUR), "2026-03-02", "soon", 7]) {
      const body = { account_user_ids: rota.ids("BA"), effective_at };
      const refused = await put(rota, event.id, body);
      expect([refused.status, faultyFields(refused)]).toEqual([422, ["effective_at"]]);
    }
    expect(await turns(rota, 1, 2)).toBe("B A B");
  });

  test("does not rewrite the hours of the last weeks", async () => {
    const rota = await makeRota("ABC");
    const event = await rotation(rota, "AB");
    const hours = async () => {
      const query = `start=${iso(running() - 8 * DAY)}&end=${iso(running())}`;
      const { body } = await rota.account.api(
        "GET",
        `/schedules/${rota.scheduleId}/coverage?${query}`,
      );
      return body.people;
    };
    const before = await hours();
    await put(rota, event.id, { account_user_ids: rota.ids("ABC"), effective_at: "now" });
    expect(await hours()).toEqual(before);
  });

  test("of a shift without rotation is for now, and the hours before stay", async () => {
    const rota = await makeRota("AB");
    const event = await rota.event("A", {
      start_datetime: iso(Date.now() - 2 * HOUR),
      end_datetime: iso(Date.now() + 2 * HOUR),
    });
    await put(rota, event.id, { account_user_ids: rota.ids("B") });
    expect(await rota.now()).toEqual(["1 B"]);
    const window = await rota.window(iso(Date.now() - 3 * HOUR), iso(Date.now() + 3 * HOUR));
    expect(window.map((it) => it.slice(-1))).toEqual(["A", "B"]);
  });
});

describe("a new rotation", () => {
  test("serves nobody before its effective_at, and keeps its turns", async () => {
    const rota = await makeRota("ABC");
    await rotation(rota, "ABC", { effective_at: "next_handoff" });
    expect(await turns(rota, 10, 4)).toBe("C A B");
    expect(await rota.now()).toEqual([]);
  });

  test("has groups, repeated people and empty turns", async () => {
    const rota = await makeRota("ABC");
    const [a = "", b = "", c = ""] = rota.ids("ABC");
    const event = await rotation(rota, "", {
      account_user_ids: undefined,
      positions: [[a, b], [], [c], [a]],
    });
    expect(await turns(rota, 10, 0)).toBe("AB C A AB C A AB");
    expect(event).toMatchObject({
      positions: [[a, b], [], [c], [a]],
      account_user_ids: [a, b, null, c, a],
    });
    const wrong = await put(rota, event.id, { positions: [[a]], account_user_ids: [b] });
    expect([wrong.status, faultyFields(wrong)]).toEqual([422, ["positions"]]);
    const ungrouped = await put(rota, event.id, { account_user_ids: [a, b, c] });
    expect(ungrouped.body.positions).toEqual([[a], [b], [c]]);
  });
});

describe("a person who leaves the account", () => {
  test("leaves the rotation now; what the person served stays", async () => {
    const rota = await makeRota("ABC");
    const event = await rotation(rota, "ABC");
    const ended = await rota.event("B", {
      layer: 2,
      start_datetime: iso(running() - 5 * DAY),
      end_datetime: iso(running() - 4 * DAY),
    });
    const before = await turns(rota, 10, 0);
    expect(await rota.now()).toEqual(["1 B"]);
    const gone = await rota.account.api("DELETE", `/account_users/${rota.people.get("B")}`);
    expect(gone.status, gone.text).toBe(204);
    expect(await turns(rota, 10, 0)).toBe(before);
    expect(await rota.now(), "the next in line serves out the shift").toEqual(["1 C"]);
    expect(await turns(rota, 0, 4)).toBe("B C A C A");
    const { body: stored } = await rota.account.api("GET", `/events/${event.id}`);
    expect(stored.account_user_ids).toEqual(rota.ids("AC"));
    const { body: shift } = await rota.account.api("GET", `/events/${ended.id}`);
    expect(shift.account_user_ids).toEqual([]);
    const { body: report } = await rota.account.api(
      "GET",
      `/reports/people?start=${iso(running() - 6 * DAY)}&end=${iso(running())}`,
    );
    const served = report.by_person?.find(
      (it: { account_user_id: string }) => it.account_user_id === rota.people.get("B"),
    );
    expect(served?.hours).toBeGreaterThan(24);
  });

  test("also leaves what is planned", async () => {
    const rota = await makeRota("ABCD");
    const event = await rotation(rota, "ABC");
    const at = iso(running() + 2 * DAY);
    await put(rota, event.id, { account_user_ids: rota.ids("ABCD"), effective_at: at });
    await rota.account.api("DELETE", `/account_users/${rota.people.get("C")}`);
    expect(await turns(rota, 0, 6)).toBe("B A B D A B");
  });

  test("gives hours of an override back to those it replaced", async () => {
    const rota = await makeRota("ABC");
    const event = await rotation(rota, "AB");
    const from = running();
    const made = await rota.amend(event.id, "override", {
      action_time: iso(from),
      start_time: iso(from),
      end_time: iso(from + DAY),
      layer: 1,
      time_zone: "UTC",
      account_user_ids: rota.ids("C"),
    });
    expect(made.status, made.text).toBe(201);
    expect(await rota.now()).toEqual(["1 C"]);
    await rota.account.api("DELETE", `/account_users/${rota.people.get("C")}`);
    expect(await rota.now()).toEqual(["1 A"]);
    expect(await turns(rota, 0, 1)).toMatch(/^(A C|C A)$/);
  });
});

describe("who is on call by a former roster", () => {
  test("is paged until the change takes effect", async () => {
    const rota = await makeRota("AB");
    const event = await rotation(rota, "B");
    await put(rota, event.id, { account_user_ids: rota.ids("A") });
    expect(await rota.now()).toEqual(["1 B"]);
    const draft = { title: "Disk full", urgency: "high", destination_team_ids: [rota.teamId] };
    const preview = await rota.account.api("POST", "/alerts/preview", draft);
    expect(JSON.stringify(preview.body), preview.text).toContain(rota.people.get("B") ?? "none");
    const { body: alert } = await rota.account.api("POST", "/alerts", draft);
    const { body } = await rota.account.api("GET", `/alerts/${alert.id}/workflows`);
    expect(body.data[0].account_user_ids).toEqual(rota.ids("B"));
  });
});

describe("restrictions", () => {
  const WEEK = { frequency: 1, frequency_unit: "weekly", repeat: true, rotation: true };
  const monday = { start_datetime: "2026-03-02T09:00:00Z", end_datetime: "2026-03-09T09:00:00Z" };

  test("give a weekly rotation business hours only", async () => {
    const rota = await makeRota("AB");
    const weekdays = { days_of_week: [1, 2, 3, 4, 5], start_time: "08:00", end_time: "17:00" };
    await rota.event("AB", { ...WEEK, ...monday, restrictions: [weekdays] });
    const window = await rota.window("2026-03-06T00:00:00Z", "2026-03-10T00:00:00Z");
    expect(window).toEqual([
      "1 2026-03-06T08:00Z..2026-03-06T17:00Z A",
      "1 2026-03-09T08:00Z..2026-03-09T09:00Z A",
      "1 2026-03-09T09:00Z..2026-03-09T17:00Z B",
    ]);
  });

  test("join nights and weekends across midnight, on the event's wall clock", async () => {
    const rota = await makeRota("AB");
    await rota.event("AB", {
      ...WEEK,
      start_datetime: "2026-03-23T17:00:00Z",
      end_datetime: "2026-03-30T16:00:00Z",
      time_zone: "London",
      restrictions: [
        { days_of_week: [1, 2, 3, 4, 5], start_time: "17:00", end_time: "09:00" },
        { days_of_week: [6, 0], start_time: "09:00", end_time: "09:00" },
      ],
    });
    const window = await rota.window("2026-03-26T12:00:00Z", "2026-03-31T12:00:00Z");
    expect(window).toEqual([
      "1 2026-03-26T17:00Z..2026-03-27T09:00Z A",
      "1 2026-03-27T17:00Z..2026-03-30T08:00Z A",
      "1 2026-03-30T16:00Z..2026-03-31T08:00Z B",
    ]);
  });

  test("name every fault", async () => {
    const rota = await makeRota("A");
    const restrictions = [{ start_time: "25:00", end_time: "24:30", days_of_week: [7] }, "nights"];
    const refused = await rota.account.api("POST", "/events", {
      ...WEEK,
      ...monday,
      layer: 1,
      time_zone: "UTC",
      schedule_ids: [rota.scheduleId],
      account_user_ids: rota.ids("A"),
      restrictions,
    });
    expect([refused.status, new Set(faultyFields(refused))]).toEqual([
      422,
      new Set([
        "restrictions[0].days_of_week[0]",
        "restrictions[0].end_time",
        "restrictions[0].start_time",
        "restrictions[1]",
      ]),
    ]);
  });

  test("let a part be removed, and named by its start", async () => {
    const rota = await makeRota("AB");
    const daily = { start_time: "08:00", end_time: "17:00" };
    const event = await rota.event("AB", { ...WEEK, ...monday, restrictions: [daily] });
    const path = `/events/${event.id}/occurrence?action_time=2026-03-04T08:00:00Z`;
    const { body: occurrence } = await rota.account.api("GET", path);
    expect(occurrence).toMatchObject({ part_end_time: "2026-03-04T17:00:00.000Z", parts: 8 });
    const removed = await rota.amend(event.id, "remove_part", {
      action_time: "2026-03-04T08:00:00Z",
    });
    expect(removed.status, removed.text).toBe(200);
    const window = await rota.window("2026-03-03T00:00:00Z", "2026-03-06T00:00:00Z");
    expect(window).toEqual([
      "1 2026-03-03T08:00Z..2026-03-03T17:00Z A",
      "1 2026-03-05T08:00Z..2026-03-05T17:00Z A",
    ]);
  });
});

describe("priority", () => {
  test("takes precedence on its layer in its hours, also with nobody", async () => {
    const rota = await makeRota("ABC");
    await rota.event("A", {
      start_datetime: "2026-12-20T00:00:00Z",
      end_datetime: "2027-01-05T00:00:00Z",
    });
    await rota.event("A", {
      layer: 2,
      start_datetime: "2026-12-20T00:00:00Z",
      end_datetime: "2027-01-05T00:00:00Z",
    });
    await rota.event("B", {
      priority: 1,
      start_datetime: "2026-12-24T00:00:00Z",
      end_datetime: "2026-12-27T00:00:00Z",
    });
    const quiet = await rota.account.api("POST", "/events", {
      layer: 1,
      priority: 2,
      time_zone: "UTC",
      schedule_ids: [rota.scheduleId],
      account_user_ids: [],
      start_datetime: "2026-12-25T00:00:00Z",
      end_datetime: "2026-12-26T00:00:00Z",
    });
    expect(quiet.status, quiet.text).toBe(201);
    const all = [
      "1 2026-12-20T00:00Z..2026-12-24T00:00Z A",
      "1 2026-12-24T00:00Z..2026-12-25T00:00Z B",
      "1 2026-12-26T00:00Z..2026-12-27T00:00Z B",
      "1 2026-12-27T00:00Z..2027-01-05T00:00Z A",
      "2 2026-12-20T00:00Z..2027-01-05T00:00Z A",
    ];
    expect(await rota.window("2026-12-20T00:00:00Z", "2027-01-05T00:00:00Z")).toEqual(all);
    const part = await rota.window("2026-12-28T00:00:00Z", "2026-12-29T00:00:00Z");
    expect(part[0], "the same part, whatever the window").toBe(all[3]);
    const empty = await put(rota, quiet.body.id, { priority: 0, account_user_ids: [] });
    expect([empty.status, faultyFields(empty)]).toEqual([422, ["account_user_ids"]]);
  });
});
