// Changes of shifts that somebody served who has since left the account: what was served stays, and
// nobody who has left is put on call.
import { expect, test } from "vitest";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";

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
  const { rota, event, overrideId } = await rotaWith(rule, shift);
  for (const letter of "BCD") await leave(rota, letter);
  const window = [iso(shift), iso(shift + DAY)] as const;
  const before = await rota.window(...window);
  expect(before, "what was served stays").toHaveLength(3);
  const body = { action_time: iso(shift + 3 * HOUR) };
  const preview = await rota.amend(event.id, "remove_part?preview=true", body);
  expect(preview.status, preview.text).toBe(200);
  const removed = await rota.amend(event.id, "remove_part", body);
  expect(removed.status, removed.text).toBe(200);
  expect(removed.body.events_kept).toContain(overrideId);
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
