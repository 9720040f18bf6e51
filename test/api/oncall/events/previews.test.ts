// Previews of changes of on-call events: they write nothing, and what they announce is what the
// same request then does. Generated: every kind of write on random schedules.
import { describe, expect, test } from "vitest";
import { randomGenerator, rounds, sized } from "../../../support/generated/sizes.ts";
import {
  announced,
  DAY,
  differences,
  entriesOf,
  iso,
  type Preview,
  randomWrite,
  wholeHour,
} from "../../../support/oncall/previewed.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { faultyFields } from "../../../support/people/people.ts";

const SCHEDULES = sized(2, 12);
/** How many kinds of writes are seen. */
const KINDS = 6;
const WRITES = 12;

describe("a preview", () => {
  test("announces exactly what the write then does, for every kind of write", async () => {
    const random = randomGenerator();
    const done = new Map<string, number>();
    for (const schedule of rounds(SCHEDULES, () => done.size >= KINDS)) {
      const rota = await makeRota("ABCD");
      const { api } = rota.account;
      const wide = { start: iso(Date.now() - 27 * DAY), end: iso(Date.now() + 41 * DAY) };
      for (let step = 0; step < WRITES; step++) {
        const write = randomWrite(random, rota, await entriesOf(rota, wide));
        const { method, path, body } = write;
        const preview = await api(method, `${path}?preview=true`, body);
        const label = `${schedule}.${step} ${JSON.stringify(write)}`;
        const isRefused = preview.status !== 200;
        const before = isRefused ? [] : await entriesOf(rota, preview.body.window);
        const written = await api(method, path, body);
        if (isRefused) {
          expect([preview.status, faultyFields(preview)], label).toEqual([
            written.status,
            faultyFields(written),
          ]);
          continue;
        }
        expect(written.status, `${label} ${written.text}`).toBeLessThan(300);
        const after = await entriesOf(rota, preview.body.window);
        // `now` is some milliseconds later when it is written.
        const exact = (lines: readonly string[]) => lines.map((it) => it.replaceAll(NOW, "now"));
        const happened = differences(before, after, preview.body.window);
        expect(exact(announced(preview.body)).sort(), label).toEqual(exact(happened).sort());
        const kind = `${method} ${path.split("/")[3] ?? ""}`;
        done.set(kind, (done.get(kind) ?? 0) + 1);
      }
    }
    expect(done.size, [...done.keys()].join()).toBeGreaterThanOrEqual(KINDS);
  });

  test("writes nothing, counts hours and names gaps", async () => {
    const rota = await makeRota("AB");
    const start = wholeHour() + DAY;
    const event = await rota.event("AB", {
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: true,
    });
    const path = `/events/${event.id}/terminate_on?preview=true`;
    const cut = iso(start + 10 * DAY);
    const { status, body } = await rota.account.api("POST", path, { action_time: cut });
    expect(status).toBe(200);
    expect(body.schedules[0].gaps_opened).toHaveLength(body.schedules[0].changes.length);
    expect(body.schedules[0].gaps_opened[0].start_time).toBe(cut);
    const [a, b] = rota.ids("AB");
    const hours = body.schedules[0].hours.map((it: { account_user_id: string; after: number }) => [
      it.account_user_id,
      it.after,
    ]);
    expect(new Map(hours)).toEqual(
      new Map([
        [a, 120],
        [b, 120],
      ]),
    );
    const { body: stored } = await rota.account.api("GET", `/events/${event.id}`);
    expect(stored.terminated_at).toBeNull();
    const nothing = await rota.account.api("PUT", `/events/${event.id}?preview=1`, {});
    expect(nothing.body).toMatchObject({ unchanged: true });
  });

  describe("of a change of a series with a version in another schedule", () => {
    const START = iso(wholeHour() - 3 * DAY);
    const LATER = iso(wholeHour() + 10 * DAY);

    test.each<[string, string, "POST" | "PUT" | "DELETE", Record<string, unknown> | undefined]>([
      ["ends the later version", "/terminate_on", "POST", { action_time: iso(wholeHour() + DAY) }],
      ["changes the people of both", "", "PUT", { positions: [["D"], ["E"]] }],
      ["deletes the first one", "", "DELETE", undefined],
      ["begins another one", "/change_following", "POST", { positions: [["E"]] }],
    ])("names both schedules: %s", async (_, what, method, body) => {
      const rota = await makeRota("ABCDE");
      const { api } = rota.account;
      const other = (await api("POST", "/schedules", { name: "Search" })).body.id;
      const { id } = await rota.event("AB", {
        ...{ start_datetime: START, end_datetime: iso(Date.parse(START) + DAY) },
        ...{ repeat: true, frequency: 1, frequency_unit: "daily", rotation: true },
      });
      const following = { action_time: LATER, layer: 2 };
      const { body: version, text } = await rota.amend(id, "change_following", following);
      expect(version.id, text).toBeTypeOf("string");
      const moved = await api("PUT", `/events/${version.id}`, { schedule_ids: [other] });
      expect(moved.status, moved.text).toBe(200);
      const named = (body?.positions as string[][] | undefined)?.map(([it = ""]) => rota.ids(it));
      const sent = body && {
        ...body,
        ...(named && { positions: named }),
        ...(what === "/change_following" && { action_time: iso(wholeHour() + 5 * DAY) }),
      };
      const previewed = await api(method, `/events/${id}${what}?preview=true`, sent);
      expect(previewed.status, previewed.text).toBe(200);
      const { window, schedules } = previewed.body as Preview;
      const entries = (scheduleId: string) => entriesOf({ ...rota, scheduleId }, window);
      const ids = [rota.scheduleId, other];
      const before = await Promise.all(ids.map(entries));
      expect((await api(method, `/events/${id}${what}`, sent)).status).toBeLessThan(300);
      for (const [at, scheduleId] of ids.entries()) {
        const happened = differences(before[at] ?? [], await entries(scheduleId), window);
        const own = schedules.filter((it) => it.schedule_id === scheduleId);
        expect(announced({ schedules: own }).sort(), scheduleId).toEqual(happened.sort());
      }
    });
  });

  test("looks further ahead for the effect of a change", async () => {
    const rota = await makeRota("A");
    const preview = async (days: number) => {
      const start = wholeHour() + days * DAY;
      const shift = {
        ...{ layer: 1, time_zone: "UTC", schedule_ids: [rota.scheduleId] },
        ...{ start_datetime: iso(start), end_datetime: iso(start + DAY) },
        account_user_ids: rota.ids("A"),
      };
      const { body } = await rota.account.api("POST", "/events?preview=true", shift);
      const end = Math.round((Date.parse(body.window.end) - Date.now()) / DAY);
      return [body.unchanged, end, body.schedules[0].gaps_closed.length];
    };
    expect(await preview(10)).toEqual([false, 42, 1]);
    expect(await preview(100)).toEqual([false, 142, 1]);
    expect(await preview(330)).toEqual([false, 338, 1]);
    expect(await preview(400)).toEqual([true, 42, 0]);
  });

  test.each([
    ["POST", "/events?preview=True", "preview must be true or false"],
    ["POST", "/events?preview=", "preview must be true or false"],
    ["POST", "/configuration?preview=yes", "preview must be true or false"],
    ["POST", "/schedules?preview=true", "this request has no preview"],
    ["PUT", "/schedules/:id?preview=1", "this request has no preview"],
    ["DELETE", "/teams/:team?preview=true", "this request has no preview"],
  ])(
    "that a request cannot have is a 422, and nothing is written: %s %s",
    async (method, path, text) => {
      const rota = await makeRota("A");
      const { api } = rota.account;
      const state = async () =>
        Promise.all(
          ["/schedules", "/teams", "/events"].map(async (it) => (await api("GET", it)).body),
        );
      const before = await state();
      const body = {
        ...{ name: "Other", configuration: "version: 1" },
        ...{ layer: 1, time_zone: "UTC", schedule_ids: [rota.scheduleId] },
        ...{ start_datetime: iso(wholeHour()), end_datetime: iso(wholeHour() + DAY) },
        account_user_ids: rota.ids("A"),
      };
      const to = path.replace(":id", rota.scheduleId).replace(":team", rota.teamId);
      const refused = await api(method, to, body);
      expect([refused.status, refused.body.errors], refused.text).toMatchObject([
        422,
        [{ field: "preview", message: text }],
      ]);
      expect(await state()).toEqual(before);
    },
  );

  test("is refused as the write is", async () => {
    const rota = await makeRota("A");
    const refused = await rota.account.api("POST", "/events?preview=true", {});
    expect(refused.status).toBe(422);
    const missing = await rota.account.api("DELETE", `/events/${rota.scheduleId}?preview=true`);
    expect(missing.status).toBe(404);
  });
});

/** An instant that is not on the hour: only that of `now` is. */
const NOW = /\d{4}-\d\d-\d\dT(?!\d\d:00:00\.000Z)\d\d:\d\d:\d\d\.\d{3}Z/g;
