// In the console: an override of a running shift starts now, a member takes a shift over, and the pages
// of one event have one name for it.
import { beforeEach, describe, expect, test } from "vitest";
import { bodyOf, formsOf } from "../../../support/api/forms.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { signIn, signInAdmin, submitConfirmed } from "../../../support/worker/console.ts";
import { makePerson } from "../../../support/worker/world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
const iso = (at: number) => new Date(at).toISOString();
/** As a `datetime-local` field has it, in UTC. */
const wall = (at: number) => iso(at).slice(0, 16);

let rota: Rota;
let start: number;

beforeEach(async () => {
  rota = await makeRota("ABC");
  start = Math.floor(Date.now() / HOUR) * HOUR - 2 * HOUR;
});

/** A is on call since two hours ago, for a day; B and C follow. */
const makeSeries = () =>
  rota.event("ABC", {
    start_datetime: iso(start),
    end_datetime: iso(start + DAY),
    ...{ repeat: true, rotation: true, frequency: 1, frequency_unit: "daily" },
  });

const idOf = (letter: string) => rota.people.get(letter) ?? "";

describe("the form that overrides a shift", () => {
  async function formOf(path: string) {
    const browser = await signInAdmin(rota.account);
    const { text } = await browser.get(path);
    const form = formsOf(text).find(({ id }) => id === "editor");
    if (!form) throw new Error("there is no form");
    const entries = Object.entries(bodyOf(form)).map(([name, value]) => [name, [value].flat()[0]]);
    return { browser, fields: Object.fromEntries(entries) as Record<string, string> };
  }

  test("starts now for a running one, when it is submitted", async () => {
    const { id } = await makeSeries();
    const shownAt = Date.now();
    const { browser, fields } = await formOf(`/events/${id}?change=override&at=${iso(start)}`);
    const shown = Date.parse(`${fields.start_time}Z`);
    expect(shown).toBeGreaterThan(shownAt - MINUTE);
    expect(shown).toBeLessThanOrEqual(Date.now());
    expect(fields.end_time).toBe(wall(start + DAY));
    const drawn = await browser.submit(`/events/${id}/override/draft`, {
      ...fields,
      "account_user_ids[]": idOf("C"),
    });
    expect(drawn.text).toContain("Changes against today");
    expect(drawn.text).not.toContain("changes who was on call in the past");
    const submittedAt = Date.now();
    const chosen = { ...fields, "account_user_ids[]": idOf("C") };
    const added = await browser.submit(`/events/${id}/override`, chosen);
    expect(added.text).toContain("Override added.");
    const { body } = await rota.account.api("GET", `/schedules/${rota.scheduleId}/events`);
    const override = body.data.find((it: any) => it.parent_id === id);
    expect(Date.parse(override.start_datetime)).toBeGreaterThanOrEqual(submittedAt);
    expect(await rota.now()).toEqual(["1 C"]);
  });

  test("has the whole hours of a coming one, and the past only as it is typed or selected", async () => {
    const { id } = await makeSeries();
    const coming = await formOf(`/events/${id}?change=override&at=${iso(start + DAY)}`);
    expect(coming.fields.start_time).toBe(wall(start + DAY));
    const selected = `from=${iso(start)}&until=${iso(start + HOUR)}`;
    const past = await formOf(`/events/${id}?change=override&at=${iso(start)}&${selected}`);
    expect([past.fields.start_time, past.fields.end_time]).toEqual([
      wall(start),
      wall(start + HOUR),
    ]);
    const ended = await rota.event("A", {
      ...{ start_datetime: iso(start - 9 * HOUR), end_datetime: iso(start - 2 * HOUR), layer: 2 },
    });
    const { browser, fields } = await formOf(`/events/${ended.id}?change=override`);
    expect([fields.start_time, fields.end_time]).toEqual(["", ""]);
    const path = `/events/${ended.id}/override`;
    const chosen = { ...fields, "account_user_ids[]": idOf("C") };
    expect((await browser.submit(path, chosen)).status).toBe(422);
    const typed = { start_time: wall(start - 5 * HOUR), end_time: wall(start - 4 * HOUR) };
    const added = await browser.submit(path, { ...chosen, ...typed });
    expect(added.text).toContain("Override added.");
  });

  test("finds people without scripts, those first whose name begins so", async () => {
    const made = await makePerson(rota.account, "Abel Person");
    const { id } = await makeSeries();
    const { browser, fields } = await formOf(
      `/events/${id}?change=override&at=${iso(start + DAY)}`,
    );
    const { text } = await browser.submit(`/events/${id}/override`, {
      ...fields,
      ...{ find: "account_user_ids", find_account_user_ids: "b" },
    });
    const boxes = [...text.matchAll(/type="checkbox" name="account_user_ids\[\]" value="(\w+)"/g)];
    expect(boxes.map(([, value]) => value)).toEqual([idOf("B"), made.accountUserId]);
  });
});

describe("a member who takes a shift", () => {
  test("is offered it on the shift and on On call now, confirms once, and undoes it", async () => {
    const { id } = await makeSeries();
    const browser = await signIn(idOf("B"));
    const at = iso(start);
    const place = { at, schedule: rota.scheduleId };
    const shown = await browser.get(`/events/${id}?at=${at}&schedule=${rota.scheduleId}`);
    for (const { text } of [shown, await browser.get("/on-call")]) {
      expect(text.match(/>Take this shift</g)).toHaveLength(1);
      expect(text).toContain(`action="/events/${id}/take_over"`);
    }
    const asked = await browser.submit(`/events/${id}/take_over`, place);
    expect(asked.text).toContain("You are on call instead of Ada Admin, from now until");
    expect(await rota.now()).toEqual(["1 A"]);
    const taken = await submitConfirmed(browser, `/events/${id}/take_over`, place);
    expect(taken.to).toContain(`/schedules/${rota.scheduleId}`);
    expect(await rota.now()).toEqual(["1 B"]);
    const history = await browser.get(`/schedules/${rota.scheduleId}?view=history`);
    expect(history.text).toContain("Took over a shift");
    const undo = /action="(\/schedules\/[^"]*\/undo)"/.exec(history.text)?.[1] ?? "";
    expect((await submitConfirmed(browser, undo)).text).toContain("Change undone.");
    expect(await rota.now()).toEqual(["1 A"]);
  });

  test("from On call sees the shift and its undo, and before, on which other step they are", async () => {
    const { id } = await makeSeries();
    const hours = { start_datetime: iso(start), end_datetime: iso(start + 30 * DAY), layer: 2 };
    await rota.event("B", hours);
    const browser = await signIn(idOf("B"));
    const asked = await browser.submit(`/events/${id}/take_over`, { at: iso(start) });
    expect(asked.text).toContain("is on steps 1 and 2 at once");
    const taken = await submitConfirmed(browser, `/events/${id}/take_over`, { at: iso(start) });
    expect(taken.to).toMatch(/^\/events\//);
    expect(taken.text).toContain("took over this shift.");
    expect(taken.text).toMatch(/action="\/schedules\/[^"]*\/undo"/);
    const other = await signIn(idOf("C"));
    const free = await other.submit(`/events/${id}/take_over`, { at: iso(start + 4 * DAY) });
    expect(free.text).not.toContain("at once");
  });

  test("is not offered their own, one that has ended, or one of another team", async () => {
    const { id } = await makeSeries();
    const ended = await rota.event("A", {
      ...{ start_datetime: iso(start - 9 * HOUR), end_datetime: iso(start - 2 * HOUR), layer: 2 },
    });
    const offers = async (letter: string, path: string) =>
      (await (await signIn(idOf(letter))).get(path)).text.includes("Take this shift");
    expect(await offers("B", `/events/${id}?at=${iso(start + DAY)}`)).toBe(false);
    expect(await offers("C", `/events/${id}?at=${iso(start + DAY)}`)).toBe(true);
    expect(await offers("C", `/events/${id}?at=${iso(start + 36 * DAY)}`)).toBe(false);
    expect(await offers("C", `/events/${ended.id}`)).toBe(false);
    const other = await makePerson(rota.account, "Otto Other");
    const stranger = await signIn(other.accountUserId);
    for (const path of [`/events/${id}?at=${iso(start)}`, "/on-call"]) {
      expect((await stranger.get(path)).text).not.toContain("Take this shift");
    }
    const refused = await stranger.submit(`/events/${id}/take_over`, { at: iso(start) });
    expect(refused.to).toBe("/on-call");
    expect(refused.text).toContain("a team of every schedule concerned");
    expect(await rota.now()).toEqual(["1 A"]);
  });
});

describe("all pages of an event call it", () => {
  const REPEATS = { repeat: true, frequency: 1, frequency_unit: "daily" };
  test.each([
    ["rotation", { ...REPEATS, rotation: true }],
    ["repeating shift", REPEATS],
    ["shift", {}],
  ])("%s", async (noun, more) => {
    const { id } = await rota.event("AB", {
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
      ...more,
    });
    const browser = await signInAdmin(rota.account);
    const title = noun.charAt(0).toUpperCase() + noun.slice(1);
    const page = await browser.get(`/events/${id}`);
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.text).toMatch(/href="[^"]*change=edit[^"]*"[^>]*>Edit<\/a>/);
    const edited = await browser.get(`/events/${id}?change=edit`);
    expect(edited.text).toContain(`<h1>Edit ${noun}</h1>`);
    const fromShift = await browser.get(`/events/${id}?change=edit&at=${iso(start)}`);
    expect(fromShift.text).toContain(`<h1>Edit ${noun}</h1>`);
    const member = await (await signIn(idOf("B"))).get(`/events/${id}`);
    expect(member.text).toMatch(new RegExp(`can change this\\s+${noun}`));
    for (const { text } of [page, edited, fromShift, member]) {
      expect(text).not.toMatch(/On-call event|this event/);
    }
  });
});
