// Absences in a configuration file (contract 2, Configuration): they change who is on call as the
// API's do, without asking anybody.
import { afterEach, expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { copyAccount, exportOf, servedIn } from "../../support/configuration/copied-account.ts";
import { makeRota } from "../../support/oncall/rota.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2031, 5, 2, 9);
const at = (hours: number) => new Date(START + hours * HOUR).toISOString();

afterEach(() => {
  vi.useRealTimers();
});

/** A rotation of B and C, each for a day. */
async function start() {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  const rota = await makeRota("ABC");
  const { account } = rota;
  await rota.event("BC", {
    ...{ start_datetime: at(0), end_datetime: at(24), rotation: true },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
  });
  const { people } = parse(await exportOf(account));
  const emailOf = (name: string): string =>
    people.find(({ email }: any) => email.startsWith(name)).email;
  const [a, b] = [emailOf("admin"), emailOf("b.")];
  const send = (absences: unknown, query = "") =>
    account.api("POST", `/configuration${query}`, {
      configuration: stringify({ tocsin: 1, absences }, { aliasDuplicateObjects: false }),
    });
  return { rota, account, send, emails: { a, b } };
}

test("an absence is created, previewed and changed, and importing it again changes nothing", async () => {
  const { rota, account, send, emails } = await start();
  const file = {
    ...{ key: "summer", person: emails.b.toUpperCase(), substitute: emails.a },
    ...{ start_datetime: "2031-06-02T12:00:00+02:00", end_datetime: at(5), instead: "person" },
  };
  const { body: preview } = await send([file], "?preview=true");
  expect(preview).toMatchObject({
    changes: [{ path: "absences[0]", kind: "absence", key: "summer", action: "create" }],
    on_call: [
      {
        team_id: rota.teamId,
        changes: [
          {
            ...{ start_time: at(1), end_time: at(5), layer: 1 },
            ...{ account_user_ids_before: rota.ids("B"), account_user_ids_after: rota.ids("A") },
          },
        ],
      },
    ],
  });
  expect((await send([file])).body.changes).toHaveLength(1);
  const served = [
    "1 2031-06-02T09:00Z..2031-06-02T10:00Z B",
    "1 2031-06-02T10:00Z..2031-06-02T14:00Z A",
    "1 2031-06-02T14:00Z..2031-06-03T09:00Z B",
  ];
  expect(await rota.window(at(0), at(24))).toEqual(served);
  vi.setSystemTime(START + HOUR / 2);
  expect((await send([file])).body).toMatchObject({ changes: [], unchanged_count: 1 });
  const history = await account.api("GET", `/schedules/${rota.scheduleId}/changes?limit=5`);
  expect(history.body.data.filter((it: any) => it.record_kind === "absence")).toMatchObject([
    { verb: "create" },
  ]);

  // From now on: what was served stays.
  vi.setSystemTime(START + 2 * HOUR);
  expect((await send([{ key: "summer", instead: "next_in_line" }])).body.changes).toHaveLength(1);
  expect(await rota.window(at(0), at(6))).toEqual([
    "1 2031-06-02T09:00Z..2031-06-02T10:00Z B",
    "1 2031-06-02T10:00Z..2031-06-02T11:00Z A",
    "1 2031-06-02T11:00Z..2031-06-02T14:00Z C",
    "1 2031-06-02T14:00Z..2031-06-03T09:00Z B",
  ]);
  vi.setSystemTime(START + 6 * HOUR);
  expect(parse(await exportOf(account)).absences).toBeUndefined();
  expect((await send([file])).body).toMatchObject({ changes: [], unchanged_count: 1 });
});

test("two absences that decide the same are refused, in whatever order the file moves them", async () => {
  const { account, send, emails } = await start();
  const first = {
    ...{ key: "first", person: emails.b, instead: "empty" },
    ...{ start_datetime: at(0), end_datetime: at(4) },
  };
  const second = { ...first, key: "second", start_datetime: at(3), end_datetime: at(6) };
  const { status, body } = await send([first, second]);
  expect([status, body.errors[0].field]).toEqual([422, "absences[1].start_datetime"]);
  expect(body.errors[0].message).toContain("first");
  await send([first]);
  expect((await send([second])).status).toBe(422);
  // The first makes room.
  const moved = [second, { ...first, start_datetime: at(8), end_datetime: at(9) }];
  expect((await send(moved)).body.errors).toBeUndefined();
  expect(parse(await exportOf(account)).absences).toHaveLength(2);
  const wrong = { ...first, key: "wrong", person: "x@example.com", end_datetime: at(-1) };
  expect((await send([{ ...wrong, end_datetime: at(9) }])).body.errors[0].field).toBe(
    "absences[0].person",
  );
  const backwards = { ...first, key: "wrong", start_datetime: at(20), end_datetime: at(19) };
  expect((await send([{ ...backwards, instead: "person" }])).body.errors).toEqual([
    expect.objectContaining({ field: "absences[0].end_datetime" }),
    expect.objectContaining({ field: "absences[0].substitute" }),
  ]);
});

test("an absence for which people are asked is copied as what it does, and nobody is asked", async () => {
  const { rota, account, send } = await start();
  const { body: asked } = await account.api("POST", "/absences", {
    ...{ account_user_id: rota.ids("B")[0], instead: "ask", account_user_ids: rota.ids("C") },
    ...{ start_datetime: at(1), end_datetime: at(3), reason: "Dentist" },
  });
  const text = await exportOf(account);
  expect(text).not.toContain("Dentist");
  expect(parse(text).absences).toMatchObject([{ instead: "nobody_yet" }]);
  expect((await send(parse(text).absences)).body.changes).toEqual([]);
  const served = await servedIn(account, START);
  const copy = await copyAccount(account);
  expect(await servedIn(copy, START)).toEqual(served);
  const { body } = await copy.api("GET", "/absences");
  expect(body.data).toMatchObject([{ instead: "nobody_yet", status: "uncovered", asked: [] }]);

  const accepted = await rota.colleagues.get("C")?.api("POST", `/absences/${asked.id}/accept`);
  expect(accepted?.status).toBe(200);
  expect(parse(await exportOf(account)).absences).toMatchObject([{ instead: "person" }]);
  // Deciding otherwise ends the asking.
  const [entry] = parse(await exportOf(account)).absences;
  const { substitute: _, decided_at: __, ...rest } = entry;
  await send([{ ...rest, instead: "empty" }]);
  const { body: decided } = await account.api("GET", `/absences/${asked.id}`);
  expect(decided).toMatchObject({ instead: "empty", status: "covered", asked: [] });
});

test("people's holidays are copied and read at once, and a preview says whom they relieve", async () => {
  const { rota, account } = await start();
  const { body: events } = await account.api("GET", "/events");
  await account.api("PUT", `/events/${events.data[0].id}`, { when_away: "next_in_line" });
  const retreat = { key: "retreat", name: "Retreat", start_date: "2031-06-04" };
  const calendars = [
    { key: "b", person: "", name: "Holidays", region: "DE-BY", company_holidays: true },
  ];
  const { people } = parse(await exportOf(account));
  const b = people.find(({ email }: any) => email.startsWith("b.")).email;
  const file = {
    tocsin: 1,
    company_holidays: [{ ...retreat, end_date: "2031-06-04", repeats_yearly: false }],
    absence_calendars: calendars.map((it) => ({ ...it, person: b })),
  };
  const send = (query = "") =>
    account.api("POST", `/configuration${query}`, { configuration: stringify(file) });
  const { body: preview } = await send("?preview=true");
  expect(preview.changes).toHaveLength(2);
  expect((await send()).body.changes).toHaveLength(2);
  const served = await servedIn(account, START);
  const { body: made } = await account.api("GET", "/absences?limit=100");
  expect(made.data.length).toBeGreaterThan(3);
  const relieved = preview.on_call[0].changes.map((it: any) => it.account_user_ids_before);
  expect(new Set(relieved.flat())).toEqual(new Set(rota.ids("B")));
  expect((await send()).body.changes).toEqual([]);
  const copy = await copyAccount(account);
  expect(await servedIn(copy, START)).toEqual(served);
  expect(parse(await exportOf(copy))).toMatchObject(file);
});
