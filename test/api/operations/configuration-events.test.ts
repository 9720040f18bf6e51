// Copying the shifts of an account by its configuration file (contract 2, Configuration): whatever was
// done to its series, the copy has the same people on call from then on.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { makeAccount } from "../../support/api/api.ts";
import {
  copyAccount,
  exportOf,
  leaveDeployment,
  previewedAndServed,
  servedIn,
} from "../../support/configuration/copied-account.ts";
import { seed, sized } from "../../support/generated/sizes.ts";
import { makeRota } from "../../support/oncall/rota.ts";
import { signIn } from "../../support/worker/console.ts";
import { generate } from "../oncall/sequences/generator.ts";
import { play } from "../oncall/sequences/play.ts";

const HOUR = 3_600_000;
const CHANGES = 9;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a series after generated changes", () => {
  test.each(Array.from({ length: sized(6, 60) }, (_, index) => index))(
    "%i is copied",
    async (index) => {
      const { account } = (await play(generate(seed + index, CHANGES))).rota;
      const now = Date.now();
      const text = await exportOf(account);
      const served = await servedIn(account, now);

      const before = await rowsOf(account.accountId);
      const { status, body } = await account.api("POST", "/configuration", { configuration: text });
      expect({ status, ...body }).toMatchObject({ status: 200, changes: [], on_call: [] });
      expect(await rowsOf(account.accountId)).toEqual(before);

      const copy = await copyAccount(account);
      expect(await servedIn(copy, now)).toEqual(served);
      const said = await previewedAndServed(copy, now);
      expect(said.previewed).toEqual(said.served);
      const copied = await exportOf(copy);
      expect(shiftsOf(copied)).toEqual(shiftsOf(text));
      // Later, less of it is left, in both.
      vi.setSystemTime(now + 9 * 24 * HOUR);
      const later = Date.now();
      expect(await servedIn(copy, later)).toEqual(await servedIn(account, later));
      expect(shiftsOf(await exportOf(copy))).toEqual(shiftsOf(await exportOf(account)));
      const again = await copy.api("POST", "/configuration", { configuration: text });
      expect(again.body).toMatchObject({ changes: [] });
    },
  );
});

test("the console's preview of a copy names its teams and whom they page, before either is there", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2031, 5, 2, 9) });
  const rota = await makeRota("ABC");
  const week = {
    start_datetime: "2031-06-02T09:00:00Z",
    end_datetime: "2031-06-09T09:00:00Z",
  };
  await rota.event("B", week);
  const configuration = await exportOf(rota.account);
  await leaveDeployment(rota.account);
  const admin = await signIn((await makeAccount()).accountUserId);
  const { text } = await admin.submit("/configuration/file", { configuration });
  expect(text).toContain("Paged for Payments");
  const table = text.slice(text.indexOf("Changes of who is paged for Payments"));
  expect(table.slice(0, table.indexOf("</table>"))).toContain("B Person");
  expect(text).not.toContain("deleted");
});

describe("a series in a file", () => {
  const START = Date.UTC(2031, 5, 2, 9);
  const DAY = 24 * HOUR;
  const at = (hours: number) => new Date(START + hours * HOUR).toISOString();

  async function start() {
    vi.useFakeTimers({ toFake: ["Date"], now: START });
    const rota = await makeRota("ABC");
    const { account } = rota;
    const { people, teams } = parse(await exportOf(account));
    const [a, b, c] = ["admin", "b.", "c."].map(
      (name) => people.find(({ email }: any) => email.startsWith(name)).email,
    );
    const send = (events: unknown, query = "") =>
      account.api("POST", `/configuration${query}`, {
        configuration: stringify({ tocsin: 1, events }, { aliasDuplicateObjects: false }),
      });
    const series = {
      key: "primary",
      schedules: [teams[0].schedule],
      versions: [
        {
          start_datetime: at(0),
          end_datetime: at(24),
          layer: 1,
          time_zone: "UTC",
          repeat: true,
          frequency: 1,
          frequency_unit: "daily",
          rosters: [{ rotation: true, positions: [[b], [c]] }],
        },
      ],
      overrides: [] as unknown[],
    };
    const override = {
      start_datetime: at(26),
      end_datetime: at(30),
      layer: 1,
      time_zone: "UTC",
      rosters: [{ positions: [[a]] }],
    };
    return { rota, account, send, series, override, emails: { a, b, c } };
  }

  test("is created, previewed and changed, and importing it again changes nothing", async () => {
    const { rota, send, series, override } = await start();
    const preview = await send([{ ...series, overrides: [override] }], "?preview=true");
    expect(preview.body).toMatchObject({
      changes: [{ path: "events[0]", kind: "event", key: "primary", action: "create" }],
      on_call: [{ team_id: rota.teamId }],
    });
    const [first, , second] = preview.body.on_call[0].changes;
    expect(first).toMatchObject({
      ...{ layer: 1, start_time: at(0), end_time: at(24) },
      ...{ account_user_ids_before: [], account_user_ids_after: rota.ids("B") },
    });
    expect(second).toMatchObject({ start_time: at(26), account_user_ids_after: rota.ids("A") });
    expect(await rota.now()).toEqual([]);

    const file = [{ ...series, overrides: [override] }];
    expect((await send(file)).body.changes).toHaveLength(1);
    const served = ["1 2031-06-02T09:00Z..2031-06-03T09:00Z B"];
    expect(await rota.window(at(0), at(24))).toEqual(served);
    expect(await rota.window(at(26), at(30))).toEqual(["1 2031-06-03T11:00Z..2031-06-03T15:00Z A"]);
    vi.setSystemTime(START + HOUR);
    expect((await send(file)).body).toMatchObject({ changes: [], unchanged_count: 1 });

    // From now on; who was on call stays, and so does what the entry does not name.
    vi.setSystemTime(START + 2 * DAY + HOUR);
    const before = await rota.window(at(-24), at(48));
    const [version] = series.versions;
    const other = { ...version, rosters: [{ rotation: true, positions: [[series.key], []] }] };
    const unknown = await send([{ key: "primary", versions: [other] }]);
    expect(unknown.body.errors[0].field).toBe("events[0].versions[0].rosters[0].positions[0][0]");
    const swapped = { ...version, rosters: [{ positions: version?.rosters[0]?.positions }] };
    const { body } = await send([{ key: "primary", versions: [swapped] }]);
    expect(body.changes).toMatchObject([{ action: "update", fields: [{ field: "versions" }] }]);
    expect(body.on_call[0].changes[0]).toMatchObject({
      start_time: at(49),
      account_user_ids_before: rota.ids("B"),
      account_user_ids_after: rota.ids("BC").sort(),
    });
    expect(await rota.window(at(-24), at(48))).toEqual(before);
    expect(await rota.now()).toEqual(["1 BC"]);
    const history = await rota.account.api("GET", `/schedules/${rota.scheduleId}/changes?limit=2`);
    expect(history.body.data.map(({ verb, record_kind: kind }: any) => `${verb} ${kind}`)).toEqual([
      "update event",
      "create event",
    ]);
  });

  test("loses the overrides that it does not list, and the newest counts", async () => {
    const { rota, send, series, override, emails } = await start();
    const newer = { ...override, rosters: [{ positions: [[emails.c]] }] };
    await send([{ ...series, overrides: [override, newer] }]);
    const hours = [at(26), at(30)] as const;
    expect(await rota.window(...hours)).toEqual(["1 2031-06-03T11:00Z..2031-06-03T15:00Z C"]);
    const [first] = parse(await exportOf(rota.account)).events[0].overrides;
    await send([{ key: "primary", overrides: [first] }]);
    expect(await rota.window(...hours)).toEqual(["1 2031-06-03T11:00Z..2031-06-03T15:00Z A"]);
    const { body } = await send([{ key: "primary", overrides: [first, newer] }]);
    expect(body.on_call[0].changes).toMatchObject([
      { start_time: hours[0], end_time: hours[1], account_user_ids_after: rota.ids("C") },
    ]);
    expect((await send([{ key: "primary", overrides: [] }])).body.changes).toHaveLength(1);
    expect((await rota.window(...hours))[0]).toMatch(/ C$/);
    expect(parse(await exportOf(rota.account)).events[0].overrides).toEqual([]);
  });

  test("is refused with every fault at its place", async () => {
    const { send, series, override } = await start();
    const [version] = series.versions;
    const wrong = {
      ...series,
      versions: [
        { ...version, end_datetime: at(-1) },
        { ...version, frequency: undefined, from: at(-5), colour: "red" },
        { ...version, from: at(-9), rosters: [] },
      ],
      overrides: [{ ...override, end_datetime: at(0) }, "Monday"],
    };
    const { status, body } = await send([wrong]);
    expect(status).toBe(422);
    expect(body.errors.map(({ message }: any) => message)).toEqual([
      expect.stringMatching(/^events\[0\]\.versions\[1\] has no field colour; there are from, /),
      "events[0].versions[2].rosters must have at least one",
      "events[0].overrides[1] must be a map",
    ]);
    const { body: second } = await send([
      {
        ...wrong,
        versions: wrong.versions.map(({ colour: _, ...it }: any) => ({
          ...it,
          rosters: version?.rosters,
        })),
        overrides: wrong.overrides.slice(0, 1),
      },
    ]);
    expect(second.errors.map(({ field }: any) => field)).toEqual([
      "events[0].versions[0].end_datetime",
      "events[0].versions[1].frequency",
      "events[0].versions[1].from",
      "events[0].versions[2].from",
      "events[0].overrides[0].end_datetime",
    ]);
  });

  test("is taken back as one change, and comes back", async () => {
    const { rota, account, send, series, override } = await start();
    await send([{ ...series, overrides: [override] }]);
    let now = START;
    const undo = async () => {
      now += HOUR;
      vi.setSystemTime(now);
      const path = `/schedules/${rota.scheduleId}/changes`;
      const { body } = await account.api("GET", `${path}?limit=1`);
      const undone = await account.api("POST", `${path}/${body.data[0].id}/undo`);
      expect(undone.status, undone.text).toBe(201);
    };
    const made = await rota.window(at(24), at(72));
    await undo();
    expect(await rota.window(at(24), at(72))).toEqual([]);
    await undo();
    expect(await rota.window(at(24), at(72))).toEqual(made);
    vi.setSystemTime(now + HOUR / 2);
    await send([{ key: "primary", overrides: [] }]);
    expect(await rota.window(at(24), at(72))).not.toEqual(made);
    await undo();
    expect(await rota.window(at(24), at(72))).toEqual(made);
  });

  test("is copied where its versions have other schedules, metadata and people", async () => {
    const { rota, account } = await start();
    const { body: second } = await account.api("POST", "/schedules", { name: "Second" });
    const event = await rota.event("AB", {
      ...{ start_datetime: at(-24), end_datetime: at(0), rotation: true, meta: { key: "k", a: 1 } },
      ...{ repeat: true, frequency: 1, frequency_unit: "daily", when_away: "next_in_line" },
    });
    const amended = await rota.amend(event.id, "change_following", {
      ...{ action_time: at(72), positions: [rota.ids("CA"), [], rota.ids("B")], layer: 2 },
      ...{ restrictions: [{ start_time: "20:00", end_time: "08:00", days_of_week: [1, 2, 3] }] },
    });
    expect(amended.status, amended.text).toBe(200);
    const { body: versions } = await account.api("GET", `/events?series_id=${event.id}`);
    const later = versions.data.find(({ id }: any) => id !== event.id);
    const moved = await account.api("PUT", `/events/${later.id}`, {
      ...{ schedule_ids: [second.id], meta: { key: "k", b: 2 } },
    });
    expect(moved.status, moved.text).toBe(200);
    await rota.amend(event.id, "add_exception", { action_time: at(24) });
    await account.api("PUT", `/events/${event.id}`, {
      ...{ account_user_ids: rota.ids("BC"), effective_at: at(36) },
    });
    const served = await servedIn(account, START);
    const text = await exportOf(account);
    expect(parse(text).events[0].versions).toMatchObject([
      { rosters: [{}, { from: at(36) }], exceptions: [at(24)] },
      { meta: { b: 2 }, schedules: [second.prefix_id] },
    ]);
    const again = await account.api("POST", "/configuration", { configuration: text });
    expect(again.body).toMatchObject({ changes: [], on_call: [] });
    const copy = await copyAccount(account);
    expect(await servedIn(copy, START)).toEqual(served);
    expect(served.length).toBeGreaterThan(5);
    expect(shiftsOf(await exportOf(copy))).toEqual(shiftsOf(text));
  });

  test("is in no file once it is over, and is not made again", async () => {
    const { account, send, series, rota } = await start();
    const [version] = series.versions;
    const single = { ...series, versions: [{ ...version, repeat: false }] };
    await send([single]);
    expect(parse(await exportOf(account)).events).toHaveLength(1);
    vi.setSystemTime(START + 2 * DAY);
    expect(parse(await exportOf(account)).events).toBeUndefined();
    expect((await send([single])).body).toMatchObject({ changes: [], unchanged_count: 1 });
    expect(await rota.window(at(0), at(24))).toHaveLength(1);
  });
});

function shiftsOf(text: string) {
  const { events, absences } = parse(text);
  return { events, absences };
}

/** What an import may write. */
async function rowsOf(accountId: string) {
  const parts = ["event_attendees", "event_rosters", "event_exceptions", "event_schedules"];
  const tables = ["events", ...parts, "absences", "past_absences", "changes"];
  const read = tables.map((table) =>
    env.DB.prepare(`select * from ${table} where account_id = ?`).bind(accountId),
  );
  return (await env.DB.batch(read)).map(({ results }) => JSON.stringify(results));
}
