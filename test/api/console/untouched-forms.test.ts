// Every form of the console that edits a record: submitted unchanged, it writes nothing.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TIME_ZONE_NAMES } from "../../../src/domain/shared/time-zones.ts";
import { bodyOf, formsOf, type PageForm } from "../../support/api/forms.ts";
import { sized } from "../../support/generated/sizes.ts";
import { makeRota, type Rota } from "../../support/oncall/rota.ts";
import { rowsOfAccount } from "../../support/worker/account-rows.ts";
import { type Browser, signInAdmin } from "../../support/worker/console.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

/** Tables that a visit itself writes. */
const IGNORED_TABLES = ["sessions", "idempotency_keys", "sign_in_attempts", "d1_migrations"];

const allRows = (accountId: string) =>
  rowsOfAccount(accountId, (table) => !IGNORED_TABLES.includes(table));

/** Waits until background work (mails, alerts) no longer writes. */
async function untilQuiet(accountId: string): Promise<void> {
  for (let last = ""; ; ) {
    const rows = JSON.stringify(await allRows(accountId));
    if (rows === last) return;
    last = rows;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}

/** The form on a page that posts to a path. */
async function formOn(browser: Browser, page: string, action: string): Promise<PageForm> {
  const shown = await browser.get(page);
  expect([page, shown.status]).toEqual([page, 200]);
  const forms = formsOf(shown.text);
  const form = forms.find((it) => it.action === action);
  if (!form) throw new Error(`no form to ${action} on ${page}: ${forms.map((it) => it.action)}`);
  return form;
}

/** Submits a form unchanged, by each of its buttons that posts to the form's own path. */
async function submitUnchanged(browser: Browser, form: PageForm): Promise<void> {
  const buttons = form.buttons.filter(({ action }) => action === null);
  expect(buttons.length).toBeGreaterThan(0);
  for (const { name, value } of buttons) {
    const body = { ...bodyOf(form), ...(name && { [name]: [value] }) };
    const shown = await browser.post(form.action, body);
    expect([form.action, shown.status, shown.status === 303 ? "" : shown.text]).toEqual([
      form.action,
      303,
      "",
    ]);
  }
}

async function expectNoChange(
  { inhabited, browser }: World,
  page: string,
  action: string,
): Promise<void> {
  const form = await formOn(browser, page, action);
  const before = await allRows(inhabited.accountId);
  await submitUnchanged(browser, form);
  expect(await allRows(inhabited.accountId), page).toEqual(before);
}

type Edited = readonly [page: string, action: string];

/** Every page with a form that edits one record, and the path that the form posts to. */
function editPages({ ids }: Inhabited): readonly Edited[] {
  const samePath = (path: string, id: string): Edited => [`${path}/${id}`, `${path}/${id}`];
  return [
    samePath("/teams", ids.team.prefixId),
    samePath("/escalation_policies", ids.escalation_policy.prefixId),
    samePath("/integrations", ids.integration.prefixId),
    samePath("/routers", ids.router.prefixId),
    samePath("/absences", ids.absence.prefixId),
    samePath("/calendars/absences", ids.absence_calendar.prefixId),
    samePath("/calendars/imports", ids.calendar_import.prefixId),
    samePath("/calendars/holidays", ids.company_holiday.prefixId),
    samePath("/maintenance_windows", ids.maintenance_window.prefixId),
    samePath("/notification_rules", ids.notification_rule.prefixId),
    samePath("/people", ids.account_user.prefixId),
    samePath("/schedules", ids.schedule.prefixId),
    [`/alerts/${ids.alert.prefixId}/edit`, `/alerts/${ids.alert.prefixId}/edit`],
    ["/settings", "/settings/profile"],
    ["/settings", "/settings/channels"],
    ["/settings", "/settings/shifts"],
    [`/events/${ids.event.prefixId}?change=edit`, `/events/${ids.event.prefixId}`],
    [`/events/${ids.event.prefixId}?change=move`, `/events/${ids.event.prefixId}/move`],
  ];
}

/** Texts that a form does not show exactly as they are stored. */
const ODD_TEXTS = ["\n first line empty\r\nsecond", "a\nb", 'quoted "&amp;" <b>', "  spaces  "];

type World = { readonly inhabited: Inhabited; readonly browser: Browser };

let made: Promise<World> | undefined;

/** One account for all tests. */
function world() {
  made ??= (async () => {
    const inhabited = await makeInhabited("untouched");
    return { inhabited, browser: await signInAdmin(inhabited) };
  })();
  return made;
}

describe("an edit form that is submitted unchanged", () => {
  test("writes nothing, on every page", async () => {
    const visited = await world();
    await untilQuiet(visited.inhabited.accountId);
    for (const [page, action] of editPages(visited.inhabited)) {
      await expectNoChange(visited, page, action);
    }
  });

  test.each(ODD_TEXTS)("writes nothing if a text is %j", async (text) => {
    const visited = await world();
    const { inhabited } = visited;
    const { api, ids } = inhabited;
    const put = async (path: string, body: Record<string, unknown>) => {
      const changed = await api("PUT", path, body);
      expect(changed.status, changed.text).toBe(200);
    };
    await put(`/teams/${ids.team.id}`, { notes: text, name: `x${text}` });
    await put(`/maintenance_windows/${ids.maintenance_window.id}`, {
      description: text,
      start_datetime: "2030-10-27T00:30:17.123Z",
      end_datetime: "2030-10-27T01:30:42Z",
      time_zone: "Berlin",
    });
    await put(`/schedules/${ids.schedule.id}`, { name: `x${text}` });
    await put(`/alerts/${ids.alert.id}`, { description: text });
    await put(`/escalation_policies/${ids.escalation_policy.id}`, {
      name: `x${text}`,
      reassign_account_user_ids: [ids.account_user.id, inhabited.accountUserId],
      repeat: 2,
    });
    await put(`/integrations/${ids.integration.id}`, {
      name: `x${text}`,
      option_title_template: text,
    });
    const rules = `\r\n# ${JSON.stringify(text)}\r\nrules:\n  - match: { always: true }\n    actions: [{ type: ignore }]`;
    await put(`/routers/${ids.router.id}`, { rules });
    await put(`/notification_rules/${ids.notification_rule.id}`, { rules });
    await untilQuiet(inhabited.accountId);
    for (const [page, action] of editPages(inhabited)) {
      await expectNoChange(visited, page, action);
    }
  });

  test("does not assign another team's schedule to a team without one", async () => {
    const visited = await world();
    const { inhabited } = visited;
    const { api } = inhabited;
    const { body: team } = await api("POST", "/teams", {
      name: "Without a schedule",
      member_account_user_ids: [inhabited.accountUserId],
      admin_account_user_ids: [inhabited.accountUserId],
    });
    const gone = await api("DELETE", `/schedules/${team.schedule_id}`);
    expect(gone.status, gone.text).toBe(204);
    await untilQuiet(inhabited.accountId);
    const { body } = await api("GET", `/teams/${team.id}`);
    expect(body.schedule_id).toBeNull();
    const page = `/teams/${team.prefix_id}`;
    await expectNoChange(visited, page, page);
  });
});

// ── Shifts ──

const LENGTHS = {
  hourly: [0.5, 1, 2],
  daily: [8, 12, 24],
  weekly: [8, 24, 168],
  monthly: [24, 168, 0],
  yearly: [24, 744, 0],
} as const;

const anyShift = fc.record({
  zone: fc.oneof(
    fc.constantFrom("London", "Berlin", "Eastern Time (US & Canada)", "Australia/Lord_Howe"),
    fc.constantFrom(...TIME_ZONE_NAMES),
  ),
  unit: fc.constantFrom("hourly", "daily", "weekly", "monthly", "yearly") as fc.Arbitrary<
    keyof typeof LENGTHS
  >,
  /** Near both clock changes, month ends and leap days. */
  start: fc.constantFrom(
    "2026-01-31T00:00:00Z",
    "2026-02-01T00:00:00Z",
    "2026-02-28T22:30:00Z",
    "2026-03-28T01:30:00Z",
    "2026-03-29T01:00:00Z",
    "2026-10-24T23:30:15Z",
    "2026-10-25T00:30:00Z",
    "2026-10-25T01:30:00Z",
    "2026-06-30T23:00:00Z",
  ),
  length: fc.nat(2),
  frequency: fc.integer({ min: 1, max: 3 }),
  days: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
  rotation: fc.boolean(),
  positions: fc.array(fc.constantFrom("A", "B", null), { minLength: 1, maxLength: 4 }),
  ends: fc.boolean(),
  override: fc.boolean(),
  exception: fc.boolean(),
});
type AnyShift = typeof anyShift extends fc.Arbitrary<infer Value> ? Value : never;

function endOf({ start, unit, length }: AnyShift): string {
  const hours = LENGTHS[unit][length] ?? 1;
  const from = new Date(start);
  if (hours > 0) return new Date(from.getTime() + hours * 3_600_000).toISOString();
  from.setUTCMonth(from.getUTCMonth() + 1);
  return from.toISOString();
}

/** Creates the shift; null if the API rejects it. */
async function makeShift(rota: Rota, shift: AnyShift) {
  const { unit, days, rotation, positions } = shift;
  const people = positions.map((who) => (who === null ? null : (rota.people.get(who) ?? null)));
  const named = rotation ? people : people.filter((id) => id !== null);
  const made = await rota.account.api("POST", "/events", {
    start_datetime: shift.start,
    end_datetime: endOf(shift),
    time_zone: shift.zone,
    layer: 1,
    repeat: true,
    frequency: unit === "hourly" ? shift.frequency * 7 : shift.frequency,
    frequency_unit: unit,
    days_of_week: unit === "daily" || unit === "weekly" ? days : [],
    rotation,
    account_user_ids: named,
    schedule_ids: [rota.scheduleId],
    repeat_end_datetime: shift.ends ? "2027-11-20T13:45:00Z" : null,
  });
  return made.status === 201 ? made.body : null;
}

type Entry = { event_id: string; start_time: string; end_time: string };

async function entriesOf(rota: Rota): Promise<readonly Entry[]> {
  const windows = [
    ["2026-01-15T00:00:00Z", "2027-01-10T00:00:00Z"],
    ["2027-01-10T00:00:00Z", "2027-02-20T00:00:00Z"],
  ];
  const read = await Promise.all(
    windows.map(([start, end]) =>
      rota.account.api(
        "GET",
        `/schedules/${rota.scheduleId}/window_events?start=${start}&end=${end}`,
      ),
    ),
  );
  return read.flatMap(({ body }) => body);
}

/** Overrides one occurrence in its middle and removes another. */
async function addExceptions(rota: Rota, id: string, shift: AnyShift, entries: readonly Entry[]) {
  const [, one, other] = entries;
  if (shift.override && one) {
    const from = Date.parse(one.start_time);
    const third = Math.floor((Date.parse(one.end_time) - from) / 3 / 60_000) * 60_000;
    await rota.amend(id, "override", {
      action_time: one.start_time,
      start_time: new Date(from + third).toISOString(),
      end_time: new Date(from + 2 * third).toISOString(),
      layer: 2,
      time_zone: shift.zone,
      account_user_ids: rota.ids("B"),
    });
  }
  if (shift.exception && other) {
    await rota.amend(id, "add_exception", { action_time: other.start_time });
  }
}

describe("a shift's forms that are submitted unchanged", () => {
  test("write nothing and change no shift, for every kind of shift", async () => {
    const rota = await makeRota("AB");
    const browser = await signInAdmin(rota.account);
    const eventRows = () =>
      rowsOfAccount(rota.account.accountId, (table) => table.startsWith("event"));
    let created = 0;
    await fc.assert(
      fc.asyncProperty(anyShift, fc.nat(1000), async (shift, chosen) => {
        await rota.account.api("DELETE", `/schedules/${rota.scheduleId}/flush`);
        const event = await makeShift(rota, shift);
        if (!event) return;
        created += 1;
        await addExceptions(rota, event.id, shift, await entriesOf(rota));
        const entries = await entriesOf(rota);
        const before = await eventRows();
        const first = entries.find((it) => it.event_id === event.id);
        const others = [entries[chosen % Math.max(1, entries.length)], entries[2], entries.at(-1)];
        const opened = [first, ...others].flatMap((it) => (it ? [it] : []));
        await submitShiftForms(browser, `/events/${event.id}`, null);
        for (const entry of opened) {
          await submitShiftForms(browser, `/events/${entry.event_id}`, entry.start_time);
        }
        expect(await eventRows()).toEqual(before);
        expect(await entriesOf(rota)).toEqual(entries);
      }),
      { numRuns: sized(2, 60) },
    );
    expect(created).toBeGreaterThan(0);
  });
});

async function submitShiftForms(browser: Browser, path: string, at: string | null): Promise<void> {
  const query = at === null ? "" : `&at=${encodeURIComponent(at)}`;
  const edit = await browser.get(`${path}?change=edit${query}`);
  expect([edit.status, path + query]).toEqual([200, path + query]);
  const forms = formsOf(edit.text);
  const form = forms.find(({ action }) => action === path);
  if (!form) throw new Error(`no form on ${path}`);
  await submitUnchanged(browser, form);
  if (at === null) return;
  const move = await formOn(browser, `${path}?change=move${query}`, `${path}/move`);
  await submitUnchanged(browser, move);
}
