// A substitute whom a cover names, although no roster has them, is on call wherever that matters: they
// are paged, and have the shift in their calendar, lists, digest and hours. Other schedules of the
// event are left alone.
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { nextWeekly } from "../../../../src/domain/oncall/notices/weekly.ts";
import { prefixIdOf } from "../../../../src/domain/shared/identifiers.ts";
import { readDestinationFacts } from "../../../../src/features/alerts/escalation/destination-facts.ts";
import { type Account, call, makeAccount } from "../../../support/api/api.ts";
import { DAY, type Entry, HOUR, iso } from "../../../support/oncall/previewed.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { type Mailbox, openMailbox } from "../../../support/providers/mailbox.ts";
import { signIn } from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";
import {
  makeIntegration,
  makePerson,
  makeTeam,
  type Person,
  type Team,
} from "../../../support/worker/world.ts";

describe("a substitute who is in no roster and no team", () => {
  let mailbox: Mailbox;
  let account: Account;
  let grace: Person;
  let sam: Person;
  let team: Team;
  const day = Math.floor(Date.now() / DAY) * DAY;

  /** Grace is on call from yesterday until tomorrow; Sam covers her. */
  beforeEach(async () => {
    mailbox = openMailbox();
    account = await makeAccount();
    grace = await makePerson(account, "Grace");
    sam = await makePerson(account, "Sam");
    team = await makeTeam(account, [{ seconds: 600, people: [grace.accountUserId] }]);
    const cover = await account.api("POST", "/absences", {
      account_user_id: grace.accountUserId,
      start_datetime: iso(day - DAY),
      end_datetime: iso(day + 60 * DAY),
      instead: "person",
      covering_account_user_id: sam.accountUserId,
    });
    expect(cover.status, cover.text).toBe(201);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** The starts of a person's shifts in the next ten days. */
  const shiftsOf = async (person: Person) => {
    const window = `start=${iso(Date.now())}&end=${iso(day + 10 * DAY)}`;
    const path = `/account_users/${person.accountUserId}/window_events?${window}`;
    const { body } = await account.api("GET", path);
    return body as readonly Entry[];
  };

  test("is paged, and the absent person is not", async () => {
    const integration = await makeIntegration(account, [team.id]);
    await integration.send({ event_type: "create", Id: "disk-1", Title: "Disk full" });
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
    expect(mailbox.mails.map(({ to }) => to)).toEqual([sam.email]);
    const [alert] = (await account.api("GET", "/alerts?thirdparty_id=disk-1")).body.data;
    const { body: workflows } = await account.api("GET", `/alerts/${alert.id}/workflows`);
    expect(workflows.data).toMatchObject([{ account_user_ids: [sam.accountUserId] }]);
    const destination = { type: "team", id: team.id } as const;
    const now = Date.now();
    const found = await readDestinationFacts(env.DB, account.accountId, [destination], now);
    expect(found.get(`team:${team.id}`)?.onCall).toMatchObject({
      1: [{ accountUserId: sam.accountUserId }],
    });
  });

  test("has the shift in their window, feed and My shifts; the absent person does not", async () => {
    const [shift] = await shiftsOf(sam);
    expect(shift).toMatchObject({ attendees: [{ attendee_id: sam.accountUserId }] });
    expect(shift?.absent).toMatchObject([{ account_user_id: grace.accountUserId }]);
    expect(await shiftsOf(sam)).toHaveLength(1);
    expect(await shiftsOf(grace)).toEqual([]);
    const calendarOf = async (source: string) => {
      const { body } = await account.api("POST", `${source}/feeds`, {});
      return (await call("GET", new URL(body.url).pathname)).text;
    };
    const ends = (shift?.end_time ?? "").slice(0, 19).replaceAll(/[-:]/g, "");
    const own = await calendarOf(`/account_users/${sam.accountUserId}`);
    expect(own.match(/^DTEND:.*$/gm)?.join()).toContain(ends);
    expect(await calendarOf(`/account_users/${grace.accountUserId}`)).not.toContain(ends);
    expect(await calendarOf(`/schedules/${team.scheduleId}`)).toMatch(/^SUMMARY:.*Sam/m);
    const mine = await (await signIn(sam.accountUserId)).get("/absences");
    expect(mine.text).toContain(`/schedules/${team.scheduleId}`);
    const hers = await (await signIn(grace.accountUserId)).get("/absences");
    expect(hers.text).not.toContain(`/schedules/${team.scheduleId}`);
  });

  test("has it in their weekly digest", async () => {
    for (const person of [sam, grace]) {
      const set = await account.api("PUT", `/account_users/${person.accountUserId}`, {
        user_attributes: { shift_digest_day: "monday", time_zone: "UTC" },
      });
      expect(set.status, set.text).toBe(200);
    }
    const pending = "select count(*) as n from on_call_changes where account_id = ?";
    const settled = () =>
      vi.waitFor(async () => {
        const row = await env.DB.prepare(pending).bind(account.accountId).first<{ n: number }>();
        expect(row?.n).toBe(0);
      }, soon);
    const due = nextWeekly({ day: "monday", time: "08:00", timeZone: "UTC" }, Date.now());
    const monday = due - 8 * HOUR;
    const shift = await account.api("POST", "/events", {
      ...{ layer: 1, time_zone: "UTC", schedule_ids: [team.scheduleId] },
      start_datetime: iso(monday + 34 * HOUR),
      end_datetime: iso(monday + 40 * HOUR),
      account_user_ids: [grace.accountUserId],
    });
    expect(shift.status, shift.text).toBe(201);
    await settled();
    vi.useFakeTimers({ toFake: ["Date"], now: due + 1_000 });
    for (const person of [sam, grace]) {
      const id = prefixIdOf("account_user", person.accountUserId);
      await runDurableObjectAlarm(env.PERSON.getByName(id));
    }
    vi.useRealTimers();
    // On a Sunday or Monday, the shift that ends then is in the digest as well.
    const line = /^- Payments Schedule, step 1: Tue .* 10:00 – 16:00$/gm;
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(2), soon);
    const shifts = mailbox.mails.map(({ to, text }) => `${to} ${text.match(line)?.length ?? 0}`);
    expect(shifts.sort()).toEqual([`${grace.email} 0`, `${sam.email} 1`].sort());
  });

  test("has its hours in the reports, from when the cover was made", async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: now + 3 * HOUR });
    const period = `start=${iso(now - 2 * HOUR)}&end=${iso(now + 2 * HOUR)}`;
    const hours = await account.api("GET", `/reports/on_call_hours?${period}`);
    const minutes = hours.body.by_person.map(
      (it: { account_user_id: string; minutes: { total: number } }) =>
        [it.account_user_id, Math.round(it.minutes.total / 10) * 10].join(" "),
    );
    const both = [`${grace.accountUserId} 120`, `${sam.accountUserId} 120`];
    expect(minutes.sort()).toEqual(both.sort());
    const people = await account.api("GET", `/reports/people?${period}`);
    const named = people.body.by_person.map(
      (it: { account_user_id: string }) => it.account_user_id,
    );
    expect(named.sort()).toEqual([grace.accountUserId, sam.accountUserId].sort());
  });
});

describe("a cover in one schedule only", () => {
  test("of an event that is in two leaves the other as it is", async () => {
    const rota = await makeRota("ABCD");
    const { api } = rota.account;
    const [a, d] = rota.ids("AD");
    const start = Math.floor(Date.now() / DAY) * DAY + DAY;
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    const event = await rota.event("ABC", {
      schedule_ids: [rota.scheduleId, other.id],
      ...{ start_datetime: iso(start), end_datetime: iso(start + DAY) },
      ...{ repeat: true, frequency: 1, frequency_unit: "daily", rotation: true },
    });
    const window = `start=${iso(start)}&end=${iso(start + 6 * DAY)}`;
    const entriesOf = async (path: string) =>
      (await api("GET", `${path}/window_events?${window}`)).body as (Entry & {
        schedule_id: string;
      })[];
    const peopleOf = async (scheduleId: string) =>
      (await entriesOf(`/schedules/${scheduleId}`))
        .map((it) => rota.letters(it.attendees.map(({ attendee_id }) => attendee_id)))
        .join("");
    const cover = await api("POST", "/absences", {
      account_user_id: a,
      ...{ start_datetime: iso(start), end_datetime: iso(start + 6 * DAY) },
      ...{ instead: "person", covering_account_user_id: d, schedule_ids: [other.id] },
    });
    expect(cover.status, cover.text).toBe(201);
    expect(cover.body.shifts).toMatchObject([
      { event_id: event.id, schedule_ids: [other.id], start_time: iso(start) },
      { event_id: event.id, schedule_ids: [other.id], start_time: iso(start + 3 * DAY) },
    ]);
    expect(cover.body).toMatchObject({ uncovered: [], warnings: [] });
    expect(await peopleOf(other.id)).toBe("DBCDBC");
    expect(await peopleOf(rota.scheduleId)).toBe("ABCABC");
    const schedulesOf = async (person = "") =>
      (await entriesOf(`/account_users/${person}`)).map((it) => it.schedule_id);
    expect(await schedulesOf(d)).toEqual([other.id, other.id]);
    expect(await schedulesOf(a)).toEqual([rota.scheduleId, rota.scheduleId]);
    const all = await api("PUT", `/absences/${cover.body.id}`, { schedule_ids: [] });
    expect(all.body.shifts).toHaveLength(2);
    expect(all.body.shifts[0].schedule_ids).toEqual([rota.scheduleId, other.id].sort());
    expect(await peopleOf(rota.scheduleId)).toBe("DBCDBC");
  });
});

test("an override that was made before a cover is covered, in the window and on its own page", async () => {
  const rota = await makeRota("ABC");
  const { api } = rota.account;
  const start = Math.floor(Date.now() / DAY) * DAY + DAY;
  const event = await rota.event("ABC", {
    ...{ start_datetime: iso(start), end_datetime: iso(start + DAY) },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily", rotation: true },
  });
  const override = async (id: string, from: number, to: number, at: number) => {
    const made = await rota.amend(id, "override", {
      ...{ action_time: iso(at), start_time: iso(from), end_time: iso(to) },
      ...{ layer: 1, time_zone: "UTC", account_user_ids: rota.ids("A") },
    });
    expect(made.status, made.text).toBe(201);
    return made.body.id as string;
  };
  // B's day is given to A, and of that again three hours.
  const outer = await override(event.id, start + DAY, start + 2 * DAY, start + DAY);
  const inner = await override(outer, start + 30 * HOUR, start + 33 * HOUR, start + DAY);
  const [a = ""] = rota.ids("A");
  const cover = await api("POST", "/absences", {
    ...{ account_user_id: a, instead: "next_in_line" },
    ...{ start_datetime: iso(start + DAY), end_datetime: iso(start + 2 * DAY) },
  });
  expect(cover.status, cover.text).toBe(201);
  // Who follows in the rotation while it is B's turn.
  const lines = await rota.window(iso(start + DAY), iso(start + 2 * DAY));
  expect(lines.map((line) => line.at(-1)).join("")).toBe("CCC");
  for (const [id, at] of [
    [outer, start + DAY],
    [inner, start + 30 * HOUR],
  ] as const) {
    const { body } = await api("GET", `/events/${id}/occurrence?action_time=${iso(at)}`);
    expect(body.attendees).toMatchObject([{ attendee_id: rota.ids("C")[0] }]);
    expect(body.absent).toEqual([{ account_user_id: a, absence_id: cover.body.id }]);
  }
});
