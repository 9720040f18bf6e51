// The history of a schedule: what each kind of change records, what can be undone and what cannot.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { newCalendar } from "../../../support/oncall/calendars.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();
const tomorrow = () => Math.floor(Date.now() / DAY) * DAY + 2 * DAY;

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

const pathOf = ({ scheduleId }: Rota) => `/schedules/${scheduleId}/changes`;

/** The entries, newest first. */
async function history(rota: Rota) {
  const { status, body, text } = await rota.account.api("GET", pathOf(rota));
  expect(status, text).toBe(200);
  return body.data;
}

const undo = (rota: Rota, id: string, headers: Record<string, string> = {}) =>
  rota.account.api("POST", `${pathOf(rota)}/${id}/undo`, undefined, headers);

async function week(rota: Rota, start: number): Promise<string> {
  const lines = await rota.window(iso(start), iso(start + 7 * DAY));
  return lines.map((line) => line.split(" ")[2]).join("");
}

const storedChanges = async ({ account }: Rota) => {
  const query = env.DB.prepare("select * from changes where account_id = ? order by id");
  return (await query.bind(account.accountId).all()).results;
};

describe("the history of a schedule", () => {
  test("shows who changed what, and whose hours", async () => {
    const { rota, event } = await makeRotation();
    const { api } = rota.account;
    await api("PUT", `/events/${event.id}`, { account_user_ids: rota.ids("ABD") });
    const [change, made] = await history(rota);
    expect(change).toMatchObject({
      actor_kind: "key",
      account_user_id: rota.account.accountUserId,
      verb: "update",
      record_kind: "event",
      record_id: event.id,
      event_ids: [event.id],
      schedule_ids: [rota.scheduleId],
      undoable: true,
      not_undoable_reason: null,
    });
    expect(change.fields).toContain("account_user_ids");
    expect(change.fields).not.toContain("layer");
    const gained = change.hours.find((it: { account_user_id: string }) =>
      rota.ids("D").includes(it.account_user_id),
    );
    expect(gained.after).toBeGreaterThan(gained.before);
    expect(change.api_key_id).toMatch(/^[0-9A-Z]{26}$/);
    expect(made).toMatchObject({ verb: "create", undoable: false });
    expect(made.not_undoable_reason).toContain(change.prefix_id);
    const { body } = await api("GET", `${pathOf(rota)}/${change.prefix_id}`);
    const hours = new Map(
      body.effect.hours.map((it: { account_user_id: string; before: number; after: number }) => [
        rota.letters([it.account_user_id]),
        Math.sign(it.after - it.before),
      ]),
    );
    expect(hours.get("C")).toBe(-1);
    expect(hours.get("D")).toBe(1);
    expect(body.effect.gaps_opened).toEqual([]);
    expect(body.effect.changes[0].account_user_ids_after).toEqual(rota.ids("D"));
  });

  test("has one entry per change, also if changes are made at the same time", async () => {
    const { rota, event } = await makeRotation();
    const { api } = rota.account;
    const before = (await history(rota)).length;
    const replies = await Promise.all(
      [2, 3, 4, 5].map((layer) => api("PUT", `/events/${event.id}`, { layer })),
    );
    const done = replies.filter(({ status }) => status === 200).length;
    expect((await history(rota)).length - before).toBe(done);
    expect((await api("PUT", `/events/${event.id}`, { layer: 0 })).status).toBe(422);
    expect((await history(rota)).length - before).toBe(done);
  });

  test("stores two rows for a change in one schedule, and no secrets", async () => {
    const { rota, event } = await makeRotation();
    const { api, accountId } = rota.account;
    const count = async () => {
      const sql = `select (select count(*) from changes where account_id = ?1)
        + (select count(*) from change_schedules where account_id = ?1) as n`;
      return Number(await env.DB.prepare(sql).bind(accountId).first("n"));
    };
    const before = await count();
    await api("PUT", `/events/${event.id}`, { layer: 2 });
    expect((await count()) - before).toBe(2);
    const url = "https://calendar.example.com/very-secret-address.ics";
    const { body } = await api("POST", "/calendar_imports", {
      schedule_id: rota.scheduleId,
      name: "Shifts",
      url,
    });
    await api("PUT", `/calendar_imports/${body.id}`, { name: "Other", url: `${url}?2` });
    const rows = await storedChanges(rota);
    expect(JSON.stringify(rows)).not.toContain("very-secret");
    const [latest] = await history(rota);
    expect(latest).toMatchObject({ record_kind: "calendar_import", record_name: "Other" });
    expect(latest.fields).toEqual(expect.arrayContaining(["name", "url"]));
  });

  test("has what changes without a caller: calendars and departures", async () => {
    const { rota, event } = await makeRotation();
    const { api } = rota.account;
    const ical = newCalendar([{ summary: rota.colleagues.get("B")?.email ?? "" }]);
    await api("POST", "/calendar_imports", { schedule_id: rota.scheduleId, name: "Mine", ical });
    const isRead = (it: { verb: string }) => it.verb === "read";
    const read = (await history(rota)).find(isRead);
    expect(read).toMatchObject({ verb: "read", actor_kind: "system", record_name: "Mine" });
    expect(read.event_ids).toHaveLength(1);
    expect((await api("DELETE", `/account_users/${rota.ids("C")[0]}`)).status).toBe(204);
    const entries = await history(rota);
    const left = entries.find((it: { record_kind: string }) => it.record_kind === "account_user");
    expect(left).toMatchObject({ verb: "delete", account_user_id: rota.account.accountUserId });
    expect(left.undoable).toBe(false);
    expect(left.event_ids).toContain(event.id);
  });
});

describe("an undo", () => {
  test("is refused while a later change depends on it, and possible after that is undone", async () => {
    const { rota, start, event } = await makeRotation();
    const { api } = rota.account;
    await api("PUT", `/events/${event.id}`, { account_user_ids: rota.ids("CBA") });
    const middle = await week(rota, start);
    await api("PUT", `/events/${event.id}`, { account_user_ids: rota.ids("AD") });
    const [second, first] = await history(rota);
    const refused = await undo(rota, first.id);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(second.prefix_id);
    const preview = await api("POST", `${pathOf(rota)}/${first.id}/undo?preview=true`);
    expect(preview.status).toBe(409);
    expect((await undo(rota, second.prefix_id)).status).toBe(201);
    expect(await week(rota, start)).toBe(middle);
    expect((await undo(rota, second.id)).status).toBe(409);
    const undone = await undo(rota, first.id);
    expect(undone.status, undone.text).toBe(201);
    expect(await week(rota, start)).toBe("ABCABCA");
    // The second one cannot apply again: it was made on top of the first one.
    const entries = await history(rota);
    const [, undoOfSecond] = entries;
    expect(undoOfSecond.undoes_id).toBe(second.id);
    expect((await undo(rota, undoOfSecond.id)).status).toBe(409);
    expect((await undo(rota, undone.body.id)).status).toBe(201);
    expect((await undo(rota, undoOfSecond.id)).status).toBe(201);
    expect((await week(rota, start)).replaceAll(/[AD]/g, "")).toBe("");
  });

  test("is done once, also if it is sent several times", async () => {
    const { rota, start, event } = await makeRotation();
    await rota.account.api("DELETE", `/events/${event.id}`);
    expect(await week(rota, start)).toBe("");
    const [change] = await history(rota);
    const replies = await Promise.all([1, 2, 3].map(() => undo(rota, change.id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await week(rota, start)).toBe("ABCABCA");
    const { body } = await rota.account.api("GET", `/events/${event.id}`);
    expect(body.created_at).toBe((await storedEvent(event.id)).created);
    const key = { "Idempotency-Key": "undo-once" };
    const [undone] = await history(rota);
    const [one, two] = [await undo(rota, undone.id, key), await undo(rota, undone.id, key)];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(one.body.id).toBe(two.body.id);
    expect(await week(rota, start)).toBe("");
  });

  test("and a change at the same time: never half of each", async () => {
    for (let round = 0; round < 4; round++) {
      const { rota, start, event } = await makeRotation();
      const { api } = rota.account;
      await api("PUT", `/events/${event.id}`, { account_user_ids: rota.ids("CD") });
      const [change] = await history(rota);
      const [undone, edited] = await Promise.all([
        undo(rota, change.id),
        api("PUT", `/events/${event.id}`, { layer: 2 }),
      ]);
      expect([201, 409]).toContain(undone.status);
      expect(edited.status).toBe(200);
      const served = await week(rota, start);
      expect(served).toBe(undone.status === 201 ? "ABCABCA" : served.replaceAll(/[AB]/g, ""));
      const entries = await history(rota);
      const verbs = entries.map((it: { verb: string }) => it.verb);
      expect(verbs.filter((it: string) => it === "undo")).toHaveLength(
        undone.status === 201 ? 1 : 0,
      );
    }
  });

  test("does not put back people who left, and leaves what they served", async () => {
    const { rota, start, event } = await makeRotation();
    const { api } = rota.account;
    await api("PUT", `/events/${event.id}`, { account_user_ids: rota.ids("AB") });
    const [change] = await history(rota);
    expect((await api("DELETE", `/account_users/${rota.ids("C")[0]}`)).status).toBe(204);
    const undone = await undo(rota, change.id);
    expect(undone.status, undone.text).toBe(201);
    expect((await week(rota, start)).replaceAll(/[AB]/g, "")).toBe("");
    expect(await week(rota, start)).toHaveLength(7);
  });

  test("takes an absence back, makes it again, and changes it back", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const { body: cover } = await api("POST", "/absences", {
      account_user_id: rota.ids("A")[0],
      start_datetime: iso(start),
      end_datetime: iso(start + 30 * DAY),
      instead: "person",
      covering_account_user_id: rota.ids("D")[0],
      reason: "A private matter",
    });
    expect(await week(rota, start)).toBe("DBCDBCD");
    const [made] = await history(rota);
    expect(made).toMatchObject({ record_kind: "absence", verb: "create" });
    await api("PUT", `/absences/${cover.id}`, { covering_account_user_id: rota.ids("B")[0] });
    const [changed] = await history(rota);
    expect((await undo(rota, changed.id)).status).toBe(201);
    expect(await week(rota, start)).toBe("DBCDBCD");
    const preview = await api("POST", `${pathOf(rota)}/${made.id}/undo?preview=true`);
    expect(preview.body.schedules[0].changes.length).toBeGreaterThan(0);
    const takenBack = await undo(rota, made.id);
    expect(takenBack.status, takenBack.text).toBe(201);
    expect(await week(rota, start)).toBe("ABCABCA");
    expect((await undo(rota, takenBack.body.id)).status).toBe(201);
    expect(await week(rota, start)).toBe("DBCDBCD");
    expect(JSON.stringify(await storedChanges(rota))).not.toContain("private matter");
  });

  test("of an absence from all schedules is for account admins, once it would be made anew", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    await api("PUT", `/teams/${rota.teamId}`, { admin_account_user_ids: rota.ids("AB") });
    const { body: cover } = await api("POST", "/absences", {
      account_user_id: rota.ids("A")[0],
      start_datetime: iso(start),
      end_datetime: iso(start + 7 * DAY),
      instead: "empty",
    });
    await api("DELETE", `/absences/${cover.id}`);
    const [deleted] = await history(rota);
    expect(deleted).toMatchObject({ verb: "delete", record_kind: "absence" });
    const path = `${pathOf(rota)}/${deleted.id}/undo`;
    expect((await rota.colleagues.get("B")?.api("POST", path))?.status).toBe(403);
    expect((await api("POST", path)).status).toBe(201);
  });

  test("of an absence that asks is refused with the reason, and so is that of a former record", async () => {
    const { rota, start } = await makeRotation();
    const { api, accountId } = rota.account;
    const { body: asking } = await api("POST", "/absences", {
      ...{ instead: "ask", account_user_id: rota.ids("B")[0], account_user_ids: rota.ids("D") },
      ...{ start_datetime: iso(start + DAY), end_datetime: iso(start + 2 * DAY) },
    });
    const accepted = await rota.colleagues.get("D")?.api("POST", `/absences/${asking.id}/accept`);
    expect(accepted?.status, accepted?.text).toBe(200);
    expect(await week(rota, start)).toBe("ADCABCA");
    const [accept] = await history(rota);
    expect(accept).toMatchObject({ record_kind: "absence", verb: "accept", undoable: false });
    expect(accept.not_undoable_reason).toContain("take the absence back");
    const { body: shown } = await api("GET", `${pathOf(rota)}/${accept.id}`);
    expect(shown.effect.changes).toMatchObject([
      { account_user_ids_before: rota.ids("B"), account_user_ids_after: rota.ids("D") },
    ]);
    await api("PUT", `/absences/${asking.id}`, { end_datetime: iso(start + 6 * DAY) });
    const [longer] = await history(rota);
    expect(longer.not_undoable_reason).toContain("people were asked");
    expect((await undo(rota, longer.id)).status).toBe(409);
    // As a former version has written it.
    const image = {
      ...{ account_user_id: rota.ids("C")[0], covered_by: "nobody", schedule_ids: "[]" },
      ...{ start_datetime: start, end_datetime: start + 9 * DAY },
    };
    const write = `update changes set kind = 'cover', irreversible = null, record_before = null,
      record_after = ?, record_id = 'cover' where account_id = ? and id = ?`;
    await env.DB.prepare(write).bind(JSON.stringify(image), accountId, longer.id).run();
    const { body: old } = await api("GET", `${pathOf(rota)}/${longer.id}`);
    expect(old).toMatchObject({ record_kind: "cover", undoable: false });
    expect(old.not_undoable_reason).toContain("it is an absence now");
    expect(old.effect.changes[0]).toMatchObject({
      ...{ account_user_ids_before: rota.ids("C"), account_user_ids_after: [] },
    });
    expect((await undo(rota, longer.id)).status).toBe(409);
  });

  test("of an override gives its hours back to the absence, and undone again takes them out", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const { body: cover } = await api("POST", "/absences", {
      account_user_id: rota.ids("A")[0],
      start_datetime: iso(start),
      end_datetime: iso(start + 7 * DAY),
      instead: "person",
      covering_account_user_id: rota.ids("D")[0],
    });
    const [shift] = cover.shifts;
    const times = { start_datetime: shift.start_time, end_datetime: shift.end_time };
    await api("POST", "/events", {
      ...{ parent_id: shift.event_id, ...times, layer: 1, time_zone: "UTC" },
      account_user_ids: rota.ids("A"),
    });
    expect(await week(rota, start)).toBe("ABCDBCD");
    const [change] = await history(rota);
    expect((await undo(rota, change.id)).status).toBe(201);
    expect(await week(rota, start)).toBe("DBCDBCD");
    const [undone] = await history(rota);
    expect((await undo(rota, undone.id)).status).toBe(201);
    expect(await week(rota, start)).toBe("ABCDBCD");
    const anew = { schedule_ids: [rota.scheduleId] };
    expect((await api("PUT", `/absences/${cover.id}`, anew)).status).toBe(200);
    expect(await week(rota, start)).toBe("DBCDBCD");
  });

  test("restores a flushed schedule and its former name, but not a deleted one", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    await api("PUT", `/schedules/${rota.scheduleId}`, { name: "Renamed" });
    const [renamed] = await history(rota);
    expect(renamed.fields).toEqual(["name"]);
    expect((await undo(rota, renamed.id)).status).toBe(201);
    const { body } = await api("GET", `/schedules/${rota.scheduleId}`);
    expect(body.name).not.toBe("Renamed");
    expect((await api("DELETE", `/schedules/${rota.scheduleId}/flush`)).status).toBe(204);
    expect(await week(rota, start)).toBe("");
    const [flushed] = await history(rota);
    expect(flushed).toMatchObject({ verb: "flush", undoable: true });
    expect((await undo(rota, flushed.id)).status).toBe(201);
    expect(await week(rota, start)).toBe("ABCABCA");
    await api("DELETE", `/schedules/${rota.scheduleId}`);
    const rows = await storedChanges(rota);
    expect(rows.at(-1)).toMatchObject({ verb: "delete", irreversible: "schedule_deleted" });
  });

  test("switches a team back to its schedule", async () => {
    const { rota } = await makeRotation();
    const { api } = rota.account;
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    const path = `/teams/${rota.teamId}`;
    const scheduleOf = async () => (await api("GET", path)).body.schedule_id;
    await api("PUT", path, { schedule_id: other.id });
    const [switched] = await history(rota);
    expect(switched).toMatchObject({ record_kind: "team", undoable: true });
    const undone = await undo(rota, switched.id);
    expect([undone.status, await scheduleOf()], undone.text).toEqual([201, rota.scheduleId]);
    expect((await undo(rota, undone.body.id)).status).toBe(201);
    expect(await scheduleOf()).toBe(other.id);
    // What else the request changed would stay.
    await api("PUT", path, { schedule_id: rota.scheduleId, notes: "Changed" });
    const [both] = await history(rota);
    expect(both).toMatchObject({ undoable: false, not_undoable_reason: expect.any(String) });
    await api("PUT", path, { schedule_id: other.id });
    const [last] = await history(rota);
    await api("PUT", path, { schedule_id: rota.scheduleId });
    expect((await undo(rota, last.id)).status).toBe(409);
    const [back] = await history(rota);
    await api("DELETE", `/schedules/${other.id}`);
    const gone = await undo(rota, back.id);
    expect([gone.status, gone.text.includes("was deleted")], gone.text).toEqual([409, true]);
  });

  test("puts people back into a team and the rotations that they left with it", async () => {
    const { rota, start } = await makeRotation();
    const { api } = rota.account;
    const path = `/teams/${rota.teamId}`;
    const members = async () => {
      const { body } = await api("GET", path);
      return body.member_account_user_ids;
    };
    await api("PUT", path, { member_account_user_ids: rota.ids("ABC") });
    const { body: policy } = await api("POST", "/escalation_policies", { name: "Other" });
    const { escalation_policy_id: former } = (await api("GET", path)).body;
    const left = { member_account_user_ids: rota.ids("AB"), leave_schedule: true };
    await api("PUT", path, { ...left, escalation_policy_id: policy.id });
    expect(await week(rota, start)).toBe("ABABABA");
    const [leaving] = await history(rota);
    expect(leaving).toMatchObject({ record_kind: "team", undoable: true });
    // Added elsewhere since: this is no change of the team that would stand in the way.
    const { body: zoe } = await api("POST", "/account_users", {
      user_attributes: { name: "Zoe", emails_attributes: [{ email: "zoe@example.com" }] },
      member_team_ids: [rota.teamId],
    });
    const undone = await undo(rota, leaving.id);
    expect([undone.status, await week(rota, start)], undone.text).toEqual([201, "ABCABCA"]);
    expect(await members()).toEqual([...rota.ids("AB"), zoe.id, ...rota.ids("C")]);
    expect((await api("GET", path)).body.escalation_policy_id).toBe(former);
    expect((await undo(rota, undone.body.id)).status).toBe(201);
    expect(await week(rota, start)).toBe("ABABABA");
    expect(await members()).toEqual([...rota.ids("AB"), zoe.id]);
    // Changes of notes alone are no part of the schedule's history, and block nothing.
    await api("PUT", path, { notes: "Changed" });
    const [redone] = await history(rota);
    expect(redone).toMatchObject({ verb: "undo", undoable: true });
    // Who has left the account is not put back.
    await api("DELETE", `/account_users/${rota.ids("C")[0]}`);
    expect((await undo(rota, redone.id)).status).toBe(201);
    expect(await members()).toEqual([...rota.ids("AB"), zoe.id]);
  });

  test("of a team is for who administers it and all teams with its former policy", async () => {
    const { rota } = await makeRotation();
    const { api } = rota.account;
    const path = `/teams/${rota.teamId}`;
    await api("PUT", path, { admin_account_user_ids: rota.ids("AB") });
    const { escalation_policy_id: former } = (await api("GET", path)).body;
    const { body: policy } = await api("POST", "/escalation_policies", { name: "Other" });
    await api("PUT", path, { escalation_policy_id: policy.id });
    const [switched] = await history(rota);
    const people = rota.ids("A");
    const { body: other } = await api("POST", "/teams", {
      name: "Other",
      escalation_policy_id: former,
      member_account_user_ids: people,
      admin_account_user_ids: people,
    });
    const ben = rota.colleagues.get("B");
    const undoPath = `${pathOf(rota)}/${switched.id}/undo`;
    expect((await ben?.api("POST", undoPath))?.status).toBe(403);
    await api("DELETE", `/teams/${other.id}`);
    expect((await ben?.api("POST", undoPath))?.status).toBe(201);
  });

  test("gives an import its layer and name back, but not its source", async () => {
    const { rota } = await makeRotation();
    const { api } = rota.account;
    const ical = newCalendar([{ summary: rota.colleagues.get("B")?.email ?? "" }]);
    const made = { schedule_id: rota.scheduleId, name: "Mine", ical };
    const { body } = await api("POST", "/calendar_imports", made);
    const path = `/calendar_imports/${body.id}`;
    const latest = async (verb: string) =>
      (await history(rota)).find((it: { verb: string }) => it.verb === verb);
    const layers = async () => {
      const { data } = (await api("GET", "/events")).body;
      const imported = data.filter((it: { import_id: string | null }) => it.import_id === body.id);
      return imported.map(({ layer }: { layer: number }) => layer);
    };
    await api("PUT", path, { layer: 2, name: "Yours" });
    expect(await layers()).toEqual([2]);
    const undone = await undo(rota, (await latest("update")).id);
    expect(undone.status, undone.text).toBe(201);
    expect((await api("GET", path)).body).toMatchObject({ layer: 1, name: "Mine" });
    expect(await layers()).toEqual([1]);
    await api("PUT", path, { ical: newCalendar([]) });
    expect(await latest("update")).toMatchObject({ undoable: false });
    expect((await undo(rota, (await latest("update")).id)).status).toBe(409);
  });

  test("finds only changes of the schedule and of the account", async () => {
    const [{ rota, event }, other] = [await makeRotation(), await makeRotation()];
    await rota.account.api("PUT", `/events/${event.id}`, { layer: 2 });
    const [change] = await history(rota);
    const { api } = other.rota.account;
    const { body: empty } = await api("POST", "/schedules", { name: "Other" });
    for (const schedule of [rota.scheduleId, other.rota.scheduleId, empty.id]) {
      const path = `/schedules/${schedule}/changes/${change.id}`;
      expect((await api("GET", path)).status).toBe(404);
      expect((await api("POST", `${path}/undo`)).status).toBe(404);
      expect((await api("POST", `${path}/undo?preview=true`)).status).toBe(404);
    }
    const elsewhere = `/schedules/${empty.id}/changes`;
    expect((await rota.account.api("GET", elsewhere)).status).toBe(404);
    const { body: second } = await rota.account.api("POST", "/schedules", { name: "Second" });
    const misplaced = `/schedules/${second.id}/changes/${change.id}`;
    expect((await rota.account.api("GET", misplaced)).status).toBe(404);
    expect((await rota.account.api("POST", `${misplaced}/undo`)).status).toBe(404);
  });

  test("is for admins of all teams concerned", async () => {
    const { rota, event } = await makeRotation();
    const { api } = rota.account;
    await api("PUT", `/events/${event.id}`, { layer: 2 });
    const [change] = await history(rota);
    const member = rota.colleagues.get("B");
    const refused = await member?.api("POST", `${pathOf(rota)}/${change.id}/undo`);
    expect(refused?.status).toBe(403);
    await api("PUT", `/teams/${rota.teamId}`, { admin_account_user_ids: rota.ids("AB") });
    const allowed = await member?.api("POST", `${pathOf(rota)}/${change.id}/undo`);
    expect(allowed?.status, allowed?.text).toBe(201);
    expect(allowed?.body.account_user_id).toBe(rota.ids("B")[0]);
  });
});

async function storedEvent(id: string) {
  const at = await env.DB.prepare("select created_at from events where id = ?").bind(id).first();
  return { created: iso(Number(at?.created_at)) };
}
