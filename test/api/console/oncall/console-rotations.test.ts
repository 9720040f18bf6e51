// The form of a rotation, without scripts: its list of people, its preview, what it makes and changes.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formsOf, bodyOf as submittedBy } from "../../../support/api/forms.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { rowsOfAccount } from "../../../support/worker/account-rows.ts";
import { type Browser, signInAdmin } from "../../../support/worker/console.ts";

const iso = (at: number) => new Date(at).toISOString();

type Fields = Record<string, string | readonly string[]>;

/** The fields of a page's form of a rotation. */
async function fieldsOn(html: string): Promise<Fields> {
  const form = formsOf(html).find(({ id }) => id === "editor");
  if (!form) throw new Error("there is no form");
  return submittedBy(form) as Fields;
}

/** The form of a new rotation of a template. */
const blank = async (browser: Browser, rota: Rota, template = "weekly"): Promise<Fields> =>
  fieldsOn(
    (await browser.get(`/schedules/${rota.scheduleId}/rotations/new?template=${template}`)).text,
  );

const eventsOf = async (rota: Rota) =>
  (await rota.account.api("GET", `/schedules/${rota.scheduleId}/events`)).body.data as any[];

const eventRows = (rota: Rota) =>
  rowsOfAccount(rota.account.accountId, (table) => table.startsWith("event"));

async function makeStage(letters = "ABC") {
  const rota = await makeRota(letters);
  return { rota, browser: await signInAdmin(rota.account) };
}

/** A weekly rotation that began long ago. */
const OLD = {
  start_datetime: "2026-01-05T09:00:00Z",
  end_datetime: "2026-01-12T09:00:00Z",
  repeat: true,
  frequency: 1,
  frequency_unit: "weekly",
  rotation: true,
};

describe("the form of a new rotation", () => {
  test("finds people by name, and orders, joins and removes them", async () => {
    const { rota, browser } = await makeStage();
    const draft = `/schedules/${rota.scheduleId}/rotations/draft`;
    const [a = "", b = "", c = ""] = rota.ids("ABC");
    const fields = await blank(browser, rota);
    const found = await browser.submit(draft, { ...fields, add_0: "c pers", edit: "0 find 0" });
    expect(found.text).toContain(`value="0 add ${c}"`);
    expect(found.text).toContain("Nobody is on call for the whole time.");
    const missing = await browser.submit(draft, { ...fields, add_0: "Zoe", edit: "0 find 0" });
    expect(missing.text).toContain("No person found.");
    let shown = await browser.submit(draft, { ...fields, edit: `0 add ${a}` });
    for (const edit of [`0 add ${b}`, `0 add ${c}`, "0 up 2", "0 join 1", "0 empty 0"]) {
      shown = await browser.submit(draft, { ...(await fieldsOn(shown.text)), edit });
    }
    expect((await fieldsOn(shown.text))["positions_0[]"]).toEqual([`${a} ${c}`, b, "nobody"]);
    expect(shown.text).toMatch(
      /Ada Admin and C Person are on call now and stay until (Mon|\d+ Jan \d{4}) /,
    );
    expect(await eventsOf(rota)).toEqual([]);
  });

  test("adds all members of a team at once, each with a turn", async () => {
    const { rota, browser } = await makeStage();
    const { text } = await browser.get(`/schedules/${rota.scheduleId}/rotations/new`);
    const [, edit = ""] = /value="(0 each [^"]+)"/.exec(text) ?? [];
    expect(text).toContain(">Add all of Payments (3)<");
    const draft = `/schedules/${rota.scheduleId}/rotations/draft`;
    const shown = await browser.submit(draft, { ...(await fieldsOn(text)), edit });
    const added = (await fieldsOn(shown.text))["positions_0[]"] as readonly string[];
    expect([...added].sort()).toEqual(rota.ids("ABC").sort());
  });

  test("draws only the plan for a script", async () => {
    const { rota, browser } = await makeStage();
    const token = /name="form_token" value="([^"]+)"/.exec((await browser.get("/alerts")).text);
    const { status, text } = await browser.post(
      `/schedules/${rota.scheduleId}/rotations/draft`,
      {
        ...(await blank(browser, rota)),
        "positions_0[]": rota.ids("B"),
        form_token: token?.[1] ?? "",
      },
      { Origin: "https://tocsin.test", "HX-Request": "true" },
    );
    expect([status, text.includes('id="editor"')]).toEqual([200, false]);
    expect(text).toContain("B Person is on call for the whole time.");
  });

  test("makes what it drew, from now on", async () => {
    const { rota, browser } = await makeStage();
    const fields = { ...(await blank(browser, rota)), "positions_0[]": rota.ids("ABC") };
    const made = await browser.submit(`/schedules/${rota.scheduleId}/rotations`, fields);
    expect(made.text).toContain("Rotation added.");
    expect(await rota.now()).toEqual(["1 A"]);
    const [event] = await eventsOf(rota);
    expect(event).toMatchObject({ frequency: 1, frequency_unit: "weekly", rotation: true });
    expect(new Date(event.start_datetime).toISOString()).toMatch(/T09:00:00.000Z$/);
    expect(new Date(event.start_datetime).getUTCDay()).toBe(1);
  });

  test("makes all events of a template once, however often it is sent", async () => {
    const { rota, browser } = await makeStage();
    const fields = {
      ...(await blank(browser, rota, "week")),
      "positions_0[]": rota.ids("AB"),
      "positions_1[]": rota.ids("BC"),
      "positions_2[]": rota.ids("CA"),
      once: crypto.randomUUID(),
    };
    for (const _ of [1, 2]) {
      const made = await browser.submit(`/schedules/${rota.scheduleId}/rotations`, fields);
      expect(made.text).toContain("3 rotations added.");
    }
    const events = await eventsOf(rota);
    expect(events.map(({ restrictions }) => restrictions.length).sort()).toEqual([1, 1, 2]);
    const from = new Date(Date.now() + 60_000).toISOString();
    const to = new Date(Date.now() + 28 * 86_400_000).toISOString();
    const window = `start=${from}&end=${to}`;
    const { body } = await rota.account.api(
      "GET",
      `/schedules/${rota.scheduleId}/coverage?${window}`,
    );
    expect(body.layers[0]).toMatchObject({ layer: 1, share: 1, gaps: [] });
  });

  test("makes nothing if one of several events is refused, and says which", async () => {
    const { rota, browser } = await makeStage();
    const refused = await browser.submit(`/schedules/${rota.scheduleId}/rotations`, {
      ...(await blank(browser, rota, "week")),
      "positions_0[]": rota.ids("AB"),
      "positions_2[]": rota.ids("CA"),
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Nights: People must name at least one person");
    // Only the part without people says which press is missing.
    expect(refused.text.match(/press a name to add the person/g)).toHaveLength(1);
    expect((await fieldsOn(refused.text))["positions_2[]"]).toEqual(rota.ids("CA"));
    expect(await eventsOf(rota)).toEqual([]);
  });

  test("shows an error at its field", async () => {
    const { rota, browser } = await makeStage();
    const path = `/schedules/${rota.scheduleId}/rotations`;
    const fields = { ...(await blank(browser, rota)), "positions_0[]": rota.ids("A") };
    const past = await browser.submit(path, { ...fields, start: "2026-01-07T10:00" });
    expect([past.status, past.text.includes('id="field-start-faults"')]).toEqual([422, true]);
    const often = await browser.submit(path, { ...fields, frequency: "0" });
    expect([often.status, often.text.includes('id="field-frequency-faults"')]).toEqual([422, true]);
    expect(await eventsOf(rota)).toEqual([]);
  });
});

describe("a preview", () => {
  test("answers who is on call after the change, as it then happens", async () => {
    const { rota } = await makeStage();
    const body = {
      ...OLD,
      ...{ layer: 1, time_zone: "UTC", schedule_ids: [rota.scheduleId] },
      positions: [rota.ids("A"), rota.ids("BC"), []],
    };
    const { body: preview } = await rota.account.api("POST", "/events?preview=true", body);
    const [{ shifts }] = preview.schedules;
    expect((await rota.account.api("POST", "/events", body)).status).toBe(201);
    const [from, to] = [shifts[0].start_time, preview.window.end];
    const served = await rota.account.api(
      "GET",
      `/schedules/${rota.scheduleId}/window_events?start=${from}&end=${to}`,
    );
    const cut = served.body.map((entry: any) => [
      entry.start_time < from ? from : entry.start_time,
      entry.end_time > to ? to : entry.end_time,
      entry.attendees.map((it: any) => it.attendee_id).sort(),
    ]);
    expect(cut.length).toBeGreaterThan(2);
    expect(
      shifts.map((it: any) => [it.start_time, it.end_time, [...it.account_user_ids].sort()]),
    ).toEqual(cut);
  });
});

describe("the form of a stored rotation", () => {
  test("changes the people at the next handoff, and leaves who is on call", async () => {
    const { rota, browser } = await makeStage();
    const event = await rota.event("AB", OLD);
    const [before] = await rota.now();
    const past = ["2026-01-05 09:00:00", "2026-06-01 09:00:00"] as const;
    const served = await rota.window(...past);
    const shown = await browser.get(`/events/${event.id}?change=edit&schedule=${rota.scheduleId}`);
    expect(shown.text).toContain("Edit rotation");
    const fields = { ...(await fieldsOn(shown.text)), "positions_0[]": rota.ids("CAB") };
    const drawn = await browser.submit(`/events/${event.id}/draft`, fields);
    expect(drawn.text).toContain("Changes against today");
    expect(drawn.text).not.toContain("changes who was on call in the past");
    expect(await rota.now()).toEqual([before]);
    expect((await browser.submit(`/events/${event.id}`, fields)).text).toContain("Changes saved.");
    expect(await rota.now()).toEqual([before]);
    expect(await rota.window(...past)).toEqual(served);
    const [changed] = await eventsOf(rota);
    expect(rota.letters(changed.positions.flat())).toBe("CAB");
  });

  test("changes turns from the next one on, after a confirmation that shows the plan", async () => {
    const { rota, browser } = await makeStage();
    const event = await rota.event("AB", OLD);
    const past = ["2026-01-05 09:00:00", "2026-06-01 09:00:00"] as const;
    const served = await rota.window(...past);
    const [before] = await rota.now();
    const page = `/events/${event.id}?change=edit&schedule=${rota.scheduleId}`;
    const fields = {
      ...(await fieldsOn((await browser.get(page)).text)),
      handoff_day: "3",
      handoff_time: "10:30",
    };
    const confirm = await browser.submit(`/events/${event.id}`, fields);
    expect(confirm.text).toContain("Confirm changes");
    expect(confirm.text).toContain("The next six weeks");
    expect(confirm.text).toContain("this series has nobody on call");
    const formIn = async (html: string, name: string) => {
      const forms = formsOf(html);
      const form = forms.find((it) => it.fields.some(([field]) => field === name));
      if (!form) throw new Error(`there is no form with ${name}`);
      return submittedBy(form) as Fields;
    };
    const extend = await formIn(confirm.text, "extend_previous_shift");
    const extended = await browser.submit(`/events/${event.id}`, extend);
    expect(extended.text).toContain("Extended shift");
    await browser.submit(`/events/${event.id}`, await formIn(extended.text, "confirmed"));
    expect(await rota.now()).toEqual([before]);
    const coverage = `/schedules/${rota.scheduleId}/coverage`;
    const window = `start=${iso(Date.now())}&end=${iso(Date.now() + 20 * 86_400_000)}`;
    const { body } = await rota.account.api("GET", `${coverage}?${window}`);
    expect(body.layers[0].gaps, "the turn before lasts until the new handoff").toEqual([]);
    expect(await rota.window(...past)).toEqual(served);
    const starts = (await eventsOf(rota)).map((it) => new Date(it.start_datetime));
    expect(starts.some((it) => it.getUTCDay() === 3 && it.getUTCHours() === 10)).toBe(true);
  });

  test("refuses to wait for a full rotation with a change of turns", async () => {
    const { rota, browser } = await makeStage();
    const event = await rota.event("AB", OLD);
    const shown = await browser.get(`/events/${event.id}?change=edit`);
    const refused = await browser.submit(`/events/${event.id}`, {
      ...(await fieldsOn(shown.text)),
      frequency: "2",
      effective_at: "after_full_rotation",
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Takes effect can wait for a full rotation only if");
  });
});

const anyRotation = fc.record({
  zone: fc.constantFrom("UTC", "Berlin", "Pacific Time (US & Canada)", "Sydney"),
  unit: fc.constantFrom("daily", "weekly", "monthly"),
  frequency: fc.integer({ min: 1, max: 3 }),
  positions: fc.array(fc.constantFrom("A", "B", "AB", ""), { minLength: 1, maxLength: 5 }),
  hours: fc.constantFrom(
    [],
    [{ days_of_week: [1, 2, 3, 4, 5], start_time: "09:00", end_time: "17:00" }],
    [{ days_of_week: [], start_time: "00:00", end_time: "24:00" }],
    [
      { days_of_week: [6, 0], start_time: "08:15", end_time: "08:15" },
      { days_of_week: [2], start_time: "22:00", end_time: "06:00" },
    ],
  ),
  priority: fc.constantFrom(0, 3),
  start: fc.constantFrom("2026-01-05T08:00:17Z", "2026-03-29T00:30:00Z", "2026-01-31T22:00:00Z"),
  ends: fc.boolean(),
});

/** Its end, a whole turn after the start; the clocks of the zones do not change in between. */
function endOf(start: string, unit: string, every: number): string {
  const end = new Date(start);
  if (unit === "monthly") end.setUTCMonth(end.getUTCMonth() + every);
  else end.setUTCDate(end.getUTCDate() + every * (unit === "weekly" ? 7 : 1));
  return end.toISOString();
}

describe("a rotation's form that is submitted unchanged", () => {
  test("writes nothing and changes no shift, for every kind of rotation", async () => {
    const { rota, browser } = await makeStage("AB");
    let rotations = 0;
    await fc.assert(
      fc.asyncProperty(anyRotation, async (it) => {
        await rota.account.api("DELETE", `/schedules/${rota.scheduleId}/flush`);
        const { status, body } = await rota.account.api("POST", "/events", {
          start_datetime: it.start,
          end_datetime: endOf(it.start, it.unit, it.frequency),
          ...{ time_zone: it.zone, layer: 1, repeat: true, rotation: true },
          ...{ frequency: it.frequency, frequency_unit: it.unit, priority: it.priority },
          positions: it.positions.map((letters) => rota.ids(letters)),
          restrictions: it.hours,
          schedule_ids: [rota.scheduleId],
          repeat_end_datetime: it.ends ? "2027-11-20T13:45:00Z" : null,
        });
        if (status !== 201) return;
        const before = await eventRows(rota);
        const window = ["2026-12-01 00:00:00", "2027-02-01 00:00:00"] as const;
        const served = await rota.window(...window);
        const { body: current } = await rota.account.api(
          "GET",
          `/schedules/${rota.scheduleId}/window_events?start=2026-12-01T00:00:00Z&end=2027-01-01T00:00:00Z`,
        );
        const pages = ["", ...current.slice(0, 2).map((entry: any) => `&at=${entry.start_time}`)];
        for (const query of pages) {
          const shown = await browser.get(`/events/${body.id}?change=edit${query}`);
          if (shown.status === 404) continue;
          rotations += Number(shown.text.includes("Edit rotation"));
          const sent = await browser.post(`/events/${body.id}`, await fieldsOn(shown.text));
          expect([sent.status, query]).toEqual([303, query]);
        }
        expect(await eventRows(rota)).toEqual(before);
        expect(await rota.window(...window)).toEqual(served);
      }),
      { numRuns: sized(4, 80) },
    );
    expect(rotations).toBeGreaterThan(0);
  });
});
