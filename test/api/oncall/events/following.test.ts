// Changes to a repeating event from one of its occurrences on, parts of a split occurrence, and
// rotations with repeated people and empty positions.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { bodyOf, formsOf } from "../../../support/api/forms.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";
import { type Browser, signInAdmin } from "../../../support/worker/console.ts";
import { roundTrips } from "../../../support/worker/round-trips.ts";

const START = "2026-03-02T09:00:00.000Z";

/** A daily rotation of A, B and C from Monday 2 March 2026, 09:00 UTC. */
const dailyRotation = (rota: Rota, more: Record<string, unknown> = {}) =>
  rota.event("ABC", {
    start_datetime: START,
    end_datetime: "2026-03-03T09:00:00Z",
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
    ...more,
  });

async function override(rota: Rota, id: string, day: string, from = 12, until = 13) {
  const made = await rota.amend(id, "override", {
    action_time: `${day}T09:00:00Z`,
    start_time: `${day} ${String(from).padStart(2, "0")}:00`,
    end_time: `${day} ${until}:00`,
    layer: 1,
    time_zone: "UTC",
    account_user_ids: rota.ids("D"),
  });
  expect(made.status, made.text).toBe(201);
  return String(made.body.id);
}

const turnsOf = (window: readonly string[]) => window.map((it) => it.slice(-1)).join("");

describe("change_following", () => {
  test("continues the turns, the overrides and the removed occurrences", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    const early = await override(rota, event.id, "2026-03-03");
    const late = await override(rota, event.id, "2026-03-06");
    await rota.amend(event.id, "add_exception", { action_time: "2026-03-07T09:00:00Z" });
    const before = await rota.window("2026-03-02T00:00:00Z", "2026-03-14T00:00:00Z");
    const body = { action_time: "2026-03-04T09:00:00Z", layer: 2 };
    const preview = await rota.amend(event.id, "preview_following", body);
    expect(preview.body, preview.text).toEqual({
      unchanged: false,
      first_shift: {
        start_time: "2026-03-04T09:00:00.000Z",
        end_time: "2026-03-05T09:00:00.000Z",
        account_user_ids: rota.ids("C"),
      },
      overrides_removed: [],
      exceptions_continued: ["2026-03-07T09:00:00.000Z"],
      exceptions_dropped: [],
      extension: null,
    });
    const window = ["2026-03-02T00:00:00Z", "2026-03-14T00:00:00Z"] as const;
    expect(await rota.window(...window), "a preview writes nothing").toEqual(before);
    const changed = await rota.amend(event.prefix_id, "change_following", body);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({
      layer: 2,
      begins_at: "2026-03-04T09:00:00.000Z",
      series_id: event.id,
    });
    expect(changed.body.id).not.toBe(event.id);
    const after = await rota.window(...window);
    const hours = (it: string) => it.slice(2);
    expect(after.map(hours).sort()).toEqual(before.map(hours).sort());
    expect(turnsOf(after.filter((it) => it.startsWith("1")))).toBe("ABDBD");
    for (const id of [early, late]) {
      const { body: stays } = await rota.account.api("GET", `/events/${id}`);
      expect(stays).toMatchObject({ parent_id: event.id, series_id: event.id });
    }
  });

  test("lets the people of the shift before stay until a later start, if asked", async () => {
    const rota = await makeRota("ABC");
    const event = await dailyRotation(rota, { priority: 2 });
    const body = {
      action_time: "2026-03-04T09:00:00Z",
      start_datetime: "2026-03-04T15:00:00Z",
      end_datetime: "2026-03-05T15:00:00Z",
    };
    const hours = { start_time: "2026-03-04T09:00:00.000Z", end_time: "2026-03-04T15:00:00.000Z" };
    const extension = { ...hours, account_user_ids: rota.ids("B") };
    const offered = await rota.amend(event.id, "preview_following", body);
    expect(offered.body.extension).toEqual({ ...extension, extended: false });
    const asked = { ...body, extend_previous_shift: true };
    const changed = await rota.amend(event.id, "change_following", asked);
    expect(changed.body, changed.text).toMatchObject({
      extension: { ...extension, extended: true },
    });
    expect(await rota.window("2026-03-03T09:00:00Z", "2026-03-05T16:00:00Z")).toEqual([
      "1 2026-03-03T09:00Z..2026-03-04T09:00Z B",
      "1 2026-03-04T09:00Z..2026-03-04T15:00Z B",
      "1 2026-03-04T15:00Z..2026-03-05T15:00Z C",
      "1 2026-03-05T15:00Z..2026-03-06T15:00Z A",
    ]);
    const { data } = (await rota.account.api("GET", "/events?repeat=false")).body;
    expect(data).toMatchObject([{ ...hours, priority: 2, schedule_ids: [rota.scheduleId] }]);
    const far = { start_datetime: "2026-09-04T15:00:00Z", end_datetime: "2026-09-05T15:00:00Z" };
    const restrictions = [{ start_time: "08:00", end_time: "10:00" }];
    const action_time = "2026-03-06T15:00:00Z";
    const refused = await rota.amend(changed.body.id, "change_following", {
      ...{ ...far, restrictions, action_time, extend_previous_shift: true },
    });
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["extend_previous_shift"]]);
  });

  test("keeps an override that has no shift in its hours any more", async () => {
    const rota = await makeRota("ABCD");
    const event = await rota.event("AB", {
      start_datetime: START,
      end_datetime: "2026-03-02T17:00:00Z",
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: true,
    });
    await override(rota, event.id, "2026-03-05", 15, 17);
    await override(rota, event.id, "2026-03-06", 9, 11);
    await rota.amend(event.id, "add_exception", { action_time: "2026-03-08T09:00:00Z" });
    const changed = await rota.amend(event.id, "change_following", {
      action_time: "2026-03-04T09:00:00Z",
      start_datetime: "2026-03-04T12:00:00Z",
      end_datetime: "2026-03-04T20:00:00Z",
    });
    expect(changed.body, changed.text).toMatchObject({
      overrides_removed: [],
      exceptions_continued: ["2026-03-08T12:00:00.000Z"],
    });
    expect(await rota.window("2026-03-03T00:00:00Z", "2026-03-10T00:00:00Z")).toEqual([
      "1 2026-03-03T09:00Z..2026-03-03T17:00Z B",
      "1 2026-03-04T12:00Z..2026-03-04T20:00Z A",
      "1 2026-03-05T12:00Z..2026-03-05T15:00Z B",
      "1 2026-03-05T15:00Z..2026-03-05T17:00Z D",
      "1 2026-03-05T17:00Z..2026-03-05T20:00Z B",
      "1 2026-03-06T09:00Z..2026-03-06T11:00Z D",
      "1 2026-03-06T12:00Z..2026-03-06T20:00Z A",
      "1 2026-03-07T12:00Z..2026-03-07T20:00Z B",
      "1 2026-03-09T12:00Z..2026-03-09T20:00Z B",
    ]);
  });

  test("keeps an override that spans the change", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    const long = await rota.amend(event.id, "override", {
      action_time: "2026-03-03T09:00:00Z",
      start_time: "2026-03-03 12:00",
      end_time: "2026-03-04 12:00",
      layer: 1,
      time_zone: "UTC",
      account_user_ids: rota.ids("D"),
    });
    expect(long.status, long.text).toBe(201);
    const body = { action_time: "2026-03-04T09:00:00Z", layer: 2 };
    const changed = await rota.amend(event.id, "change_following", body);
    expect(changed.status, changed.text).toBe(200);
    expect(await rota.window("2026-03-03T09:00:00Z", "2026-03-05T09:00:00Z")).toEqual([
      "1 2026-03-03T09:00Z..2026-03-03T12:00Z B",
      "1 2026-03-03T12:00Z..2026-03-04T12:00Z D",
      "2 2026-03-04T12:00Z..2026-03-05T09:00Z C",
    ]);
  });

  test("writes nothing if nothing changes, and rejects a time without an occurrence", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    const path = `/events/${event.id}`;
    const { body: before } = await rota.account.api("GET", path);
    const same = {
      action_time: "2026-03-04T09:00:00Z",
      layer: 1,
      account_user_ids: rota.ids("ABC"),
    };
    const changed = await rota.amend(event.id, "change_following", same);
    expect(changed.body.id, changed.text).toBe(event.id);
    expect((await rota.account.api("GET", path)).body).toEqual(before);
    const wrong = await rota.amend(event.id, "change_following", {
      action_time: "2026-03-04T10:00:00Z",
    });
    expect([wrong.status, faultyFields(wrong)]).toEqual([422, ["action_time"]]);
    const faulty = await rota.amend(event.id, "change_following", {
      action_time: "2026-03-04T09:00:00Z",
      end_datetime: "2026-03-04T08:00:00Z",
    });
    expect([faulty.status, faultyFields(faulty)]).toEqual([422, ["end_datetime"]]);
  });

  test("takes two round trips", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    await override(rota, event.id, "2026-03-06");
    const body = { action_time: "2026-03-04T09:00:00Z", layer: 2 };
    expect(await roundTrips(() => rota.amend(event.id, "change_following", body))).toBe(2);
  });
});

describe("an edit of the whole series", () => {
  test("moves its removed occurrences too", async () => {
    const rota = await makeRota("ABC");
    const event = await dailyRotation(rota);
    await rota.amend(event.id, "add_exception", { action_time: "2026-03-04T09:00:00Z" });
    const moved = await rota.account.api("PUT", `/events/${event.id}`, {
      start_datetime: "2026-03-02T11:00:00Z",
      end_datetime: "2026-03-03T11:00:00Z",
    });
    expect(moved.body.exceptions, moved.text).toEqual([
      { id: expect.any(String), start_datetime: "2026-03-04T11:00:00.000Z" },
    ]);
  });
});

describe("a rotation", () => {
  test("preserves repeated people and empty positions", async () => {
    const rota = await makeRota("ABC");
    const [a = "", b = "", c = ""] = rota.ids("ABC");
    const positions = [a, b, a, null, c];
    const event = await dailyRotation(rota, { account_user_ids: positions });
    const path = `/events/${event.id}`;
    const { body } = await rota.account.api("GET", path);
    expect(body.account_user_ids).toEqual(positions);
    expect(
      body.event_attendees.map((it: { attendee_id: string; position: number }) => [
        it.attendee_id,
        it.position,
      ]),
    ).toEqual(positions.map((id, position) => [id, position]));
    const shown = await rota.window("2026-03-02T09:00:00Z", "2026-03-12T09:00:00Z");
    expect(turnsOf(shown)).toBe("ABACABAC");
    expect(shown[3]).toBe("1 2026-03-06T09:00Z..2026-03-07T09:00Z C");
    const coverage = await rota.account.api(
      "GET",
      `/schedules/${rota.scheduleId}/coverage?start=2026-03-02T09:00:00Z&end=2026-03-07T09:00:00Z`,
    );
    expect(coverage.body.layers[0].gaps).toHaveLength(1);
    const echoed = await rota.account.api("PUT", path, { account_user_ids: positions });
    expect(echoed.body.account_user_ids).toEqual(positions);
    expect(echoed.body.event_attendees).toEqual(body.event_attendees);
    expect((await rota.account.api("GET", `/events?account_user_ids=${b}`)).body.total_count).toBe(
      1,
    );
  });

  test("alone may have empty positions, and needs at least one person", async () => {
    const rota = await makeRota("AB");
    const [a = ""] = rota.ids("A");
    const refused = async (more: Record<string, unknown>) => {
      const made = await rota.account.api("POST", "/events", {
        start_datetime: START,
        end_datetime: "2026-03-03T09:00:00Z",
        layer: 1,
        time_zone: "UTC",
        schedule_ids: [rota.scheduleId],
        ...more,
      });
      return [made.status, faultyFields(made)];
    };
    const daily = { repeat: true, frequency: 1, frequency_unit: "daily" };
    const field = [422, ["account_user_ids"]];
    expect(await refused({ ...daily, rotation: false, account_user_ids: [a, null] })).toEqual(
      field,
    );
    expect(await refused({ ...daily, rotation: true, account_user_ids: [null] })).toEqual(field);
    const together = await dailyRotation(rota, { rotation: false, account_user_ids: [a, a] });
    const { body } = await rota.account.api("GET", `/events/${together.id}`);
    expect(body.account_user_ids).toEqual([a]);
  });
});

describe("the remaining part of a split shift", () => {
  async function split() {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    await override(rota, event.id, "2026-03-03");
    return { rota, event, rest: "2026-03-03T13:00:00.000Z" };
  }
  const DAY = ["2026-03-03T09:00:00Z", "2026-03-04T09:00:00Z"] as const;

  test("is read with its own hours, its shift's hours and its person", async () => {
    const { rota, event, rest } = await split();
    const read = await rota.account.api(
      "GET",
      `/events/${event.id}/occurrence?action_time=${rest}`,
    );
    expect(read.body, read.text).toMatchObject({
      start_time: "2026-03-03T09:00:00.000Z",
      end_time: "2026-03-04T09:00:00.000Z",
      part_start_time: rest,
      part_end_time: "2026-03-04T09:00:00.000Z",
      parts: 2,
      attendees: [{ attendee_id: rota.people.get("B") }],
    });
  });

  test("is removed without the other parts of the shift", async () => {
    const { rota, event, rest } = await split();
    const removed = await rota.amend(event.id, "remove_part", { action_time: rest });
    expect(removed.status, removed.text).toBe(200);
    expect(await rota.window(...DAY)).toEqual([
      "1 2026-03-03T09:00Z..2026-03-03T12:00Z B",
      "1 2026-03-03T12:00Z..2026-03-03T13:00Z D",
    ]);
    const following = await rota.window("2026-03-04T09:00:00Z", "2026-03-05T09:00:00Z");
    expect(following).toEqual(["1 2026-03-04T09:00Z..2026-03-05T09:00Z C"]);
  });

  test("is moved with its person in one step, of which the history says so and which undo takes back", async () => {
    const { rota, event, rest } = await split();
    const before = await rota.window(...DAY);
    const body = {
      action_time: rest,
      start_datetime: "2026-03-03T20:00:00Z",
      end_datetime: "2026-03-04T08:00:00Z",
    };
    const preview = await rota.amend(event.id, "move_part?preview=true", body);
    expect(preview.status, preview.text).toBe(200);
    expect(await rota.window(...DAY), "a preview writes nothing").toEqual(before);
    const moved = await rota.amend(event.id, "move_part", body);
    expect(moved.status, moved.text).toBe(200);
    expect(moved.body.event_id).toBe(event.id);
    expect(await rota.window(...DAY)).toEqual([
      "1 2026-03-03T09:00Z..2026-03-03T12:00Z B",
      "1 2026-03-03T12:00Z..2026-03-03T13:00Z D",
      "1 2026-03-03T20:00Z..2026-03-04T08:00Z B",
    ]);
    const { body: shift } = await rota.account.api("GET", `/events/${moved.body.moved_event_id}`);
    expect(shift).toMatchObject({ parent_id: null, repeat: false, layer: 1 });
    expect((await rota.amend(event.id, "move_part", body)).status).toBe(409);
    const changes = `/schedules/${rota.scheduleId}/changes`;
    const { body: listed } = await rota.account.api("GET", changes);
    const entry = listed.data.find(({ verb }: { verb: string }) => verb === "move_part");
    const undone = await rota.account.api("POST", `${changes}/${entry.id}/undo`);
    expect(undone.status, undone.text).toBeLessThan(300);
    expect(await rota.window(...DAY)).toEqual(before);
  });

  test("is not moved if its person has left the account", async () => {
    const rota = await makeRota("AB");
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const from = day(-3);
    const event = await rota.event("AB", {
      ...{ start_datetime: from, end_datetime: day(-2), rotation: true },
      ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
    });
    const [, ben] = rota.ids("AB");
    const at = new Date(Date.parse(from) + 86_400_000).toISOString();
    expect((await rota.account.api("DELETE", `/account_users/${ben}`)).status).toBe(204);
    const moved = await rota.amend(event.id, "move_part", {
      ...{ action_time: at, start_datetime: day(3), end_datetime: day(4) },
    });
    expect(moved.status, moved.text).toBe(422);
    expect(moved.text).toContain("has left the account");
  });

  test("is moved once by a key, and not again", async () => {
    const { rota, event } = await split();
    const at = { action_time: "2026-03-04T09:00:00Z" };
    const to = { start_datetime: "2026-03-04T11:00:00Z", end_datetime: "2026-03-04T12:00:00Z" };
    const key = { "Idempotency-Key": "one move" };
    const path = `/events/${event.id}/move_part`;
    const moved = await rota.account.api("POST", path, { ...at, ...to }, key);
    const again = await rota.account.api("POST", path, { ...at, ...to }, key);
    expect([moved.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(moved.body);
    await env.DB.prepare(
      "update idempotency_keys set status = null, answer = '{}', claimed_until = 0 where record_id = ?",
    )
      .bind(moved.body.moved_event_id)
      .run();
    const resumed = await rota.account.api("POST", path, { ...at, ...to }, key);
    expect([resumed.status, resumed.body], "after its answer was lost").toEqual([200, moved.body]);
    const conflict = await rota.amend(event.id, "move_part", { ...at, ...to });
    expect([conflict.status, conflict.text]).toEqual([
      409,
      expect.stringContaining("moved before"),
    ]);
  });

  test.each([
    [{ end_datetime: "2026-03-04T09:00:00Z" }, ["end_datetime"]],
    [{ end_datetime: undefined }, ["end_datetime"]],
    [{ action_time: "2026-03-04T10:00:00Z" }, ["action_time"]],
    [{ action_time: "soon", start_datetime: "never" }, ["action_time", "start_datetime"]],
  ])("is not moved with %o", async (faulty, fields) => {
    const { rota, event } = await split();
    const refused = await rota.amend(event.id, "move_part", {
      action_time: "2026-03-04T09:00:00Z",
      start_datetime: "2026-03-04T11:00:00Z",
      end_datetime: "2026-03-04T12:00:00Z",
      ...faulty,
    });
    expect(refused.status).toBe(422);
    expect(faultyFields(refused)).toEqual(fields);
  });

  test("of a shift that does not repeat is removed without the other parts", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota, { repeat: false });
    await override(rota, event.id, "2026-03-02");
    await rota.amend(event.id, "remove_part", { action_time: "2026-03-02T13:00:00Z" });
    expect(await rota.window("2026-03-02T09:00:00Z", "2026-03-04T09:00:00Z")).toEqual([
      "1 2026-03-02T09:00Z..2026-03-02T12:00Z B".replace("B", "ABC"),
      "1 2026-03-02T12:00Z..2026-03-02T13:00Z D",
    ]);
  });

  test("is overridden, changed, moved and removed in the console", async () => {
    const { rota, event, rest } = await split();
    const browser = await signInAdmin(rota.account);
    const query = `at=${encodeURIComponent(rest)}&schedule=${rota.scheduleId}`;
    const page = await browser.get(`/events/${event.id}?${query}`);
    expect(factOf(page.text, "On call")).toBe("B Person");
    expect(factOf(page.text, "Rotation")).toBe("Ada AdminB PersonC Person");
    const form = await browser.get(`/events/${event.id}?change=override&${query}`);
    // It has ended: who overrides the past types when.
    expect(form.text).not.toContain('value="2026-03-03T13:00"');
    const selected = `${query}&from=2026-03-03T13:00&until=2026-03-04T09:00`;
    const { text } = await browser.get(`/events/${event.id}?change=override&${selected}`);
    expect(text).toContain('value="2026-03-03T13:00"');
    expect(text).toContain('value="2026-03-04T09:00"');
    expect(form.text).toMatch(/On call:.*B Person/s);
    const rotation = await browser.get(`/events/${event.id}?change=edit&${query}`);
    expect(rotation.text).toContain('value="2026-03-03T09:00:00.000Z"');
    const moving = {
      at: rest,
      scope: "one",
      start: "2026-03-03T14:00",
      end: "2026-03-04T09:00",
    };
    const shown = await browser.submit(`/events/${event.id}/move`, moving);
    expect(shown.text).toContain("This shift moves with its people.");
    const confirmed = /name="confirmed" value="([^"]*)"/.exec(shown.text)?.[1] ?? "";
    await browser.submit(`/events/${event.id}/move`, { ...moving, confirmed });
    expect(await rota.window(...DAY)).toEqual([
      "1 2026-03-03T09:00Z..2026-03-03T12:00Z B",
      "1 2026-03-03T12:00Z..2026-03-03T13:00Z D",
      "1 2026-03-03T14:00Z..2026-03-04T09:00Z B",
    ]);
    await override(rota, event.id, "2026-03-05");
    const at = "2026-03-05T13:00:00.000Z";
    const path = `/events/${event.id}/remove`;
    const asked = await browser.submit(path, { at, scope: "part" });
    const nested = await browser.submit(path, { at, scope: "part", "extra[__proto__]": "1" });
    expect(nested.status, "what is no text is left out").toBe(asked.status);
    const confirmation = formsOf(asked.text).find(({ action }) => action === path);
    if (!confirmation) throw new Error("no form to confirm");
    const removed = await browser.post(path, bodyOf(confirmation));
    expect((await browser.get(removed.to ?? "")).text).toContain("Hours removed.");
    expect(await rota.window("2026-03-05T09:00:00Z", "2026-03-06T09:00:00Z")).toHaveLength(2);
    const again = await browser.submit(`/events/${event.id}/remove`, { at, scope: "part" });
    expect(again.text).toContain("Confirm removal");
  });
});

/** The text of a page's `<dd>` after the `<dt>` with this name, without tags. */
function factOf(html: string, name: string): string {
  const value = new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`, "s").exec(html)?.[1] ?? "";
  return value.replaceAll(/<[^>]+>/g, "");
}

describe("the console", () => {
  /** Submits a shift's form with one field changed. */
  async function change(browser: Browser, path: string, at: string, field: string, value: string) {
    const page = await browser.get(`${path}?change=edit&at=${encodeURIComponent(at)}`);
    const form = formsOf(page.text).find(({ action }) => action === path);
    if (!form) throw new Error("no form");
    return browser.post(path, { ...bodyOf(form), [field]: [value] });
  }

  test("shows the effects of a change to the following shifts before it is confirmed", async () => {
    const rota = await makeRota("ABCD");
    const browser = await signInAdmin(rota.account);
    const event = await rota.event("AB", {
      start_datetime: START,
      end_datetime: "2026-03-02T17:00:00Z",
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: true,
    });
    await override(rota, event.id, "2026-03-06", 9, 11);
    await rota.amend(event.id, "add_exception", { action_time: "2026-03-08T09:00:00Z" });
    const window = ["2026-03-02T00:00:00Z", "2026-03-12T00:00:00Z"] as const;
    const before = await rota.window(...window);
    const path = `/events/${event.id}`;
    const at = "2026-03-04T09:00:00.000Z";
    const asked = await change(browser, path, at, "start_datetime", "2026-03-04T12:00");
    expect(asked.text).toContain("Confirm changes");
    expect(factOf(asked.text, "First shift")).toContain("Ada Admin");
    expect(factOf(asked.text, "Removed shifts that stay removed")).toContain("8 Mar");
    expect(await rota.window(...window), "nothing is written yet").toEqual(before);
    const [form] = formsOf(asked.text).filter(({ action }) => action === path);
    if (!form) throw new Error("no form to confirm");
    const done = await browser.post(path, bodyOf(form));
    expect([done.status, done.to]).toEqual([303, "/on-call"]);
    const after = await rota.window(...window);
    expect(after).toContain("1 2026-03-06T09:00Z..2026-03-06T11:00Z D");
    expect(after).toContain("1 2026-03-06T12:00Z..2026-03-06T17:00Z A");
    expect(after.some((it) => it.includes("2026-03-08"))).toBe(false);
    const { data } = (await rota.account.api("GET", `/events?series_id=${event.id}`)).body;
    const [version] = data.filter(({ begins_at }: { begins_at: string | null }) => begins_at);
    expect((await browser.get(path)).text).toContain(`href="/events/${version.id}"`);
    expect((await browser.get(`/events/${version.id}`)).text).toContain(`href="${path}"`);
  });

  test("changes the people of later versions with those of an earlier one", async () => {
    const rota = await makeRota("ABCD");
    const day = (index: number) =>
      new Date(Math.floor(Date.now() / 86_400_000 + index) * 86_400_000).toISOString();
    const event = await rota.event("ABC", {
      ...{ start_datetime: day(2), end_datetime: day(3), rotation: true },
      ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
    });
    await rota.amend(event.id, "change_following", { action_time: day(6), layer: 2 });
    const turns = async () => turnsOf(await rota.window(day(2), day(10)));
    expect(await turns()).toBe("ABCABCAB");
    const body = { account_user_ids: rota.ids("ABCD"), effective_at: day(4) };
    const path = `/events/${event.id}`;
    const preview = await rota.account.api("PUT", `${path}?preview=true`, body);
    expect(preview.body.schedules[0].changes.length, preview.text).toBeGreaterThan(2);
    expect((await rota.account.api("PUT", path, body)).status).toBe(200);
    expect(await turns()).toBe("ABCDABCD");
    const { data } = (
      await rota.account.api("GET", `/schedules/${rota.scheduleId}/changes?limit=1`)
    ).body;
    const undo = `/schedules/${rota.scheduleId}/changes/${data[0].id}/undo`;
    expect((await rota.account.api("POST", undo)).status).toBeLessThan(300);
    expect(await turns()).toBe("ABCABCAB");
  });

  test("ends with its later versions", async () => {
    const rota = await makeRota("ABCD");
    const event = await dailyRotation(rota);
    const changed = await rota.amend(event.id, "change_following", {
      ...{ action_time: "2026-03-06T09:00:00Z", layer: 2 },
    });
    const late = await override(rota, event.id, "2026-03-05");
    const ended = await rota.amend(event.id, "terminate_on", {
      action_time: "2026-03-04T09:00:00Z",
    });
    expect(ended.body, ended.text).toMatchObject({ overrides_removed: [late] });
    const window = ["2026-03-02T00:00:00Z", "2026-03-14T00:00:00Z"] as const;
    expect(turnsOf(await rota.window(...window))).toBe("AB");
    expect((await rota.account.api("GET", `/events/${changed.body.id}`)).status).toBe(404);
  });

  test("names an invalid field by its label", async () => {
    const rota = await makeRota("AB");
    const browser = await signInAdmin(rota.account);
    const event = await dailyRotation(rota, {
      account_user_ids: rota.ids("AB"),
      end_datetime: "2026-03-02T17:00:00Z",
    });
    const at = "2026-03-04T09:00:00.000Z";
    const path = `/events/${event.id}`;
    const wrong = await change(browser, path, at, "end_datetime", "2026-03-03T12:00");
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("End must be after Start.");
    expect(wrong.text).not.toContain("start_datetime must");
  });
});
