// Overrides through the API: which hours of their parent they replace, who may create them, and
// that an alert notifies the override's person.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeAccount } from "../../../support/api/api.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { soon } from "../../../support/worker/faults.ts";
import { untilQuiet } from "../../../support/worker/round-trips.ts";

const DAY = 86_400_000;

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

/** The body of an override request in UTC on layer 1; `times`: action, start and end. */
const overrideBody = (rota: Rota, who: string, times: readonly [string, string, string]) => ({
  action_time: times[0],
  start_time: times[1],
  end_time: times[2],
  layer: 1,
  time_zone: "UTC",
  account_user_ids: rota.ids(who),
});

async function createOverride(rota: Rota, id: string, body: unknown) {
  const reply = await rota.amend(id, "override", body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

const activeUntil = (eventId: string) =>
  env.DB.prepare("select active_until from event_schedules where event_id = ?")
    .bind(eventId)
    .first("active_until");

describe("an override", () => {
  test("splits its occurrence into before, override and after, and leaves the others unchanged", async () => {
    const rota = await makeRota();
    const event = await dailyRotation(rota);
    const override = await createOverride(rota, event.prefix_id, {
      ...overrideBody(rota, "C", ["2026-03-03T09:00:00Z", "2026-03-03 12:00", "2026-03-03 15:30"]),
      account_user_ids: rota.ids("CA"),
      meta: { why: "dentist" },
    });
    expect(override).toMatchObject({
      parent_id: event.id,
      start_datetime: "2026-03-03T12:00:00.000Z",
      end_datetime: "2026-03-03T15:30:00.000Z",
      layer: 1,
      time_zone: "UTC",
      repeat: false,
      rotation: false,
      schedule_ids: [rota.scheduleId],
      account_user_ids: rota.ids("CA"),
      meta: { why: "dentist" },
    });
    expect(await rota.window("2026-03-02T09:00:00Z", "2026-03-05T09:00:00Z")).toEqual([
      "1 2026-03-02T09:00Z..2026-03-03T09:00Z A",
      "1 2026-03-03T09:00Z..2026-03-03T12:00Z B",
      "1 2026-03-03T12:00Z..2026-03-03T15:30Z CA",
      "1 2026-03-03T15:30Z..2026-03-04T09:00Z B",
      "1 2026-03-04T09:00Z..2026-03-05T09:00Z C",
    ]);
    expect(await rota.window("2026-03-04T08:00:00Z", "2026-03-04T09:00:00Z")).toEqual([
      "1 2026-03-03T15:30Z..2026-03-04T09:00Z B",
    ]);
    expect(await activeUntil(override.id)).toBe(Date.parse("2026-03-04T09:00:00Z"));
  });

  test("can itself be overridden, as can the remaining part of its occurrence", async () => {
    const rota = await makeRota("ABCDE");
    const event = await dailyRotation(rota);
    const action = "2026-03-02T09:00:00Z";
    const first = await createOverride(
      rota,
      event.id,
      overrideBody(rota, "D", [action, "2026-03-02 12:00", "2026-03-02 18:00"]),
    );
    const second = await createOverride(
      rota,
      first.id,
      overrideBody(rota, "E", ["2026-03-02T12:00:00Z", "2026-03-02 13:00", "2026-03-02 14:00"]),
    );
    expect(second.parent_id).toBe(first.id);
    const after = await createOverride(
      rota,
      event.id,
      overrideBody(rota, "C", ["2026-03-02T18:00:00Z", "2026-03-02 20:00", "2026-03-02 21:00"]),
    );
    expect(after.parent_id).toBe(event.id);
    expect(await rota.window(action, "2026-03-03T09:00:00Z")).toEqual([
      "1 2026-03-02T09:00Z..2026-03-02T12:00Z A",
      "1 2026-03-02T12:00Z..2026-03-02T13:00Z D",
      "1 2026-03-02T13:00Z..2026-03-02T14:00Z E",
      "1 2026-03-02T14:00Z..2026-03-02T18:00Z D",
      "1 2026-03-02T18:00Z..2026-03-02T20:00Z A",
      "1 2026-03-02T20:00Z..2026-03-02T21:00Z C",
      "1 2026-03-02T21:00Z..2026-03-03T09:00Z A",
    ]);
    expect((await rota.account.api("DELETE", `/events/${first.id}`)).status).toBe(204);
    expect(await rota.window(action, "2026-03-02T20:00:00Z")).toEqual([
      "1 2026-03-02T09:00Z..2026-03-02T13:00Z A",
      "1 2026-03-02T13:00Z..2026-03-02T14:00Z E",
      "1 2026-03-02T14:00Z..2026-03-02T20:00Z A",
    ]);
  });

  test("is newer than those made before it, in one millisecond or by a clock that is ahead", async () => {
    const rota = await makeRota();
    const event = await dailyRotation(rota);
    const body = (who: string) =>
      overrideBody(rota, who, ["2026-03-03T09:00:00Z", "2026-03-03 12:00", "2026-03-03 15:30"]);
    const serving = async () =>
      (await rota.window("2026-03-03T12:30:00Z", "2026-03-03T12:31:00Z")).map((it) => it.at(-1));
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
    for (const who of "CACABCAC") {
      await createOverride(rota, event.id, body(who));
      expect(await serving()).toEqual([who]);
    }
    vi.setSystemTime(Date.now() - 20);
    await createOverride(rota, event.id, body("B"));
    expect(await serving()).toEqual(["B"]);
  });

  test("that is longer than its occurrence replaces the parent's people for its whole duration", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    await createOverride(
      rota,
      event.id,
      overrideBody(rota, "D", ["2026-03-03T09:00:00Z", "2026-03-02 21:00", "2026-03-05 10:00"]),
    );
    expect(await rota.window("2026-03-02T09:00:00Z", "2026-03-06T09:00:00Z")).toEqual([
      "1 2026-03-02T09:00Z..2026-03-02T21:00Z A",
      "1 2026-03-02T21:00Z..2026-03-05T10:00Z D",
      "1 2026-03-05T10:00Z..2026-03-06T09:00Z A",
    ]);
  });

  test("is on call on its own layer, and the parent's people are not on call meanwhile", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    const body = overrideBody(rota, "D", [
      "2026-03-02T09:00:00Z",
      "2026-03-02 12:00",
      "2026-03-02 13:00",
    ]);
    await createOverride(rota, event.id, { ...body, layer: 2 });
    expect(await rota.window("2026-03-02T09:00:00Z", "2026-03-03T09:00:00Z")).toEqual([
      "1 2026-03-02T09:00Z..2026-03-02T12:00Z A",
      "1 2026-03-02T13:00Z..2026-03-03T09:00Z A",
      "2 2026-03-02T12:00Z..2026-03-02T13:00Z D",
    ]);
  });

  test.each([
    ["spring", "2026-03-07", "2026-03-08", "-05:00", "-04:00"],
    ["autumn", "2026-10-31", "2026-11-01", "-04:00", "-05:00"],
  ])("follows its zone's wall clock across the %s change", async (_, day, next, was, is) => {
    const rota = await makeRota("ABCD");
    const event = await rota.event("AB", {
      time_zone: "Eastern Time (US & Canada)",
      start_datetime: `2026-03-01T20:00:00-05:00`,
      end_datetime: `2026-03-02T20:00:00-05:00`,
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
    });
    await createOverride(rota, event.id, {
      ...overrideBody(rota, "D", [`${day}T20:00:00${was}`, `${day} 23:00`, `${next} 06:30`]),
      time_zone: "Eastern Time (US & Canada)",
    });
    const utc = (iso: string) => new Date(iso).toISOString().replace(":00.000Z", "Z");
    expect(await rota.window(`${next}T02:00:00Z`, `${next}T20:00:00Z`)).toEqual([
      `1 ${utc(`${day}T20:00:00${was}`)}..${utc(`${day}T23:00:00${was}`)} AB`,
      `1 ${utc(`${day}T23:00:00${was}`)}..${utc(`${next}T06:30:00${is}`)} D`,
      `1 ${utc(`${next}T06:30:00${is}`)}..${utc(`${next}T20:00:00${is}`)} AB`,
    ]);
  });

  test("is also created by POST /events with parent_id, for the occurrence that contains its start", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    const child = await rota.event("D", {
      parent_id: event.prefix_id,
      start_datetime: "2026-03-03T12:00:00Z",
      end_datetime: "2026-03-03T13:00:00Z",
    });
    expect(child).toMatchObject({ parent_id: event.id, schedule_ids: [rota.scheduleId] });
    const { body } = await rota.account.api("GET", `/events?parent_id=${event.prefix_id}`);
    expect(body).toMatchObject({ data: [{ id: child.id }], total_count: 1 });
    expect(await rota.window("2026-03-03T10:00:00Z", "2026-03-04T09:00:00Z")).toEqual([
      "1 2026-03-03T09:00Z..2026-03-03T12:00Z B",
      "1 2026-03-03T12:00Z..2026-03-03T13:00Z D",
      "1 2026-03-03T13:00Z..2026-03-04T09:00Z B",
    ]);
    const early = {
      parent_id: event.id,
      start_datetime: "2026-03-02T08:00:00Z",
      end_datetime: "2026-03-02T10:00:00Z",
      layer: 1,
      time_zone: "UTC",
      account_user_ids: rota.ids("D"),
    };
    const refused = await rota.account.api("POST", "/events", early);
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["start_datetime"]]);
    expect(refused.body.errors[0].message).toContain("2026-03-02T09:00:00.000Z");
  });

  test("names every invalid field", async () => {
    const rota = await makeRota();
    const event = await dailyRotation(rota);
    const nothing = await rota.amend(event.id, "override", {});
    expect([nothing.status, faultyFields(nothing)]).toEqual([
      422,
      ["account_user_ids", "action_time", "end_time", "layer", "start_time", "time_zone"],
    ]);
    const times = ["2026-03-03T09:00:00Z", "2026-03-03 12:00", "2026-03-03 13:00"] as const;
    const good = overrideBody(rota, "C", times);
    const refusals: [Record<string, unknown>, string[]][] = [
      [{ start_time: "noon" }, ["start_time"]],
      [{ end_time: "2026-03-03 12:00" }, ["end_time"]],
      [{ end_time: "2027-03-04 12:01" }, ["end_time"]],
      [{ time_zone: "Europe/London", end_time: "later" }, ["end_time", "time_zone"]],
      [{ account_user_ids: [] }, ["account_user_ids"]],
      [{ action_time: "2026-03-03 09:00" }, ["action_time"]],
      [{ action_time: "2026-03-03T10:00:00Z" }, ["action_time"]],
      [{ repeat: true, rotation: true }, ["repeat", "rotation"]],
      [
        { action_time: "2026-03-01T09:00:00Z", account_user_ids: ["acu_nobody"] },
        ["account_user_ids", "action_time"],
      ],
    ];
    for (const [more, fields] of refusals) {
      const refused = await rota.amend(event.id, "override", { ...good, ...more });
      const what = JSON.stringify(more);
      expect([refused.status, faultyFields(refused)], what).toEqual([422, fields]);
    }
    const nearest = await rota.amend(event.id, "override", {
      ...good,
      action_time: "2026-03-03T10:00:00Z",
    });
    expect(nearest.body.errors[0].message).toContain("2026-03-03T09:00:00.000Z");
    const iso = await rota.amend(event.id, "override", {
      ...good,
      start_time: "2026-03-03T12:00:00+01:00",
      repeat: false,
    });
    expect(iso.body.start_time, iso.text).toBe("2026-03-03T11:00:00.000Z");
  });

  test("remains an override of its event when it is changed", async () => {
    const rota = await makeRota("ABCD");
    const { api } = rota.account;
    const event = await dailyRotation(rota);
    const times = ["2026-03-03T09:00:00Z", "2026-03-03 12:00", "2026-03-03 13:00"] as const;
    const override = await createOverride(rota, event.id, overrideBody(rota, "D", times));
    const path = `/events/${override.id}`;
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    const refusals: [Record<string, unknown>, string[]][] = [
      [{ repeat: true, frequency: 1, frequency_unit: "daily" }, ["repeat"]],
      [{ rotation: true }, ["rotation"]],
      [{ schedule_ids: [other.id] }, ["schedule_ids"]],
      [{ schedule_ids: [] }, ["schedule_ids"]],
      [{ parent_id: null }, ["parent_id"]],
      [{ parent_id: override.id }, ["parent_id"]],
      [{ end_time: "2026-03-03T11:00:00Z" }, ["end_datetime"]],
      [{ end_time: "2196-03-03T11:00:00Z" }, ["end_datetime"]],
    ];
    for (const [change, fields] of refusals) {
      const refused = await api("PUT", path, change);
      const what = JSON.stringify(change);
      expect([refused.status, faultyFields(refused)], what).toEqual([422, fields]);
    }
    const { body: same } = await api("GET", path);
    const echoed = await api("PUT", path, { ...same, parent_id: event.prefix_id, layer: 3 });
    expect(echoed.body, echoed.text).toMatchObject({ layer: 3, overrides_removed: [] });
    const longer = await api("PUT", path, { end_time: "2026-03-05T00:00:00Z" });
    expect(longer.status, longer.text).toBe(200);
    expect(await activeUntil(override.id)).toBe(Date.parse("2026-03-05T09:00:00Z"));
    expect(await rota.window("2026-03-03T10:00:00Z", "2026-03-05T09:00:00Z")).toEqual([
      "1 2026-03-03T09:00Z..2026-03-03T12:00Z B",
      "1 2026-03-05T00:00Z..2026-03-05T09:00Z C",
      "3 2026-03-03T12:00Z..2026-03-05T00:00Z D",
    ]);
  });
});

describe("an overridden event", () => {
  test("moves its overrides with it to other schedules", async () => {
    const rota = await makeRota("ABCD");
    const { api } = rota.account;
    const event = await dailyRotation(rota);
    const times = ["2026-03-03T09:00:00Z", "2026-03-03 12:00", "2026-03-03 18:00"] as const;
    const override = await createOverride(rota, event.id, overrideBody(rota, "D", times));
    const inner = ["2026-03-03T12:00:00Z", "2026-03-03 14:00", "2026-03-03 15:00"] as const;
    const below = await createOverride(rota, override.id, overrideBody(rota, "C", inner));
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    const moved = await api("PUT", `/events/${event.id}`, { schedule_ids: [other.id] });
    expect(moved.body).toMatchObject({ schedule_ids: [other.id], overrides_removed: [] });
    for (const { id } of [override, below]) {
      const { body } = await api("GET", `/events/${id}`);
      expect(body.schedule_ids).toEqual([other.id]);
    }
    expect(await rota.window("2026-03-03T09:00:00Z", "2026-03-04T09:00:00Z")).toEqual([]);
    const there = await api(
      "GET",
      `/schedules/${other.id}/window_events?start=2026-03-03T09:00:00Z&end=2026-03-04T09:00:00Z`,
    );
    expect(there.body).toHaveLength(5);
  });

  test("deletes and names the overrides after its new end", async () => {
    const rota = await makeRota("ABCD");
    const { api } = rota.account;
    const event = await dailyRotation(rota);
    const on = (day: number, from = 12, to = 13) =>
      overrideBody(rota, "D", [
        `2026-03-0${day}T09:00:00Z`,
        `2026-03-0${day} ${from}:00`,
        `2026-03-0${day} ${to}:00`,
      ]);
    const remaining = await createOverride(rota, event.id, on(3));
    const removed = await createOverride(rota, event.id, on(5, 12, 14));
    const nested = await createOverride(rota, removed.id, {
      ...on(5, 12, 13),
      action_time: "2026-03-05T12:00:00Z",
    });
    const ended = await api("PUT", `/events/${event.id}`, {
      repeat_end_datetime: "2026-03-04T00:00:00Z",
    });
    expect(ended.status, ended.text).toBe(200);
    expect(ended.body.overrides_removed.toSorted()).toEqual([removed.id, nested.id].toSorted());
    for (const id of [removed.id, nested.id]) {
      expect((await api("GET", `/events/${id}`)).status).toBe(404);
    }
    const later = await api("PUT", `/events/${event.id}`, {
      start_time: "2026-03-02T12:30:00Z",
      end_time: "2026-03-03T12:30:00Z",
    });
    expect(later.body.overrides_removed).toEqual([]);
    expect(await rota.window("2026-03-03T00:00:00Z", "2026-03-04T00:00:00Z")).toEqual([
      "1 2026-03-02T12:30Z..2026-03-03T12:00Z A",
      "1 2026-03-03T12:00Z..2026-03-03T13:00Z D",
      "1 2026-03-03T13:00Z..2026-03-04T12:30Z B",
    ]);
    expect(await activeUntil(remaining.id)).toBe(Date.parse("2026-03-04T12:30:00Z"));
    expect((await api("DELETE", `/events/${event.id}`)).status).toBe(204);
    expect((await api("GET", `/events/${remaining.id}`)).status).toBe(404);
    const { body: left } = await api("GET", "/events");
    expect(left).toMatchObject({ data: [], total_count: 0 });
  });

  const on = (rota: Rota, day: number) =>
    overrideBody(rota, "D", [
      `2026-03-0${day}T09:00:00Z`,
      `2026-03-0${day} 12:00`,
      `2026-03-0${day} 13:00`,
    ]);

  test("moves an override that is created while the event is moved", async () => {
    const rota = await makeRota("ABCD");
    const { api } = rota.account;
    const event = await dailyRotation(rota);
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    const changed = await interleave(
      () => api("PUT", `/events/${event.id}`, { schedule_ids: [other.id] }),
      () => createOverride(rota, event.id, on(rota, 3)),
    );
    expect(changed.status, changed.text).toBe(200);
    const { body } = await api("GET", `/events?parent_id=${event.id}`);
    expect(body).toMatchObject({ data: [{ schedule_ids: [other.id] }], total_count: 1 });
  });

  test("rejects an override whose occurrence is removed while the override is created", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    const refused = await interleave(
      () => rota.amend(event.id, "override", on(rota, 3)),
      () => rota.amend(event.id, "add_exception", { action_time: "2026-03-03T09:00:00Z" }),
    );
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["action_time"]]);
    const deleted = await interleave(
      () => rota.amend(event.id, "override", on(rota, 4)),
      () => rota.account.api("DELETE", `/events/${event.id}`),
    );
    expect(deleted.status).toBe(404);
    expect((await rota.account.api("GET", "/events")).body.total_count).toBe(0);
  });
});

/** Runs `other` between the reads and the writes of `request`. */
async function interleave<Result>(
  request: () => Promise<Result>,
  other: () => Promise<unknown>,
): Promise<Result> {
  await untilQuiet();
  const session = Object.getPrototypeOf(env.DB.withSession());
  const batch: D1DatabaseSession["batch"] = session.batch;
  let batches = 0;
  const spy = vi.spyOn(session, "batch").mockImplementation(async function (
    this: unknown,
    ...given: unknown[]
  ) {
    batches += 1;
    if (batches === 2) await other();
    return batch.apply(this as D1DatabaseSession, given as [D1PreparedStatement[]]);
  });
  const result = await request();
  spy.mockRestore();
  expect(batches).toBeGreaterThan(2);
  return result;
}

describe("authorization of overrides", () => {
  test("allows a team admin in their own schedule; rejects members and other accounts", async () => {
    const rota = await makeRota();
    const { api } = rota.account;
    const lead = rota.colleagues.get("B");
    const member = rota.colleagues.get("C");
    await api("PUT", `/teams/${rota.teamId}`, { admin_account_user_ids: rota.ids("B") });
    const event = await dailyRotation(rota);
    const body = overrideBody(rota, "C", [
      "2026-03-03T09:00:00Z",
      "2026-03-03 12:00",
      "2026-03-03 13:00",
    ]);
    const path = `/events/${event.id}/override`;
    expect((await member?.api("POST", path, body))?.status).toBe(403);
    expect((await lead?.api("POST", path, body))?.status).toBe(201);
    const child = {
      parent_id: event.id,
      start_datetime: "2026-03-04T12:00:00Z",
      end_datetime: "2026-03-04T13:00:00Z",
      layer: 1,
      time_zone: "UTC",
      account_user_ids: rota.ids("B"),
    };
    expect((await member?.api("POST", "/events", child))?.status).toBe(403);
    expect((await lead?.api("POST", "/events", child))?.status).toBe(201);
    const elsewhere = await dailyRotation(rota, { schedule_ids: [] });
    expect((await lead?.api("POST", `/events/${elsewhere.id}/override`, body))?.status).toBe(403);

    const stranger = await makeAccount();
    const own = { ...body, account_user_ids: [stranger.accountUserId] };
    expect((await stranger.api("POST", path, own)).status).toBe(404);
    const theirs = await api("POST", path, own);
    expect([theirs.status, faultyFields(theirs)]).toEqual([422, ["account_user_ids"]]);
    const foreign = await stranger.api("POST", "/events", {
      ...child,
      account_user_ids: [stranger.accountUserId],
    });
    expect([foreign.status, faultyFields(foreign)]).toEqual([422, ["parent_id"]]);
  });
});

describe("a current override", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test("determines who is on call and who is notified", async () => {
    const mailbox = openMailbox();
    const rota = await makeRota();
    const today = Math.floor(Date.now() / DAY) * DAY;
    const iso = (at: number) => new Date(at).toISOString();
    const event = await rota.event("B", {
      start_datetime: iso(today),
      end_datetime: iso(today + DAY),
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
    });
    expect(await rota.now()).toEqual(["1 B"]);
    const clock = (at: number) => iso(at).slice(0, 16).replace("T", " ");
    await createOverride(
      rota,
      event.id,
      overrideBody(rota, "C", [
        iso(today),
        clock(Date.now() - 60_000),
        clock(Date.now() + 3_600_000),
      ]),
    );
    expect(await rota.now()).toEqual(["1 C"]);
    const alert = await rota.account.api("POST", "/alerts", {
      title: "Disk full",
      urgency: "high",
      destination_team_ids: [rota.teamId],
    });
    expect(alert.status, alert.text).toBe(201);
    await vi.waitFor(() => expect(mailbox.mails.length).toBeGreaterThan(0), soon);
    expect(mailbox.mails.map(({ to }) => to)).toEqual([rota.colleagues.get("C")?.email]);
  });
});
