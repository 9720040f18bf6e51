// Changes of shifts that somebody served who has since left the account: what was served stays, and
// nobody who has left is put on call.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { bodyOf, formsOf } from "../../../support/api/forms.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { signInAdmin } from "../../../support/worker/console.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FROM = Math.floor(Date.now() / HOUR) * HOUR - 5 * DAY;
const iso = (instant: number) => new Date(instant).toISOString();
const daily = { repeat: true, frequency: 1, frequency_unit: "daily" };

/** An event of B and C from five days ago, with D's override of the shift's third hour. */
async function rotaWith(rule: Record<string, unknown>, shift: number) {
  const rota = await makeRota("ABCD");
  const event = await rota.event("BC", {
    ...{ start_datetime: iso(FROM), end_datetime: iso(FROM + 8 * HOUR) },
    ...rule,
  });
  const made = await rota.amend(event.id, "override", {
    action_time: iso(shift),
    start_time: iso(shift + 2 * HOUR)
      .slice(0, 16)
      .replace("T", " "),
    end_time: iso(shift + 3 * HOUR)
      .slice(0, 16)
      .replace("T", " "),
    layer: 1,
    time_zone: "UTC",
    account_user_ids: rota.ids("D"),
  });
  expect(made.status, made.text).toBe(201);
  return { rota, event, overrideId: String(made.body.id) };
}

const leave = async (rota: Rota, letter: string) => {
  const { status } = await rota.account.api("DELETE", `/account_users/${rota.ids(letter)[0]}`);
  expect(status).toBe(204);
};

const hours = (window: readonly string[]) => window.map((it) => it.slice(2));

test.each<[string, Record<string, unknown>, number]>([
  ["of a rotation", { ...daily, rotation: true }, FROM + DAY],
  ["of people who serve together", { ...daily, rotation: false }, FROM + DAY],
  ["of the first shift of a rotation", { ...daily, rotation: true }, FROM],
  ["that does not repeat", {}, FROM],
])("a shift %s loses one part, and the rest stays with who served it", async (_, rule, shift) => {
  const { rota, event } = await rotaWith(rule, shift);
  for (const letter of "BCD") await leave(rota, letter);
  const window = [iso(shift), iso(shift + DAY)] as const;
  const before = await rota.window(...window);
  expect(before, "what was served stays").toHaveLength(3);
  const body = { action_time: iso(shift + 3 * HOUR) };
  const preview = await rota.amend(event.id, "remove_part?preview=true", body);
  expect(preview.status, preview.text).toBe(200);
  const removed = await rota.amend(event.id, "remove_part", body);
  expect(removed.status, removed.text).toBe(200);
  const { override_id: emptied } = removed.body;
  const { body: empty } = await rota.account.api("GET", `/events/${emptied}`);
  expect(empty).toMatchObject({ parent_id: event.id, account_user_ids: [] });
  expect(hours(await rota.window(...window))).toEqual(hours(before).slice(0, 2));
  const [entry] = (await rota.account.api("GET", `/schedules/${rota.scheduleId}/changes`)).body
    .data;
  const undo = `/schedules/${rota.scheduleId}/changes/${entry.id}/undo`;
  const undone = await rota.account.api("POST", undo);
  expect(undone.status, undone.text).toBeLessThan(300);
  expect(await rota.window(...window)).toEqual(before);
});

test("a part of an override leaves its rest with who served it", async () => {
  const { rota, overrideId } = await rotaWith({ ...daily, rotation: true }, FROM + DAY);
  const start = FROM + DAY + 2 * HOUR;
  const inner = await rota.amend(overrideId, "override", {
    action_time: iso(start),
    start_time: iso(start + HOUR / 4)
      .slice(0, 16)
      .replace("T", " "),
    end_time: iso(start + HOUR / 2)
      .slice(0, 16)
      .replace("T", " "),
    layer: 1,
    time_zone: "UTC",
    account_user_ids: rota.ids("A"),
  });
  expect(inner.status, inner.text).toBe(201);
  await leave(rota, "D");
  const window = [iso(start), iso(start + HOUR)] as const;
  const before = await rota.window(...window);
  expect(before).toHaveLength(3);
  const removed = await rota.amend(overrideId, "remove_part", {
    action_time: iso(start + HOUR / 2),
  });
  expect(removed.status, removed.text).toBe(200);
  const after = await rota.window(...window);
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[2], "the hours return to whom it replaced").toMatch(/C$/);
});

test("a shift before that somebody served who has left is not extended", async () => {
  const rota = await makeRota("ABC");
  const event = await rota.event("BC", {
    ...{ start_datetime: iso(FROM), end_datetime: iso(FROM + DAY), rotation: true },
    ...daily,
  });
  await leave(rota, "B");
  const at = FROM + DAY;
  const body = {
    action_time: iso(at),
    start_datetime: iso(at + 4 * HOUR),
    end_datetime: iso(at + DAY),
    extend_previous_shift: true,
  };
  const preview = await rota.amend(event.id, "preview_following", body);
  expect(preview.body, preview.text).toMatchObject({ extension: null });
  const changed = await rota.amend(event.id, "change_following", body);
  expect(changed.status, changed.text).toBe(200);
  expect(await rota.window(iso(at), iso(at + 4 * HOUR))).toEqual([]);
});

describe("the preview of a person's removal", () => {
  async function rotation() {
    const rota = await makeRota("ABC");
    await rota.event("BC", {
      ...{ start_datetime: iso(FROM), end_datetime: iso(FROM + DAY), rotation: true },
      ...daily,
    });
    const path = `/account_users/${rota.ids("B")[0]}`;
    return { rota, path, window: [iso(Date.now()), iso(FROM + 20 * DAY)] as const };
  }

  test.each([
    ["without erasure", ""],
    ["with erasure", "erase=true&"],
  ])("names who is on call instead, and removes nobody, %s", async (_, erase) => {
    const { rota, path, window } = await rotation();
    const before = await rota.window(...window);
    const preview = await rota.account.api("DELETE", `${path}?${erase}preview=true`);
    expect(preview.status, preview.text).toBe(200);
    expect((await rota.account.api("GET", path)).status).toBe(200);
    expect(await rota.window(...window)).toEqual(before);
    const { body } = preview;
    expect(body.unchanged).toBe(false);
    expect(body.schedules).toHaveLength(1);
    expect(body.schedules[0].gaps_opened).toEqual([]);
    const [removed = "", other = ""] = rota.ids("BC");
    for (const it of body.schedules[0].changes) {
      expect(it.account_user_ids_before).toEqual([removed]);
      expect(it.account_user_ids_after).toEqual([other]);
    }
    const hours = new Map<string, { before: number; after: number }>(
      body.schedules[0].hours.map((it: any) => [it.account_user_id, it]),
    );
    expect(hours.get(other)?.after).toBeGreaterThan(hours.get(other)?.before ?? 0);
    const { status } = await rota.account.api("DELETE", path);
    expect(status).toBe(204);
    expect(new Set((await rota.window(...window)).map((it) => it.slice(-1)))).toEqual(
      new Set(["C"]),
    );
  });

  test("opens a gap where nobody else serves", async () => {
    const { rota, path } = await rotation();
    await leave(rota, "C");
    const preview = await rota.account.api("DELETE", `${path}?preview=true`);
    expect(preview.body.schedules[0].gaps_opened, preview.text).not.toEqual([]);
  });

  test("is refused as the removal is, and empty for who has left", async () => {
    const { rota, path } = await rotation();
    const admin = `/account_users/${rota.ids("A")[0]}`;
    const refused = await rota.account.api("DELETE", `${admin}?preview=true`);
    const really = await rota.account.api("DELETE", admin);
    expect([refused.status, refused.body.errors]).toEqual([really.status, really.body.errors]);
    expect(refused.status).toBe(409);
    await leave(rota, "B");
    expect((await rota.account.api("DELETE", `${path}?preview=true`)).status).toBe(404);
    const requested = () =>
      env.DB.prepare("select * from removed_members order by account_user_id").all();
    const before = await requested();
    const erased = await rota.account.api("DELETE", `${path}?erase=true&preview=true`);
    expect([erased.status, erased.body.unchanged]).toEqual([200, true]);
    expect((await requested()).results, "no erasure is requested").toEqual(before.results);
  });

  test("is what the console asks to confirm", async () => {
    const { rota, path } = await rotation();
    const browser = await signInAdmin(rota.account);
    const page = path.replace("account_users", "people");
    const asked = await browser.submit(`${page}/remove`);
    expect(asked.text).toContain("Remove B Person");
    expect(asked.text).toContain("Payments");
    expect(asked.text).toContain("C Person");
    expect((await rota.account.api("GET", path)).status).toBe(200);
    const form = formsOf(asked.text).find(({ action }) => action === `${page}/remove`);
    if (!form) throw new Error("no form to confirm");
    const stale = await browser.post(`${page}/remove`, { ...bodyOf(form), confirmed: "other" });
    expect(stale.text).toContain("The schedule has changed meanwhile");
    const removed = await browser.post(`${page}/remove`, bodyOf(form));
    expect((await browser.get(removed.to ?? "")).text).toContain("Person removed.");
    expect((await rota.account.api("GET", path)).status).toBe(404);
  });
});
