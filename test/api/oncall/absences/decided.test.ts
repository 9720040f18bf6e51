// Absences that say who is on call instead, through the API: what they put on call, what their previews announce, and
// what becomes of them when schedules and people change.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";

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
  instead: "person",
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

const startsOf = ({ shifts }: { shifts: readonly { start_time: string }[] }) =>
  shifts.map((it) => it.start_time);

/** Overrides a day of a series by hand. */
async function byHand(rota: Rota, eventId: string, at: number, who: string) {
  const reply = await rota.amend(eventId, "override", {
    action_time: iso(at),
    start_time: iso(at),
    end_time: iso(at + DAY),
    layer: 1,
    time_zone: "UTC",
    account_user_ids: rota.ids(who),
  });
  expect(reply.status, reply.text).toBe(201);
}

async function create(rota: Rota, body: Record<string, unknown>) {
  const reply = await rota.account.api("POST", "/absences", body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

describe("an absence that decides", () => {
  test("by a person puts them on call, is shown, changed, and taken back", async () => {
    const { rota, start, event } = await makeRotation();
    const { api } = rota.account;
    const [ana] = rota.ids("A");
    expect((await week(rota, start)).join("")).toBe("ABCABCA");
    const cover = await create(rota, absence(rota, start, { reason: "Holiday" }));
    expect((await week(rota, start)).join("")).toBe("DBCDBCD");
    expect(cover).toMatchObject({ uncovered: [], warnings: [] });
    expect(startsOf(cover)).toEqual([iso(start), iso(start + 3 * DAY), iso(start + 6 * DAY)]);
    expect(cover.shifts[0]).toMatchObject({
      event_id: event.id,
      layer: 1,
      schedule_ids: [rota.scheduleId],
      account_user_ids: rota.ids("D"),
    });
    const entries = await api(
      "GET",
      `/schedules/${rota.scheduleId}/window_events?start=${iso(start)}&end=${iso(start + 2 * DAY)}`,
    );
    expect(entries.body).toMatchObject([
      { event_id: event.id, absent: [{ account_user_id: ana, absence_id: cover.id }] },
      { event_id: event.id, absent: [] },
    ]);
    const path = `/absences/${cover.prefix_id}`;
    expect((await api("GET", path)).body).toEqual(cover);
    const listed = await api("GET", `/absences?account_user_id=${rota.ids("A")[0]}`);
    expect(listed.body.data).toMatchObject([{ id: cover.id, reason: "Holiday" }]);
    const changed = await api("PUT", path, {
      instead: "next_in_line",
      end_datetime: iso(start + 5 * DAY),
    });
    expect(changed.body).toMatchObject({ covering_account_user_id: null });
    expect(startsOf(changed.body)).toEqual([iso(start), iso(start + 3 * DAY)]);
    expect((await week(rota, start)).join("")).toBe("BBCCBCA");
    await api("PUT", path, { instead: "empty" });
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
    expect(named.schedule_ids).toEqual([other.id]);
    expect(named.shifts).toMatchObject([{ schedule_ids: [other.id], start_time: iso(start) }]);
    expect((await week(rota, start)).join("")).toBe("ABCABCA");
    const path = `/absences/${named.id}`;
    const all = await rota.account.api("PUT", path, { schedule_ids: [] });
    expect(all.body.schedule_ids).toEqual([]);
    expect(all.body.shifts).toHaveLength(4);
    expect((await week(rota, start)).join("")).toBe("DBCDBCD");
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
      absence(rota, start, { instead: "next_in_line", covering_account_user_id: null }),
    );
    expect((await week(rota, start, 2))[0]).toBe("B");
    expect((await week(rota, start))[0]).toBe("B");
  });

  test("says when nobody is found, and when there is nothing to cover", async () => {
    const { rota, start } = await makeRotation("BC");
    const { body: cover } = await rota.account.api("POST", "/absences", absence(rota, start));
    expect(cover).toMatchObject({ shifts: [], warnings: [{ reason: "no_shifts" }] });
    await rota.event("A", {
      layer: 2,
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
    });
    const path = `/absences/${cover.id}`;
    const next = { instead: "next_in_line" };
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
    await rota.account.api("PUT", `/absences/${cover.id}`, { covering_account_user_id: c });
    await create(
      rota,
      absence(rota, start, {
        account_user_id: c,
        instead: "next_in_line",
        covering_account_user_id: null,
      }),
    );
    expect((await week(rota, start)).join("")).toBe("BBBBBBB");
  });
});

test("a create is repeated with the same Idempotency-Key, also if its answer was lost", async () => {
  const { rota, start } = await makeRotation();
  const body = absence(rota, start);
  const send = () => rota.account.api("POST", "/absences", body, { "Idempotency-Key": "one" });
  const first = await send();
  expect([first.status, first.body.shifts.length]).toEqual([201, 3]);
  expect((await send()).body).toEqual(first.body);
  await env.DB.prepare(
    "update idempotency_keys set status = null, answer = '{}', claimed_until = 0 where record_id = ?",
  )
    .bind(first.body.id)
    .run();
  const resumed = await send();
  expect([resumed.status, resumed.body]).toEqual([201, first.body]);
  expect((await rota.account.api("GET", "/absences")).body.total_count).toBe(1);
});

describe("a preview", () => {
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
    const created = await announced("POST", "/absences", body);
    expect((await api("GET", "/absences")).body.total_count).toBe(0);
    const cover = await create(rota, body);
    expect(await week(rota, start)).toEqual(created);
    const path = `/absences/${cover.id}`;
    for (const change of [{ instead: "empty" }, { end_datetime: iso(start + DAY) }]) {
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
    const { shifts } = (await api("GET", `/absences/${cover.id}`)).body;
    expect(shifts.length).toBeGreaterThan(1);
    const [shift] = shifts;
    const byHand = {
      ...{ action_time: shift.start_time, layer: 1, time_zone: "UTC" },
      ...{ start_time: shift.start_time, end_time: shift.end_time },
      account_user_ids: rota.ids("A"),
    };
    const override = await api("POST", `${path}/override?preview=true`, byHand);
    expect(override.body.schedules[0].changes).toMatchObject([
      { start_time: shift.start_time, account_user_ids_after: rota.ids("A") },
    ]);
  });

  test("reaches to the end of a cover far ahead, and has its warnings", async () => {
    const { rota, start } = await makeRotation();
    const body = absence(rota, start + 100 * DAY);
    const preview = await rota.account.api("POST", "/absences?preview=true", body);
    expect(preview.body).toMatchObject({ unchanged: false, warnings: [] });
    expect(preview.body.window.end).toBe(iso(start + 107 * DAY));
    const none = await rota.account.api("POST", "/absences?preview=true", {
      ...body,
      account_user_id: rota.ids("D")[0],
      covering_account_user_id: rota.ids("A")[0],
    });
    expect(none.body).toMatchObject({ unchanged: true, warnings: [{ reason: "no_shifts" }] });
  });
});

describe("refused", () => {
  test("invalid absences, with the fields", async () => {
    const { rota, start } = await makeRotation();
    const attempt = async (more: Record<string, unknown>) => {
      const reply = await rota.account.api("POST", "/absences", absence(rota, start, more));
      return [reply.status, faultyFields(reply)];
    };
    const who = "covering_account_user_id";
    expect(await attempt({ end_datetime: iso(start) })).toEqual([422, ["end_datetime"]]);
    expect(await attempt({ end_datetime: iso(start + 733 * DAY) })).toEqual([
      422,
      ["end_datetime"],
    ]);
    expect(
      await attempt({ start_datetime: iso(start - 9 * DAY), end_datetime: iso(start - 8 * DAY) }),
    ).toEqual([422, ["end_datetime"]]);
    expect(await attempt({ [who]: null })).toEqual([422, [who]]);
    expect(await attempt({ [who]: rota.ids("A")[0] })).toEqual([422, [who]]);
    expect(await attempt({ instead: "empty" })).toEqual([422, [who]]);
    expect(await attempt({ instead: "everybody" })).toEqual([422, ["instead"]]);
    expect(await attempt({ schedule_ids: ["skd_x"] })).toEqual([422, ["schedule_ids"]]);
  });

  test("a second one of the person that decides in the same time, naming the first", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const first = await create(rota, absence(rota, start));
    const overlapping = await api("POST", "/absences", absence(rota, start + 6 * DAY));
    expect([overlapping.status, faultyFields(overlapping)]).toEqual([422, ["start_datetime"]]);
    expect(overlapping.text).toContain(first.prefix_id);
    const next = await create(rota, absence(rota, start + 7 * DAY));
    const moved = await api("PUT", `/absences/${next.id}`, {
      start_datetime: iso(start + 5 * DAY),
    });
    expect([moved.status, faultyFields(moved)]).toEqual([422, ["start_datetime"]]);
    const both = await Promise.all(
      [20, 21].map((day) => api("POST", "/absences", absence(rota, start + day * DAY))),
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
    expect((await member("POST", "/absences", own)).status).toBe(403);
    expect((await teamAdmin("POST", "/absences", absence(rota, start))).status).toBe(403);
    const made = await teamAdmin("POST", "/absences", own);
    expect(made.status, made.text).toBe(201);
    const path = `/absences/${made.body.id}`;
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
    const days = (await week(rota, start)).join("");
    expect(days).not.toContain("A");
    expect(days).toContain("D");
    await rota.event("A", {
      layer: 2,
      start_datetime: iso(start + DAY),
      end_datetime: iso(start + 2 * DAY),
    });
    expect((await week(rota, start, 2)).join("")).toBe("-D-----");
  });

  test("hours that no longer exist are not covered any longer", async () => {
    const { rota, start, event } = await makeRotation();
    const cover = await create(rota, absence(rota, start));
    const people = { account_user_ids: rota.ids("BC"), effective_at: iso(start) };
    await rota.account.api("PUT", `/events/${event.id}`, people);
    const { body } = await rota.account.api("GET", `/absences/${cover.id}`);
    expect(body).toMatchObject({ shifts: [], warnings: [{ reason: "no_shifts" }] });
    expect((await week(rota, start)).join("")).not.toMatch(/[AD]/);
  });

  test("hours that are given back by hand stay so, are shown, and are covered once it is decided anew", async () => {
    const { rota, start, event } = await makeRotation();
    const { api } = rota.account;
    const cover = await create(rota, absence(rota, start));
    const path = `/absences/${cover.id}`;
    await byHand(rota, event.id, start + 3 * DAY, "A");
    expect((await week(rota, start)).join("")).toBe("DBCABCD");
    // What comes into being later is covered all the same.
    await rota.event("A", {
      layer: 2,
      start_datetime: iso(start),
      end_datetime: iso(start + HOUR),
    });
    expect((await week(rota, start, 2))[0]).toBe("D");
    expect((await week(rota, start)).join("")).toBe("DBCABCD");
    const { body: shown } = await api("GET", path);
    expect(shown.shifts).toHaveLength(3);
    expect(shown).toMatchObject({
      uncovered: [{ start_time: iso(start + 3 * DAY), end_time: iso(start + 4 * DAY) }],
      warnings: [],
    });
    await api("PUT", path, { reason: "Holiday", end_datetime: cover.end_datetime });
    expect((await week(rota, start)).join("")).toBe("DBCABCD");
    const decided = await api("PUT", path, { schedule_ids: [rota.scheduleId] });
    expect(decided.body.shifts).toHaveLength(4);
    expect(decided.body.uncovered).toEqual([]);
    expect((await week(rota, start)).join("")).toBe("DBCDBCD");
  });

  test("hours that are given to somebody else by hand are no longer the absence's", async () => {
    const { rota, start, event } = await makeRotation();
    const { api } = rota.account;
    const cover = await create(rota, absence(rota, start));
    await byHand(rota, event.id, start, "C");
    const again = { schedule_ids: [rota.scheduleId] };
    const decided = await api("PUT", `/absences/${cover.id}`, again);
    expect(startsOf(decided.body)).toEqual([iso(start + 3 * DAY), iso(start + 6 * DAY)]);
    expect((await week(rota, start)).join("")).toBe("CBCDBCD");
    await api("DELETE", `/absences/${cover.id}`);
    expect((await week(rota, start)).join("")).toBe("CBCABCA");
  });

  test("a running shift is cut when the cover is taken back; what was served stays", async () => {
    const rota = await makeRota("ABCD");
    const start = Math.floor(Date.now() / DAY) * DAY - DAY;
    await rota.event("A", { start_datetime: iso(start), end_datetime: iso(start + 9 * DAY) });
    const cover = await create(rota, absence(rota, start));
    expect(await rota.now()).toEqual(["1 D"]);
    expect(Date.parse(cover.shifts[0].start_time)).toBeGreaterThan(Date.now() - 60_000);
    await rota.account.api("DELETE", `/absences/${cover.id}`);
    expect(await rota.now()).toEqual(["1 A"]);
    const lines = await rota.window(iso(start), iso(start + 9 * DAY));
    expect(lines.map((line) => line.at(-1))).toEqual(["A", "D", "A"]);
    expect((await rota.account.api("GET", "/events")).body.total_count).toBe(1);
  });
});

describe("when people leave the account", () => {
  test("the absences of a person end", async () => {
    const { rota, start } = await makeRotation("BCA");
    const { api } = rota.account;
    const [b, d] = rota.ids("BD");
    await create(rota, absence(rota, start, { account_user_id: b, covering_account_user_id: d }));
    expect((await week(rota, start)).join("")).toBe("DCADCAD");
    expect((await api("DELETE", `/account_users/${b}`)).status).toBe(204);
    expect((await api("GET", "/absences")).body.total_count).toBe(0);
    expect((await week(rota, start)).join("")).not.toMatch(/[BD]/);
  });

  test("the hours of who covers go back to the absent person, and it is said", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const cover = await create(rota, absence(rota, start));
    expect((await api("DELETE", `/account_users/${rota.ids("D")[0]}`)).status).toBe(204);
    expect((await week(rota, start)).join("")).toBe("ABCABCA");
    const { body } = await api("GET", `/absences/${cover.id}`);
    expect(body).toMatchObject({ shifts: [], covering_account_user_id: null });
    expect(body.warnings).toMatchObject([{ reason: "substitute_left" }]);
    expect(body.uncovered).toHaveLength(3);
  });
});
