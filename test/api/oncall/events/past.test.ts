// Who was on call stays, whatever is written, unless the write corrects the past.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { retire } from "../../../../src/features/operations/retention/retention.ts";
import { call } from "../../../support/api/api.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Monday 2 March 2026, 09:00 UTC. */
const START = Date.UTC(2026, 2, 2, 9);
const iso = (at: number) => new Date(at).toISOString();
const nine = (day: number) => iso(START + day * DAY);

let rota: Rota;
let event: any;

/** Who was on call at 10:00 of each of the first seven days, and at 10:00 of the coming three. */
async function served(): Promise<string> {
  const { body } = await rota.account.api(
    "GET",
    `/schedules/${rota.scheduleId}/window_events?start=${nine(0)}&end=${nine(10)}`,
  );
  const at = (day: number) =>
    body
      .filter((it: any) => it.start_time <= iso(START + day * DAY + HOUR))
      .filter((it: any) => it.end_time > iso(START + day * DAY + HOUR))
      .map((it: any) => rota.letters(it.attendees.map((one: any) => one.attendee_id)))
      .join("+") || "-";
  return Array.from({ length: 10 }, (_, day) => at(day)).join("");
}

const api: Rota["account"]["api"] = (...request) => rota.account.api(...request);

const override = (day: number, query = "") =>
  api("POST", `/events/${event.id}/override${query}`, {
    action_time: nine(day),
    start_time: `2026-03-0${2 + day} 09:00`,
    end_time: `2026-03-0${2 + day} 12:00`,
    layer: 1,
    time_zone: "UTC",
    account_user_ids: rota.ids("D"),
  });

async function latestChange() {
  const { body } = await api("GET", `/schedules/${rota.scheduleId}/changes?limit=1`);
  return body.data[0];
}

const undoLatest = async () =>
  api("POST", `/schedules/${rota.scheduleId}/changes/${(await latestChange()).id}/undo`);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  rota = await makeRota("ABCD");
  event = await rota.event("ABC", {
    ...{ start_datetime: nine(0), end_datetime: nine(1), rotation: true },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
  });
  vi.setSystemTime(START + 6 * DAY + 12 * HOUR);
  expect(await served()).toBe("ABCABCABCA");
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a write", () => {
  test("of the rule counts from now on, and leaves whole the shift that runs on", async () => {
    expect((await api("PUT", `/events/${event.id}`, { frequency: 2 })).status).toBe(200);
    expect(await served()).toBe("ABCABCA-B-");
    const { body: entries } = await api(
      "GET",
      `/schedules/${rota.scheduleId}/window_events?start=${nine(6)}&end=${nine(7)}`,
    );
    expect(entries.map((it: any) => [it.start_time, it.end_time, it.event_id])).toEqual([
      [nine(6), nine(7), event.id],
    ]);
  });

  test("of hours that are left of a shift finds it by its new start", async () => {
    // From now on B's: the rotation counts from another day.
    const begun = { start_datetime: nine(-1), end_datetime: nine(0) };
    expect((await api("PUT", `/events/${event.id}`, begun)).status).toBe(200);
    expect(await served()).toBe("ABCABCACAB");
    const now = iso(Date.now());
    expect(await rota.window(nine(6), nine(7))).toEqual([
      `1 ${nine(6).replace(":00.000Z", "Z")}..${now.replace(":00.000Z", "Z")} A`,
      `1 ${now.replace(":00.000Z", "Z")}..${nine(7).replace(":00.000Z", "Z")} B`,
    ]);
    const read = (at: string) => api("GET", `/events/${event.id}/occurrence?action_time=${at}`);
    expect((await read(now)).body).toMatchObject({
      ...{ start_time: nine(6), end_time: nine(7) },
      ...{ part_start_time: now, part_end_time: nine(7), parts: 2 },
      attendees: [{ attendee_id: rota.ids("B")[0] }],
    });
    expect((await read(nine(6))).body.attendees).toMatchObject([{ attendee_id: rota.ids("A")[0] }]);
    const removed = await api("POST", `/events/${event.id}/remove_part`, { action_time: now });
    expect(removed.status, removed.text).toBe(200);
    expect(await rota.window(nine(6), nine(7))).toEqual([
      `1 ${nine(6).replace(":00.000Z", "Z")}..${now.replace(":00.000Z", "Z")} A`,
    ]);
  });

  test("of past hours is accepted and changes nothing, in the preview too", async () => {
    const preview = await override(2, "?preview=true");
    expect(preview.body.unchanged, preview.text).toBe(true);
    expect((await override(2)).status).toBe(201);
    expect(await served()).toBe("ABCABCABCA");
  });

  test("that deletes leaves what was served, which has no event any more", async () => {
    const feed = await api("POST", `/schedules/${rota.scheduleId}/feeds`, {});
    expect((await api("DELETE", `/events/${event.id}`)).status).toBe(204);
    expect((await api("GET", `/events/${event.id}`)).status).toBe(404);
    expect(await served()).toBe("ABCABCA---");
    expect(await rota.now()).toEqual([]);
    const { body: own } = await api(
      "GET",
      `/account_users/${rota.ids("B")[0]}/window_events?start=${nine(0)}&end=${nine(7)}`,
    );
    expect(own.map((it: any) => it.start_time)).toEqual([nine(1), nine(4)]);
    const path = `${new URL(feed.body.url).pathname}?from=2026-03-02&to=2026-03-09`;
    expect((await call("GET", path)).text).toContain("SUMMARY:B");
    const restored = await undoLatest();
    expect(restored.status, restored.text).toBe(201);
    expect(await served()).toBe("ABCABCABCA");
  });

  test("of schedules leaves what was served in those that the event leaves", async () => {
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    const moved = { schedule_ids: [other.id] };
    expect((await api("PUT", `/events/${event.id}`, moved)).status).toBe(200);
    expect(await served()).toBe("ABCABCA---");
    const there = `/schedules/${other.id}/window_events?start=${nine(0)}&end=${nine(8)}`;
    const { body: entries } = await api("GET", there);
    expect(entries.map((it: any) => it.start_time)).toEqual([iso(Date.now()), nine(7)]);
  });

  test("of an event that was just made, or of hours before, shows at once", async () => {
    const { body: made } = await api("POST", "/events", {
      ...{ start_datetime: nine(1), end_datetime: nine(2), layer: 2, time_zone: "UTC" },
      ...{ account_user_ids: rota.ids("D"), schedule_ids: [rota.scheduleId] },
    });
    expect(await rota.window(nine(1), nine(2))).toHaveLength(2);
    vi.setSystemTime(Date.now() + 2 * DAY);
    expect((await api("PUT", `/events/${made.id}`, { layer: 3 })).status).toBe(200);
    expect((await rota.window(nine(1), nine(2))).map((it) => it.slice(0, 1))).toEqual(["1", "3"]);
    expect((await api("DELETE", `/events/${made.id}`)).status).toBe(204);
    expect(await rota.window(nine(1), nine(2))).toHaveLength(1);
  });
});

describe("a correction of the past", () => {
  test("of a shift that the series does not have any more", async () => {
    await api("PUT", `/events/${event.id}`, { frequency: 2 });
    vi.setSystemTime(Date.now() + HOUR);
    const before = await served();
    const shown = await api("GET", `/events/${event.id}/occurrence?action_time=${nine(3)}`);
    expect(shown.body, shown.text).toMatchObject({
      ...{ part_start_time: nine(3), part_end_time: nine(4), parts: 1 },
      attendees: [{ attendee_id: rota.ids("A")[0] }],
    });
    expect((await override(3, "?corrects_past=true")).status).toBe(201);
    expect(await served()).toBe(before.replace(/^ABCA/, "ABCD"));
    const rest = { action_time: nine(3) };
    expect((await api("POST", `/events/${event.id}/remove_part`, rest)).status).toBe(422);
  });

  test("by an override changes its hours only, and is undone", async () => {
    await api("PUT", `/events/${event.id}`, { frequency: 2 });
    const before = await served();
    vi.setSystemTime(Date.now() + HOUR);
    const preview = await override(2, "?corrects_past=true&preview=true");
    expect(preview.body.unchanged, preview.text).toBe(false);
    const corrected = await override(2, "?corrects_past=true");
    expect(corrected.status, corrected.text).toBe(201);
    expect(await served()).toBe(before.replace(/^ABC/, "ABD"));
    expect(await rota.window(nine(2), iso(START + 2 * DAY + 4 * HOUR))).toHaveLength(2);
    const change = await latestChange();
    expect(change).toMatchObject({ verb: "create", corrects_past: true });
    expect(change.hours.map((it: any) => rota.letters([it.account_user_id]))).toContain("D");
    vi.setSystemTime(Date.now() + HOUR);
    expect((await undoLatest()).status).toBe(201);
    expect(await served()).toBe(before);
  });

  test("by a change of the rule changes all hours from the first that differ on", async () => {
    await api("PUT", `/events/${event.id}`, { layer: 2 });
    vi.setSystemTime(Date.now() + HOUR);
    const corrected = await api("PUT", `/events/${event.id}?corrects_past=true`, { frequency: 2 });
    expect(corrected.status, corrected.text).toBe(200);
    expect(await served()).toBe("A-B-C-A-B-");
    vi.setSystemTime(Date.now() + HOUR);
    expect((await undoLatest()).status).toBe(201);
    const entries = await rota.window(nine(0), nine(6));
    expect(entries.map((it) => it.slice(0, 1) + it.slice(-1))).toEqual(
      [..."ABCABC"].map((it) => `1${it}`),
    );
  });

  test("by a deletion leaves nothing, until it is undone", async () => {
    await api("PUT", `/events/${event.id}`, { frequency: 2 });
    vi.setSystemTime(Date.now() + HOUR);
    const before = await served();
    const deleted = await api("DELETE", `/events/${event.id}?corrects_past=true`);
    expect(deleted.status, deleted.text).toBe(204);
    expect(await served()).toBe("----------");
    vi.setSystemTime(Date.now() + HOUR);
    expect((await undoLatest()).status).toBe(201);
    expect(await served()).toBe(before);
  });

  test("is for admins of the teams concerned, and of writes that can have it", async () => {
    const { body: team } = await api("GET", `/teams/${rota.teamId}`);
    const member = rota.colleagues.get("B");
    expect(team.admin_account_user_ids).not.toContain(member?.id);
    const path = `/events/${event.id}`;
    const asMember = await member?.api("DELETE", `${path}?corrects_past=true`);
    expect(asMember?.status).toBe(403);
    for (const [method, at, body] of [
      ["DELETE", `${path}?corrects_past=maybe`],
      ["POST", `${path}/take_over?corrects_past=true`, { action_time: nine(7) }],
      ["PUT", `/schedules/${rota.scheduleId}?corrects_past=true`, { name: "Renamed" }],
    ] as const) {
      const refused = await api(method, at, body);
      expect([refused.status, faultyFields(refused)], at).toEqual([422, ["corrects_past"]]);
    }
    expect(await served()).toBe("ABCABCABCA");
  });
});

test("what was served longer ago than records are kept is forgotten", async () => {
  await api("DELETE", `/events/${event.id}`);
  const count = () =>
    env.DB.prepare("select count(*) as count from past_events where account_id = ?")
      .bind(rota.account.accountId)
      .first<number>("count");
  expect(await count()).toBe(1);
  await retire(env, Date.now() + 399 * DAY);
  expect(await count()).toBe(1);
  await retire(env, Date.now() + 401 * DAY);
  expect(await count()).toBe(0);
});
