// Changes of the people of a series that are planned for later: how they are listed, changed, moved
// and cancelled (contract 4, Rosters and Changes of a series).
import { describe, expect, test } from "vitest";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

/** 09:00 UTC, `days` from today. */
const nine = (days: number) => Math.floor(Date.now() / DAY) * DAY + 9 * HOUR + days * DAY;

/** The start of the shift that is running, and of those after it; shifts change at 09:00 UTC. */
const shift = (number: number) => nine(number) - (nine(0) > Date.now() ? DAY : 0);

/** A daily rotation that began ten shifts ago. */
const rotation = (rota: Rota, who: string, more: Record<string, unknown> = {}) =>
  rota.event(who, {
    start_datetime: iso(shift(-10)),
    end_datetime: iso(shift(-9)),
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
    ...more,
  });

/** Who is on call in the shifts that start in a time. */
async function turns(rota: Rota, from: number, to: number) {
  const window = await rota.window(iso(from), iso(to));
  return window.map((it) => it.replace(/^.* /, "")).join(" ");
}

async function put(rota: Rota, id: string, body: Record<string, unknown>) {
  const changed = await rota.account.api("PUT", `/events/${id}`, body);
  expect(changed.status, changed.text).toBe(200);
  return changed.body;
}

async function following(rota: Rota, id: string, at: number, body: Record<string, unknown>) {
  const changed = await rota.amend(id, "change_following", { action_time: iso(at), ...body });
  expect(changed.status, changed.text).toBe(200);
  return changed.body;
}

/** The rosters that are planned: `2 AC` from the second shift after the running one on. */
async function planned(rota: Rota, id: string) {
  const { body } = await rota.account.api("GET", `/events/${id}`);
  const rosters = body.rosters as { from: string | null; positions: string[][] }[];
  return rosters.flatMap(({ from, positions }) => {
    const at = Date.parse(from ?? "");
    return at > Date.now() ? [`${(at - shift(0)) / DAY} ${rota.letters(positions.flat())}`] : [];
  });
}

describe("a change of the people", () => {
  test("applies to those who are planned for later, and drops none of them", async () => {
    const rota = await makeRota("ABCD");
    const { id } = await rotation(rota, "ABC");
    await put(rota, id, { account_user_ids: rota.ids("BC"), effective_at: iso(shift(5)) });
    await put(rota, id, { account_user_ids: rota.ids("ABC"), effective_at: iso(shift(9)) });
    await put(rota, id, { account_user_ids: rota.ids("ABCD"), effective_at: iso(shift(3)) });
    expect(await planned(rota, id)).toEqual(["3 ABCD", "5 BCD", "9 ABCD"]);
    expect(await turns(rota, shift(0), shift(13))).toBe("B C A B C D B C D A B C D");
    await put(rota, id, { account_user_ids: rota.ids("AB"), effective_at: "now" });
    expect(await planned(rota, id)).toEqual(["3 ABD", "5 BD", "9 ABD"]);
  });

  test("replaces them if it says so, and alone cancels them", async () => {
    const rota = await makeRota("ABCD");
    const { id } = await rotation(rota, "ABC");
    const plan = async () => {
      await put(rota, id, { account_user_ids: rota.ids("AC"), effective_at: iso(shift(3)) });
      await put(rota, id, { account_user_ids: rota.ids("ACD"), effective_at: iso(shift(6)) });
      expect(await planned(rota, id)).toEqual(["3 AC", "6 ACD"]);
    };
    await plan();
    await put(rota, id, { replaces_planned: true });
    expect(await planned(rota, id)).toEqual([]);
    await plan();
    await put(rota, id, { effective_at: iso(shift(4)), replaces_planned: true });
    expect(await planned(rota, id)).toEqual(["3 AC"]);
    await put(rota, id, { account_user_ids: rota.ids("ABCD"), replaces_planned: true });
    expect(await planned(rota, id)).toEqual(["1 ABCD"]);
  });

  test("of a planned one changes that one, cancels it or puts it off", async () => {
    const rota = await makeRota("ABCDE");
    const { id } = await rotation(rota, "ABC");
    await put(rota, id, { account_user_ids: rota.ids("ABCD"), effective_at: iso(shift(4)) });
    const read = (await rota.account.api("GET", `/events/${id}`)).body;
    const more = { ...read, account_user_ids: undefined, positions: undefined };
    await put(rota, id, { ...more, account_user_ids: rota.ids("ABCDE") });
    expect(await planned(rota, id), "the instant that was read").toEqual(["4 ABCDE"]);
    await put(rota, id, { account_user_ids: rota.ids("ABCDE"), effective_at: iso(shift(6)) });
    expect(await planned(rota, id), "put off").toEqual(["6 ABCDE"]);
    await put(rota, id, { account_user_ids: rota.ids("BC"), effective_at: iso(shift(3)) });
    await put(rota, id, { account_user_ids: rota.ids("ABC"), effective_at: iso(shift(3)) });
    expect(await planned(rota, id), "one of two cancelled").toEqual(["6 ABCDE"]);
    await put(rota, id, (await rota.account.api("GET", `/events/${id}`)).body);
    expect(await planned(rota, id), "what was read").toEqual(["6 ABCDE"]);
  });

  test.each(["now", "next_handoff"])(
    "of a version that has not begun is of its beginning: %s",
    async (effective_at) => {
      const rota = await makeRota("ABCDE");
      const { id } = await rotation(rota, "ABCD");
      const version = await following(rota, id, shift(3), { account_user_ids: rota.ids("CBE") });
      const body = { account_user_ids: rota.ids("EDA"), effective_at };
      const changed = await put(rota, version.id, body);
      expect(rota.letters(changed.account_user_ids)).toBe("EDA");
      expect(await turns(rota, shift(0), shift(7))).toBe("C D A E D A E");
    },
  );

  test("that was read after it took effect is not refused for its instant", async () => {
    const rota = await makeRota("ABC");
    const { id } = await rotation(rota, "AB");
    await put(rota, id, { account_user_ids: rota.ids("BA"), effective_at: "now" });
    const { body: read } = await rota.account.api("GET", `/events/${id}`);
    expect(Date.parse(read.effective_at)).toBeLessThanOrEqual(Date.now());
    const { positions: _, ...record } = read;
    const changed = await put(rota, id, { ...record, account_user_ids: rota.ids("BAC") });
    expect(changed.effective_at).toBe(iso(shift(1)));
  });

  test("is refused if nobody would be left of those who are planned", async () => {
    const rota = await makeRota("AB");
    const { id } = await rotation(rota, "AB");
    await put(rota, id, { account_user_ids: rota.ids("A"), effective_at: iso(shift(4)) });
    const body = { account_user_ids: rota.ids("B") };
    const refused = await rota.account.api("PUT", `/events/${id}`, body);
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["account_user_ids"]]);
    const parted = await rota.amend(id, "change_following", {
      ...body,
      action_time: iso(shift(2)),
    });
    expect([parted.status, faultyFields(parted)]).toEqual([422, ["account_user_ids"]]);
    expect(await planned(rota, id)).toEqual(["4 A"]);
  });

  test("is previewed until six weeks after the last planned one that differs", async () => {
    const rota = await makeRota("ABCD");
    const { id } = await rotation(rota, "ABC");
    await put(rota, id, { account_user_ids: rota.ids("BC"), effective_at: iso(shift(100)) });
    const body = { account_user_ids: rota.ids("ABCD") };
    const { body: preview } = await rota.account.api("PUT", `/events/${id}?preview=true`, body);
    expect(preview.window.end).toBe(iso(shift(142)));
    const [{ changes }] = preview.schedules;
    expect(Date.parse(changes.at(-1).start_time)).toBeGreaterThan(shift(135));
    const moved = { layer: 2 };
    const near = await rota.account.api("PUT", `/events/${id}?preview=true`, moved);
    expect(Date.parse(near.body.window.end)).toBeLessThan(Date.now() + 43 * DAY);
  });

  test("leaves what is planned if only the rotation ends", async () => {
    const rota = await makeRota("ABC");
    const { id } = await rotation(rota, "AB");
    await put(rota, id, { account_user_ids: rota.ids("ABC"), effective_at: iso(shift(4)) });
    await put(rota, id, { rotation: false, effective_at: "now" });
    expect(await rota.now()).toEqual(["1 AB"]);
    expect(await planned(rota, id)).toEqual(["4 ABC"]);
  });
});

describe("a change of this and the following shifts", () => {
  test("keeps whose turn it is if people join before it begins", async () => {
    const rota = await makeRota("ABCD");
    const { id } = await rotation(rota, "ABC");
    const every = { frequency: 2, end_datetime: iso(shift(3)), start_datetime: iso(shift(1)) };
    const after = await following(rota, id, shift(1), every);
    expect(await turns(rota, shift(0), shift(7))).toBe("B C A B");
    await put(rota, after.id, { account_user_ids: rota.ids("ABCD") });
    expect(await turns(rota, shift(0), shift(9))).toBe("B C D A B");
  });

  test("moves what is planned for a handoff with it", async () => {
    const rota = await makeRota("ABC");
    const { id } = await rotation(rota, "ABC");
    // The turn of the sixth shift is B's.
    await put(rota, id, { account_user_ids: rota.ids("AC"), effective_at: iso(shift(6)) });
    const earlier = { start_datetime: iso(shift(3) - HOUR), end_datetime: iso(shift(4) - HOUR) };
    const after = await following(rota, id, shift(3), earlier);
    expect(await turns(rota, shift(3), shift(8))).toBe("B C A C A C");
    await put(rota, after.id, {
      start_datetime: iso(shift(-10) - 3 * HOUR),
      end_datetime: iso(shift(-9) - 3 * HOUR),
    });
    expect(await turns(rota, shift(6) - 3 * HOUR, shift(8) - 3 * HOUR)).toBe("C A");
  });

  test("changes people, and those who are planned, too", async () => {
    const rota = await makeRota("ABCD");
    const { id } = await rotation(rota, "ABC");
    await put(rota, id, { account_user_ids: rota.ids("AC"), effective_at: iso(shift(6)) });
    const body = { account_user_ids: rota.ids("ABCD") };
    const after = await following(rota, id, shift(2), body);
    expect(await planned(rota, after.id)).toEqual(["6 ACD"]);
    const again = await following(rota, after.id, shift(3), {
      account_user_ids: rota.ids("ABC"),
      replaces_planned: true,
    });
    expect(await planned(rota, again.id)).toEqual([]);
  });

  test("shares no row with the series before, whatever is cancelled", async () => {
    const rota = await makeRota("ABCDE");
    const { id } = await rotation(rota, "ABC");
    const at = iso(shift(5) + 3 * HOUR);
    await put(rota, id, { account_user_ids: rota.ids("ABCDE"), effective_at: at });
    const after = await following(rota, id, shift(5), { layer: 2 });
    await put(rota, after.id, { account_user_ids: rota.ids("ABC"), replaces_planned: true });
    expect(await planned(rota, after.id)).toEqual([]);
    await put(rota, id, { replaces_planned: true });
    const events = await Promise.all(
      [id, after.id].map(async (it) => (await rota.account.api("GET", `/events/${it}`)).body),
    );
    const rows = events.flatMap((it) => it.event_attendees.map((one: { id: string }) => one.id));
    expect(new Set(rows).size).toBe(rows.length);
  });
});
