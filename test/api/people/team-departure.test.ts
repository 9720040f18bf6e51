// Leaving a team: people stay in the rotations of its schedule unless the change says otherwise.
import { describe, expect, test } from "vitest";
import { formsOf, bodyOf as submittedBy } from "../../support/api/forms.ts";
import { makeRota, type Rota } from "../../support/oncall/rota.ts";
import { faultyFields } from "../../support/people/people.ts";
import { signInAdmin } from "../../support/worker/console.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

/** A, B and C take daily turns since two days ago: C is on call. */
async function makeRunning() {
  const rota = await makeRota("ABC");
  const today = Math.floor(Date.now() / DAY) * DAY;
  const event = await rota.event("ABC", {
    start_datetime: iso(today - 2 * DAY),
    end_datetime: iso(today - DAY),
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
  });
  const path = `/teams/${rota.teamId}`;
  return { rota, today, event, path };
}

/** Who serves each of seven days, the first two of which are past. */
async function days(rota: Rota, today: number): Promise<string> {
  const lines = await rota.window(iso(today - 2 * DAY), iso(today + 5 * DAY));
  return lines.map((line) => line.split(" ")[2]).join("");
}

const without = (rota: Rota, letters: string, more: Record<string, unknown> = {}) => ({
  member_account_user_ids: rota.ids(letters),
  ...more,
});

describe("a person who leaves a team", () => {
  test("stays in the rotations of its schedule by default", async () => {
    const { rota, today, path } = await makeRunning();
    const left = await rota.account.api("PUT", path, without(rota, "AB"));
    expect(left.status, left.text).toBe(200);
    expect(await days(rota, today)).toBe("ABCABCA");
  });

  test("leaves them with leave_schedule, serves out a turn, and has served what they did", async () => {
    const { rota, today, path } = await makeRunning();
    const { api } = rota.account;
    const body = without(rota, "AB", { leave_schedule: true });
    const preview = await api("PUT", `${path}?preview=true`, body);
    expect([preview.status, preview.body.schedules[0].changes[0]], preview.text).toMatchObject([
      200,
      { account_user_ids_before: rota.ids("C"), account_user_ids_after: rota.ids("A") },
    ]);
    expect(await days(rota, today)).toBe("ABCABCA");
    expect((await api("PUT", path, body)).body.member_account_user_ids).toEqual(rota.ids("AB"));
    expect(await days(rota, today)).toBe("ABCABAB");
    const again = await api("PUT", `${path}?preview=true`, body);
    expect(again.body.unchanged).toBe(true);
  });

  test("stays if they are still an admin, or another team of theirs uses the schedule", async () => {
    const { rota, today, path } = await makeRunning();
    const { api } = rota.account;
    const admins = { admin_account_user_ids: rota.ids("AC"), leave_schedule: true };
    await api("PUT", path, without(rota, "AB", admins));
    expect(await days(rota, today)).toBe("ABCABCA");
    const other = await api("POST", "/teams", {
      name: "Other",
      schedule_id: rota.scheduleId,
      member_account_user_ids: rota.ids("C"),
      admin_account_user_ids: rota.ids("A"),
    });
    expect(other.status, other.text).toBe(201);
    const body = { admin_account_user_ids: rota.ids("A"), leave_schedule: true };
    expect((await api("PUT", path, body)).status).toBe(200);
    expect(await days(rota, today)).toBe("ABCABCA");
  });

  test("cannot be the last of a rotation", async () => {
    const { rota, today, path } = await makeRunning();
    await rota.event("B", {
      ...{ start_datetime: iso(today), end_datetime: iso(today + DAY), layer: 2 },
      ...{ repeat: true, frequency: 1, frequency_unit: "daily", rotation: true },
    });
    const body = without(rota, "AC", { leave_schedule: true });
    const refused = await rota.account.api("PUT", path, body);
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["leave_schedule"]]);
    expect(await days(rota, today)).toContain("B");
    const { body: team } = await rota.account.api("GET", path);
    expect(team.member_account_user_ids).toHaveLength(3);
  });

  test("is taken out by a team's admin only if other teams do not use the rotations", async () => {
    const { rota, today, path } = await makeRunning();
    const { api } = rota.account;
    const ben = rota.colleagues.get("B");
    await api("PUT", path, { admin_account_user_ids: rota.ids("AB") });
    await api("POST", "/teams", {
      name: "Other",
      schedule_id: rota.scheduleId,
      member_account_user_ids: rota.ids("A"),
      admin_account_user_ids: rota.ids("A"),
    });
    const body = without(rota, "AB", { leave_schedule: true });
    expect((await ben?.api("PUT", path, body))?.status).toBe(403);
    expect((await ben?.api("PUT", path, without(rota, "ABC")))?.status).toBe(200);
    expect(await days(rota, today)).toBe("ABCABCA");
    await api("DELETE", `/teams/${(await api("GET", "/teams?name=Other")).body.data[0].id}`);
    expect((await ben?.api("PUT", path, body))?.status).toBe(200);
    expect(await days(rota, today)).toBe("ABCABAB");
  });

  test("is asked about in the form of the team", async () => {
    const { rota, today, path } = await makeRunning();
    const browser = await signInAdmin(rota.account);
    const page = await browser.get(path);
    const form = formsOf(page.text).find(({ action }) => action === path);
    if (!form) throw new Error("there is no form");
    const fields = { ...submittedBy(form), "member_account_user_ids[]": rota.ids("AB") };
    expect(fields).not.toHaveProperty("leave_schedule");
    const saved = await browser.submit(path, { ...fields, leave_schedule: "true" });
    expect(saved.text).toContain("Changes saved.");
    expect(await days(rota, today)).toBe("ABCABAB");
  });

  test("is not asked about where nobody has shifts, and is shown while they have", async () => {
    const { rota, path } = await makeRunning();
    const { api } = rota.account;
    const browser = await signInAdmin(rota.account);
    const name = "C Person";
    const team = async () =>
      (await api("GET", `${path}/scheduled_account_users`)).body.data
        .map((it: { id: string }) => it.id)
        .toSorted();
    expect(await team()).toEqual(rota.ids("ABC").toSorted());
    const before = (await browser.get(path)).text;
    expect(before).toContain('name="leave_schedule"');
    expect(before).not.toContain("Not in the team, but in its schedule");
    await api("PUT", path, without(rota, "AB"));
    expect(await team()).toEqual(rota.ids("ABC").toSorted());
    const notice = /Not in the team, but in its schedule: .*?<\/p>/s;
    expect(notice.exec((await browser.get(path)).text)?.[0]).toContain(name);
    await api("DELETE", `/schedules/${rota.scheduleId}/flush`);
    expect(await team()).toEqual([]);
    const after = (await browser.get(path)).text;
    expect(after).not.toContain('name="leave_schedule"');
    expect(after).not.toContain("Not in the team, but in its schedule");
  });
});
