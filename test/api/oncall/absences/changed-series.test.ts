// Absences beside changes of the series whose hours they give to others: what an absence did is
// decided anew, and never becomes a shift of its own.
import { afterEach, expect, test, vi } from "vitest";
import { DAY, HOUR, iso } from "../../../support/oncall/previewed.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** A, B and C are on call in turns from tomorrow on, each day from 9 to 17. */
async function makeDays(fields: Record<string, unknown> = {}) {
  const rota = await makeRota("ABCV");
  const start = Math.floor(Date.now() / DAY) * DAY + DAY + 9 * HOUR;
  const event = await rota.event("ABC", {
    ...{ start_datetime: iso(start), end_datetime: iso(start + 8 * HOUR) },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily", rotation: true },
    ...fields,
  });
  return { rota, start, event };
}

/** `0/09 V` for each entry: the day after the first, the hour at which it begins, and who serves. */
async function shiftsOf(rota: Rota, start: number, count: number): Promise<string[]> {
  const midnight = start - 9 * HOUR;
  const lines = await rota.window(iso(midnight), iso(midnight + count * DAY));
  return lines.map((line) => {
    const [, hours = "", who] = line.split(" ");
    const at = Date.parse((hours.split("..")[0] ?? "").replace("Z", ":00Z"));
    const day = Math.floor((at - midnight) / DAY);
    return `${day}/${String(new Date(at).getUTCHours()).padStart(2, "0")} ${who}`;
  });
}

async function made(rota: Rota, path: string, body: unknown) {
  const reply = await rota.account.api("POST", path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
}

const absenceOf = (rota: Rota, start: number, who: string, days: number) => ({
  account_user_id: rota.ids(who)[0],
  start_datetime: iso(start - 9 * HOUR),
  end_datetime: iso(start - 9 * HOUR + days * DAY),
});

const later = (start: number) => ({
  action_time: iso(start),
  start_datetime: iso(start + 9 * HOUR),
  end_datetime: iso(start + 17 * HOUR),
});

test("a cover moves with the shifts that are moved, and leaves none of its own behind", async () => {
  const { rota, start, event } = await makeDays();
  const cover = await made(rota, "/absences", {
    ...absenceOf(rota, start, "A", 12),
    ...{ instead: "person", covering_account_user_id: rota.ids("V")[0] },
  });
  expect(await shiftsOf(rota, start, 4)).toEqual(["0/09 V", "1/09 B", "2/09 C", "3/09 V"]);
  const from = start + 3 * DAY;
  await made(rota, `/events/${event.id}/change_following`, later(from));
  expect(await shiftsOf(rota, start, 7)).toEqual([
    "0/09 V",
    "1/09 B",
    "2/09 C",
    "3/18 V",
    "4/18 B",
    "5/18 C",
    "6/18 V",
  ]);
  expect((await rota.account.api("GET", "/events")).body.total_count).toBe(2);
  expect((await rota.account.api("DELETE", `/absences/${cover.id}`)).status).toBe(204);
  expect(await shiftsOf(rota, start, 7)).toEqual([
    "0/09 A",
    "1/09 B",
    "2/09 C",
    "3/18 A",
    "4/18 B",
    "5/18 C",
    "6/18 A",
  ]);
});

test("a cover puts nobody on call on days that a series has no longer", async () => {
  const { rota, start, event } = await makeDays();
  const cover = await made(rota, "/absences", {
    ...absenceOf(rota, start, "A", 12),
    ...{ instead: "person", covering_account_user_id: rota.ids("V")[0] },
  });
  const everyOther = { action_time: iso(start + 3 * DAY), frequency: 2 };
  await made(rota, `/events/${event.id}/change_following`, everyOther);
  const days = (lines: readonly string[]) => lines.map((line) => line.split("/")[0]).join();
  const during = await shiftsOf(rota, start, 11);
  expect(days(during)).toBe("0,1,2,3,5,7,9");
  expect(during.filter((line) => line.endsWith("A"))).toEqual([]);
  expect((await rota.account.api("DELETE", `/absences/${cover.id}`)).status).toBe(204);
  const after = await shiftsOf(rota, start, 11);
  expect(after).toEqual(during.map((line) => line.replace("V", "A")));
});

test.each(["remove_part", "move_part"])(
  "a cover is not stored by %s of another part",
  async (verb) => {
    const { rota, start, event } = await makeDays();
    const cover = await made(rota, "/absences", {
      ...absenceOf(rota, start + 4 * HOUR, "A", 12),
      ...{ instead: "person", covering_account_user_id: rota.ids("V")[0] },
      start_datetime: iso(start + 4 * HOUR),
    });
    const at = (hours: number) => iso(start + hours * HOUR);
    await made(rota, `/events/${event.id}/override`, {
      ...{ action_time: at(0), start_time: at(5), end_time: at(6) },
      ...{ layer: 1, time_zone: "UTC", account_user_ids: rota.ids("C") },
    });
    expect(await shiftsOf(rota, start, 1)).toEqual(["0/09 A", "0/13 V", "0/14 C", "0/15 V"]);
    const to = { start_datetime: at(-8), end_datetime: at(-7) };
    const body = { action_time: at(4), ...(verb === "move_part" && to) };
    await made(rota, `/events/${event.id}/${verb}`, body);
    const moved = verb === "move_part" ? ["0/01 V"] : [];
    expect(await shiftsOf(rota, start, 1)).toEqual([...moved, "0/09 A", "0/14 C", "0/15 V"]);
    expect((await rota.account.api("DELETE", `/absences/${cover.id}`)).status).toBe(204);
    expect(await shiftsOf(rota, start, 1)).toEqual([...moved, "0/09 A", "0/14 C", "0/15 A"]);
  },
);

test("a rotation that skips moves with its shifts, and gives them back on the person's return", async () => {
  const { rota, start, event } = await makeDays({ when_away: "next_in_line" });
  const away = await made(rota, "/absences", absenceOf(rota, start, "A", 12));
  expect(await shiftsOf(rota, start, 4)).toEqual(["0/09 B", "1/09 B", "2/09 C", "3/09 C"]);
  const body = later(start + 3 * DAY);
  await made(rota, `/events/${event.id}/change_following`, body);
  expect(await shiftsOf(rota, start, 7)).toEqual([
    "0/09 B",
    "1/09 B",
    "2/09 C",
    "3/18 B",
    "4/18 B",
    "5/18 C",
    "6/18 C",
  ]);
  expect((await rota.account.api("DELETE", `/absences/${away.id}`)).status).toBe(204);
  expect(await shiftsOf(rota, start, 7)).toEqual([
    "0/09 A",
    "1/09 B",
    "2/09 C",
    "3/18 A",
    "4/18 B",
    "5/18 C",
    "6/18 A",
  ]);
});

test("the next in line of a cover is nobody who is known to be away; naming one warns", async () => {
  const rota = await makeRota("ABCV");
  const { api } = rota.account;
  const start = Math.floor(Date.now() / DAY) * DAY + DAY + 9 * HOUR;
  await rota.event("AVB", {
    ...{ start_datetime: iso(start), end_datetime: iso(start + 8 * HOUR) },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily", rotation: true },
  });
  await made(rota, "/absences", absenceOf(rota, start, "A", 7));
  // Without skipping, their own shifts stay.
  expect(await shiftsOf(rota, start, 4)).toEqual(["0/09 A", "1/09 V", "2/09 B", "3/09 A"]);
  const cover = await made(rota, "/absences", {
    ...absenceOf(rota, start, "B", 9),
    instead: "next_in_line",
  });
  expect(cover.warnings).toEqual([]);
  const covered = cover.shifts.map((it: { account_user_ids: string[] }) =>
    rota.letters(it.account_user_ids),
  );
  // A is back for the third.
  expect(covered.join("")).toBe("VVA");
  const path = `/absences/${cover.id}`;
  const named = { instead: "person", covering_account_user_id: rota.ids("A")[0] };
  const preview = await api("PUT", `${path}?preview=true`, named);
  expect(preview.body.warnings).toMatchObject([{ reason: "substitute_absent" }]);
  const changed = await api("PUT", path, named);
  expect(changed.body.warnings).toMatchObject([{ reason: "substitute_absent" }]);
  expect(await shiftsOf(rota, start, 3)).toEqual(["0/09 A", "1/09 V", "2/09 A"]);
});

test.each([
  { by: "a cover", fields: {}, path: "/absences", more: { instead: "next_in_line" } },
  { by: "skipping", fields: { when_away: "next_in_line" }, path: "/absences", more: {} },
])("who serves by $by goes on serving when somebody joins the rotation", async (row) => {
  const rota = await makeRota("ABC");
  const { api } = rota.account;
  const start = Math.floor(Date.now() / DAY) * DAY + DAY;
  const event = await rota.event("AB", {
    ...{ start_datetime: iso(start), end_datetime: iso(start + DAY) },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily", rotation: true },
    ...row.fields,
  });
  const [b] = rota.ids("B");
  const times = { start_datetime: iso(start), end_datetime: iso(start + 9 * DAY) };
  await made(rota, row.path, { account_user_id: b, ...times, ...row.more });
  // In B's turn A serves.
  vi.useFakeTimers({ toFake: ["Date"], now: start + DAY + 6 * HOUR });
  expect(await rota.now()).toEqual(["1 A"]);
  const body = { account_user_ids: rota.ids("ABC"), effective_at: "now" };
  const preview = await api("PUT", `/events/${event.id}?preview=true`, body);
  const today = iso(start + 2 * DAY);
  const changes: { start_time: string }[] = preview.body.schedules[0].changes;
  expect(changes.filter((it) => it.start_time < today)).toEqual([]);
  const changed = await api("PUT", `/events/${event.id}`, body);
  expect(changed.status, changed.text).toBe(200);
  expect(await rota.now()).toEqual(["1 A"]);
  vi.setSystemTime(start + DAY + 20 * HOUR);
  expect(await rota.now()).toEqual(["1 A"]);
  const lines = await rota.window(iso(start), iso(start + 5 * DAY));
  expect(lines.map((line) => line.at(-1)).join("")).toBe("AACAA");
});
