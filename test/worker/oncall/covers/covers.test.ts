// Covers of absent people through the API: what they put on call, what their previews announce, and
// what becomes of them when schedules and people change.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";
import { soon } from "../../../support/worker/faults.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();
const tomorrow = () => Math.floor(Date.now() / DAY) * DAY + DAY;
const short = (at: number) => iso(at).replace(":00.000Z", "Z");

/** A, B and C take daily turns from tomorrow on. */
async function makeRotation(letters = "ABC") {
  const rota = await makeRota("ABCD");
  const start = tomorrow();
  const event = await rota.event(letters, {
    start_datetime: iso(start),
    end_datetime: iso(start + DAY),
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
  });
  return { rota, start, event };
}

const absence = (rota: Rota, start: number, more: Record<string, unknown> = {}) => ({
  account_user_id: rota.ids("A")[0],
  start_datetime: iso(start),
  end_datetime: iso(start + 7 * DAY),
  covered_by: "person",
  covering_account_user_id: rota.ids("D")[0],
  ...more,
});

/** Who serves each day of a week, by letter; several if the day is split. */
async function week(rota: Rota, start: number, layer = 1): Promise<string[]> {
  const lines = await rota.window(iso(start), iso(start + 7 * DAY));
  return Array.from({ length: 7 }, (_, day) => {
    const from = short(start + day * DAY).slice(0, 10);
    const own = lines.filter((line) => line.startsWith(`${layer} ${from}`));
    return own.map((line) => line.split(" ")[2] ?? "").join("/") || "-";
  });
}

async function create(rota: Rota, body: Record<string, unknown>) {
  const reply = await rota.account.api("POST", "/covers", body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

describe("a cover", () => {
  test("by a person puts them on call, is shown, changed, and taken back", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    expect((await week(rota, start)).join("")).toBe("ABCABCA");
    const cover = await create(rota, absence(rota, start, { reason: "Holiday" }));
    expect((await week(rota, start)).join("")).toBe("DBCDBCD");
    expect(cover).toMatchObject({ overrides_count: 3, uncovered: [], warnings: [] });
    expect(cover.shifts.map((it: { start_time: string }) => it.start_time)).toEqual([
      iso(start),
      iso(start + 3 * DAY),
      iso(start + 6 * DAY),
    ]);
    expect(cover.shifts[0]).toMatchObject({
      layer: 1,
      schedule_ids: [rota.scheduleId],
      account_user_ids: rota.ids("D"),
    });
    const override = await api("GET", `/events/${cover.shifts[0].event_id}`);
    expect(override.body).toMatchObject({
      cover_id: cover.id,
      parent_id: cover.shifts[0].parent_id,
    });
    const path = `/covers/${cover.prefix_id}`;
    expect((await api("GET", path)).body).toEqual(cover);
    const listed = await api("GET", `/covers?account_user_id=${rota.ids("A")[0]}`);
    expect(listed.body.data).toMatchObject([{ id: cover.id, reason: "Holiday" }]);
    const changed = await api("PUT", path, {
      covered_by: "next_in_line",
      end_datetime: iso(start + 5 * DAY),
    });
    expect(changed.body).toMatchObject({ covering_account_user_id: null, overrides_count: 2 });
    expect((await week(rota, start)).join("")).toBe("BBCBBCA");
    await api("PUT", path, { covered_by: "nobody" });
    expect((await week(rota, start)).join("")).toBe("-BC-BCA");
    expect((await api("DELETE", path)).status).toBe(204);
    expect((await week(rota, start)).join("")).toBe("ABCABCA");
    expect((await api("GET", path)).status).toBe(404);
    const events = await api("GET", `/schedules/${rota.scheduleId}/events`);
    expect(events.body.total_count).toBe(1);
  });

  test("covers all schedules, or the ones that are named", async () => {
    const { rota, start } = await makeRotation();
    const { body: other } = await rota.account.api("POST", "/schedules", { name: "Other" });
    await rota.event("A", {
      schedule_ids: [other.id],
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
    });
    const named = await create(rota, absence(rota, start, { schedule_ids: [other.prefix_id] }));
    expect(named).toMatchObject({ overrides_count: 1, schedule_ids: [other.id] });
    expect((await week(rota, start)).join("")).toBe("ABCABCA");
    const path = `/covers/${named.id}`;
    const all = await rota.account.api("PUT", path, { schedule_ids: [] });
    expect(all.body).toMatchObject({ overrides_count: 4, schedule_ids: [] });
  });

  test("leaves those who serve together on call", async () => {
    const { rota, start } = await makeRotation();
    await rota.event("AB", {
      layer: 2,
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
    });
    await create(
      rota,
      absence(rota, start, { covered_by: "next_in_line", covering_account_user_id: null }),
    );
    expect((await week(rota, start, 2))[0]).toBe("B");
    expect((await week(rota, start))[0]).toBe("B");
  });

  test("says when nobody is found, and when there is nothing to cover", async () => {
    const { rota, start } = await makeRotation("BC");
    const { body: cover } = await rota.account.api("POST", "/covers", absence(rota, start));
    expect(cover).toMatchObject({ overrides_count: 0, warnings: [{ reason: "no_shifts" }] });
    await rota.event("A", {
      layer: 2,
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
    });
    const path = `/covers/${cover.id}`;
    const next = { covered_by: "next_in_line" };
    const { body: changed } = await rota.account.api("PUT", path, next);
    expect(changed.warnings).toMatchObject([{ reason: "nobody_found" }]);
    expect(changed.uncovered).toMatchObject([{ layer: 2, start_time: iso(start) }]);
    expect((await week(rota, start, 2))[0]).toBe("A");
  });

  test("warns if who covers is absent too; their own later cover takes the hours", async () => {
    const { rota, start } = await makeRotation();
    const [b, c, d] = rota.ids("BCD");
    await create(rota, absence(rota, start, { account_user_id: d, covering_account_user_id: b }));
    const cover = await create(rota, absence(rota, start));
    expect(cover.warnings).toMatchObject([{ reason: "substitute_absent" }]);
    expect((await week(rota, start)).join("")).toBe("DBCDBCD");
    await rota.account.api("PUT", `/covers/${cover.id}`, { covering_account_user_id: c });
    await create(
      rota,
      absence(rota, start, {
        account_user_id: c,
        covered_by: "next_in_line",
        covering_account_user_id: null,
      }),
    );
    expect((await week(rota, start)).join("")).toBe("BBBBBBB");
  });
});

test("a create is repeated with the same Idempotency-Key, also if its answer was lost", async () => {
  const { rota, start } = await makeRotation();
  const body = absence(rota, start);
  const send = () => rota.account.api("POST", "/covers", body, { "Idempotency-Key": "one" });
  const first = await send();
  expect([first.status, first.body.overrides_count]).toEqual([201, 3]);
  expect((await send()).body).toEqual(first.body);
  await env.DB.prepare(
    "update idempotency_keys set status = null, answer = '{}', claimed_until = 0 where record_id = ?",
  )
    .bind(first.body.id)
    .run();
  const resumed = await send();
  expect([resumed.status, resumed.body]).toEqual([201, first.body]);
  expect((await rota.account.api("GET", "/covers")).body.total_count).toBe(1);
});

describe("a preview of a cover", () => {
  test("announces what then happens, on create, update and delete", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const announced = async (method: "POST" | "PUT" | "DELETE", path: string, body?: unknown) => {
      const { status, body: preview, text } = await api(method, `${path}?preview=true`, body);
      expect(status, text).toBe(200);
      const days = (await week(rota, start)).map((it) => it);
      type Changed = { start_time: string; account_user_ids_after: string[] };
      for (const it of preview.schedules.flatMap((of: { changes: Changed[] }) => of.changes)) {
        const day = (Date.parse(it.start_time) - start) / DAY;
        days[day] = rota.letters(it.account_user_ids_after) || "-";
      }
      return days;
    };
    const body = absence(rota, start);
    const created = await announced("POST", "/covers", body);
    expect((await api("GET", "/covers")).body.total_count).toBe(0);
    const cover = await create(rota, body);
    expect(await week(rota, start)).toEqual(created);
    const path = `/covers/${cover.id}`;
    for (const change of [{ covered_by: "nobody" }, { end_datetime: iso(start + DAY) }]) {
      const changed = await announced("PUT", path, change);
      expect((await api("PUT", path, change)).status).toBe(200);
      expect(await week(rota, start)).toEqual(changed);
    }
    const deleted = await announced("DELETE", path);
    expect((await api("DELETE", path)).status).toBe(204);
    expect(await week(rota, start)).toEqual(deleted);
  });

  test("of a change of events announces what their covers then do", async () => {
    const { rota, start, event } = await makeRotation("BC");
    const { api } = rota.account;
    const cover = await create(rota, absence(rota, start));
    const put = { account_user_ids: rota.ids("ABC"), effective_at: iso(start) };
    const path = `/events/${event.id}`;
    const preview = await api("PUT", `${path}?preview=true`, put);
    const hours = preview.body.schedules[0].hours.map((it: { account_user_id: string }) =>
      rota.letters([it.account_user_id]),
    );
    expect(hours.toSorted().join("")).toBe("ABCD");
    const { changes } = preview.body.schedules[0];
    expect(JSON.stringify(changes.slice(0, 3))).not.toContain(rota.ids("A")[0]);
    await api("PUT", path, put);
    await vi.waitFor(async () => {
      expect((await api("GET", `/covers/${cover.id}`)).body.overrides_count).toBeGreaterThan(1);
    }, soon);
    const [shift] = (await api("GET", `/covers/${cover.id}`)).body.shifts;
    const deletion = await api("DELETE", `/events/${shift.event_id}?preview=true`);
    expect(deletion.body.schedules[0].changes).toMatchObject([
      { start_time: shift.start_time, account_user_ids_after: rota.ids("A") },
    ]);
  });

  test("reaches to the end of a cover far ahead, and has its warnings", async () => {
    const { rota, start } = await makeRotation();
    const body = absence(rota, start + 100 * DAY);
    const preview = await rota.account.api("POST", "/covers?preview=true", body);
    expect(preview.body).toMatchObject({ unchanged: false, warnings: [] });
    expect(preview.body.window.end).toBe(iso(start + 107 * DAY));
    const none = await rota.account.api("POST", "/covers?preview=true", {
      ...body,
      account_user_id: rota.ids("D")[0],
      covering_account_user_id: rota.ids("A")[0],
    });
    expect(none.body).toMatchObject({ unchanged: true, warnings: [{ reason: "no_shifts" }] });
  });
});

describe("refused", () => {
  test("invalid covers, with the fields", async () => {
    const { rota, start } = await makeRotation();
    const attempt = async (more: Record<string, unknown>) => {
      const reply = await rota.account.api("POST", "/covers", absence(rota, start, more));
      return [reply.status, faultyFields(reply)];
    };
    const who = "covering_account_user_id";
    expect(await attempt({ end_datetime: iso(start) })).toEqual([422, ["end_datetime"]]);
    expect(await attempt({ end_datetime: iso(start + 367 * DAY) })).toEqual([
      422,
      ["end_datetime"],
    ]);
    expect(
      await attempt({ start_datetime: iso(start - 9 * DAY), end_datetime: iso(start - 8 * DAY) }),
    ).toEqual([422, ["end_datetime"]]);
    expect(await attempt({ [who]: null })).toEqual([422, [who]]);
    expect(await attempt({ [who]: rota.ids("A")[0] })).toEqual([422, [who]]);
    expect(await attempt({ covered_by: "nobody" })).toEqual([422, [who]]);
    expect(await attempt({ covered_by: "everybody" })).toEqual([422, ["covered_by"]]);
    expect(await attempt({ schedule_ids: ["skd_x"] })).toEqual([422, ["schedule_ids"]]);
  });

  test("more than 500 shifts", async () => {
    const { rota, start } = await makeRotation();
    await rota.event("A", {
      layer: 2,
      start_datetime: iso(start),
      end_datetime: iso(start + HOUR),
      repeat: true,
      frequency: 1,
      frequency_unit: "hourly",
    });
    const days = (count: number) =>
      rota.account.api(
        "POST",
        "/covers",
        absence(rota, start, { end_datetime: iso(start + count * DAY) }),
      );
    const refused = await days(21);
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["end_datetime"]]);
    const made = await days(20);
    expect([made.status, made.body.overrides_count]).toEqual([201, 487]);
  });

  test("a second cover of the person in the same time, naming the first", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const first = await create(rota, absence(rota, start));
    const overlapping = await api("POST", "/covers", absence(rota, start + 6 * DAY));
    expect([overlapping.status, faultyFields(overlapping)]).toEqual([422, ["start_datetime"]]);
    expect(overlapping.text).toContain(first.prefix_id);
    const next = await create(rota, absence(rota, start + 7 * DAY));
    const moved = await api("PUT", `/covers/${next.id}`, { start_datetime: iso(start + 5 * DAY) });
    expect([moved.status, faultyFields(moved)]).toEqual([422, ["start_datetime"]]);
    const both = await Promise.all(
      [20, 21].map((day) => api("POST", "/covers", absence(rota, start + day * DAY))),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  test("a team's admin beyond the team; a member altogether", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const [a, b] = rota.ids("AB");
    const admins = { admin_account_user_ids: [a, b] };
    expect((await api("PUT", `/teams/${rota.teamId}`, admins)).status).toBe(200);
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    const shared = await rota.event("A", {
      schedule_ids: [other.id],
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
    });
    const teamAdmin = rota.colleagues.get("B")?.api ?? api;
    const member = rota.colleagues.get("C")?.api ?? api;
    const own = absence(rota, start, { schedule_ids: [rota.scheduleId] });
    expect((await member("POST", "/covers", own)).status).toBe(403);
    expect((await teamAdmin("POST", "/covers", absence(rota, start))).status).toBe(403);
    const made = await teamAdmin("POST", "/covers", own);
    expect(made.status, made.text).toBe(201);
    const path = `/covers/${made.body.id}`;
    expect((await teamAdmin("PUT", path, { reason: "Away" })).status).toBe(200);
    expect((await teamAdmin("PUT", path, { schedule_ids: [other.id] })).status).toBe(403);
    expect((await member("DELETE", path)).status).toBe(403);
    expect((await api("PUT", path, { schedule_ids: [] })).status).toBe(200);
    expect((await teamAdmin("DELETE", path)).status).toBe(403);
    expect((await api("DELETE", `/events/${shared.id}`)).status).toBe(204);
  });
});

describe("when schedules change", () => {
  test("hours that come into being are covered", async () => {
    const { rota, start, event } = await makeRotation("BC");
    await create(rota, absence(rota, start));
    const path = `/events/${event.id}`;
    const people = { account_user_ids: rota.ids("ABC"), effective_at: iso(start) };
    expect((await rota.account.api("PUT", path, people)).status).toBe(200);
    await vi.waitFor(
      async () => expect((await week(rota, start)).join("")).not.toContain("A"),
      soon,
    );
    expect((await week(rota, start)).join("")).toContain("D");
    await rota.event("A", {
      layer: 2,
      start_datetime: iso(start + DAY),
      end_datetime: iso(start + 2 * DAY),
    });
    await vi.waitFor(
      async () => expect((await week(rota, start, 2)).join("")).toBe("-D-----"),
      soon,
    );
  });

  test("hours that no longer exist are not covered any longer", async () => {
    const { rota, start, event } = await makeRotation();
    const cover = await create(rota, absence(rota, start));
    const people = { account_user_ids: rota.ids("BC"), effective_at: iso(start) };
    await rota.account.api("PUT", `/events/${event.id}`, people);
    await vi.waitFor(async () => {
      const { body } = await rota.account.api("GET", `/covers/${cover.id}`);
      expect(body.overrides_count).toBe(0);
    }, soon);
    expect((await week(rota, start)).join("")).not.toMatch(/[AD]/);
  });

  test("an override that is deleted by hand stays away, is shown, and comes back by refresh", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const cover = await create(rota, absence(rota, start));
    const path = `/covers/${cover.id}`;
    expect((await api("DELETE", `/events/${cover.shifts[1].event_id}`)).status).toBe(204);
    // Once this shift is covered, the covers have been decided anew.
    await rota.event("A", {
      layer: 2,
      start_datetime: iso(start),
      end_datetime: iso(start + HOUR),
    });
    await vi.waitFor(async () => expect((await week(rota, start, 2))[0]).toBe("D"), soon);
    expect((await week(rota, start)).join("")).toBe("DBCABCD");
    const { body: shown } = await api("GET", path);
    expect(shown.overrides_count).toBe(3);
    expect(shown.uncovered).toMatchObject([{ start_time: iso(start + 3 * DAY) }]);
    await api("PUT", path, { reason: "Holiday", end_datetime: cover.end_datetime });
    expect((await week(rota, start)).join("")).toBe("DBCABCD");
    const refreshed = await api("POST", `${path}/refresh`);
    expect(refreshed.body).toMatchObject({ overrides_count: 4, uncovered: [] });
    expect((await week(rota, start)).join("")).toBe("DBCDBCD");
  });

  test("an override that is changed by hand is no longer the cover's", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const cover = await create(rota, absence(rota, start));
    const people = { account_user_ids: rota.ids("C") };
    const changed = await api("PUT", `/events/${cover.shifts[0].event_id}`, people);
    expect(changed.body.cover_id).toBeNull();
    expect((await api("POST", `/covers/${cover.id}/refresh`)).body.overrides_count).toBe(2);
    expect((await week(rota, start)).join("")).toBe("CBCDBCD");
    await api("DELETE", `/covers/${cover.id}`);
    expect((await week(rota, start)).join("")).toBe("CBCABCA");
  });

  test("a running shift is cut when the cover is taken back; what was served stays", async () => {
    const rota = await makeRota("ABCD");
    const start = Math.floor(Date.now() / DAY) * DAY - DAY;
    await rota.event("A", { start_datetime: iso(start), end_datetime: iso(start + 9 * DAY) });
    const cover = await create(rota, absence(rota, start));
    expect(await rota.now()).toEqual(["1 D"]);
    expect(Date.parse(cover.shifts[0].start_time)).toBeGreaterThan(Date.now() - 60_000);
    await rota.account.api("DELETE", `/covers/${cover.id}`);
    expect(await rota.now()).toEqual(["1 A"]);
    const lines = await rota.window(iso(start), iso(start + 9 * DAY));
    expect(lines.map((line) => line.at(-1))).toEqual(["A", "D", "A"]);
    const [event] = (await rota.account.api("GET", "/events?sort=start_datetime")).body.data;
    expect(event).toMatchObject({ cover_id: null });
  });
});

describe("when people leave the account", () => {
  test("the covers of an absent person end", async () => {
    const { rota, start } = await makeRotation("BCA");
    const { api } = rota.account;
    const [b, d] = rota.ids("BD");
    await create(rota, absence(rota, start, { account_user_id: b, covering_account_user_id: d }));
    expect((await week(rota, start)).join("")).toBe("DCADCAD");
    expect((await api("DELETE", `/account_users/${b}`)).status).toBe(204);
    expect((await api("GET", "/covers")).body.total_count).toBe(0);
    expect((await week(rota, start)).join("")).not.toMatch(/[BD]/);
  });

  test("the hours of who covers go back to the absent person, and it is said", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const cover = await create(rota, absence(rota, start));
    expect((await api("DELETE", `/account_users/${rota.ids("D")[0]}`)).status).toBe(204);
    expect((await week(rota, start)).join("")).toBe("ABCABCA");
    await vi.waitFor(async () => {
      const { body } = await api("GET", `/covers/${cover.id}`);
      expect(body).toMatchObject({ overrides_count: 0, covering_account_user_id: null });
      expect(body.warnings).toMatchObject([{ reason: "substitute_left" }]);
      expect(body.uncovered).toHaveLength(3);
    }, soon);
  });
});
