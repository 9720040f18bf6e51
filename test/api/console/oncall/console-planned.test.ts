// Planned changes of people in the console: where they are listed, and that a form changes the people
// of the instant that is edited.
import { describe, expect, test } from "vitest";
import { formsOf, bodyOf as submittedBy } from "../../../support/api/forms.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { type Browser, signInAdmin } from "../../../support/worker/console.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

type Fields = Record<string, string | readonly string[]>;

/** The start of the shift that is running, and of those after it; shifts change at 09:00 UTC. */
function shift(number: number): number {
  const nine = Math.floor(Date.now() / DAY) * DAY + 9 * 3_600_000;
  return nine + (number - Number(nine > Date.now())) * DAY;
}

async function makeStage(letters = "ABCD", more: Record<string, unknown> = {}) {
  const rota = await makeRota(letters);
  const event = await rota.event("ABC", {
    start_datetime: iso(shift(-9)),
    end_datetime: iso(shift(-8)),
    ...{ repeat: true, frequency: 1, frequency_unit: "daily", rotation: true },
    ...more,
  });
  return { rota, event, browser: await signInAdmin(rota.account) };
}

async function plan(rota: Rota, id: string, who: string, at: number) {
  const body = { account_user_ids: rota.ids(who), effective_at: iso(at) };
  const { status, text } = await rota.account.api("PUT", `/events/${id}`, body);
  expect(status, text).toBe(200);
}

async function formOn(browser: Browser, path: string): Promise<Fields> {
  const { text } = await browser.get(path);
  const form = formsOf(text).find(({ id }) => id === "editor");
  if (!form) throw new Error("there is no form");
  return submittedBy(form) as Fields;
}

/** The people and what is planned: `ABC | 20 BC`. */
async function rosters(rota: Rota, id: string): Promise<string> {
  const { body } = await rota.account.api("GET", `/events/${id}`);
  const all = body.rosters as { from: string | null; until: string; positions: string[][] }[];
  return all
    .filter(({ until }) => until === null || Date.parse(until) > Date.now())
    .map(({ from, positions }) => {
      const days = (Date.parse(from ?? "") - shift(0)) / DAY;
      return `${days > 0 ? `${days} ` : ""}${rota.letters(positions.flat())}`;
    })
    .join(" | ");
}

/** `09:00` on a day, as a field of the form takes it. */
const dayField = (at: number) => iso(at).slice(0, 16);

describe("planned changes of people", () => {
  test("are listed on the event's page and in its form", async () => {
    const { rota, event, browser } = await makeStage();
    const page = async () => (await browser.get(`/events/${event.id}`)).text;
    expect(await page()).not.toContain("Planned changes");
    await plan(rota, event.id, "BC", shift(20));
    const [, present = ""] = (await page()).split('class="positions"');
    expect(present.split("</ol>")[0], "who serves now").toContain("Ada Admin");
    await plan(rota, event.id, "ABCD", shift(40));
    await plan(rota, event.id, "DABC", shift(60));
    for (const path of [`/events/${event.id}`, `/events/${event.id}?change=edit`]) {
      const { text } = await browser.get(path);
      const [, list = ""] = text.split("Planned changes");
      expect(list).toMatch(/From [^:]+ 09:00: without Ada Admin/);
      expect(list).toMatch(/From [^:]+ 09:00: Ada Admin and D Person join/);
      expect(list).toMatch(/From [^:]+ 09:00: in the order D Person, Ada Admin/);
    }
  });

  test.each([
    ["next_handoff", "", "1 ABCD | 20 BCD | 40 ABCD"],
    ["date", dayField(shift(10)), "10 ABCD | 20 BCD | 40 ABCD"],
    ["date", dayField(shift(30)), "20 BC | 30 BCD | 40 ABCD"],
    ["date", dayField(shift(40)), "20 BC | 40 ABCD"],
    ["date", dayField(shift(50)), "20 BC | 40 ABC | 50 ABCD"],
  ])("stay when somebody joins: %s %s", async (effective_at, effective_on, expected) => {
    const { rota, event, browser } = await makeStage();
    await plan(rota, event.id, "BC", shift(20));
    await plan(rota, event.id, "ABC", shift(40));
    const fields = await formOn(browser, `/events/${event.id}?change=edit`);
    expect(fields["positions_0[]"], "the people of the next handoff").toEqual(rota.ids("ABC"));
    const sent = { ...fields, "positions_0[]": rota.ids("ABCD"), effective_at, effective_on };
    const drawn = await browser.submit(`/events/${event.id}/draft`, sent);
    expect(drawn.status).toBe(200);
    const saved = await browser.submit(`/events/${event.id}`, sent);
    expect(saved.text).toContain("Changes saved.");
    expect(await rosters(rota, event.id)).toBe(`ABC | ${expected}`);
  });

  test("are followed by another one for the same date", async () => {
    const { rota, event, browser } = await makeStage("ABCDE");
    for (const who of ["ABCD", "ABCE"]) {
      const fields = await formOn(browser, `/events/${event.id}?change=edit`);
      await browser.submit(`/events/${event.id}`, {
        ...fields,
        "positions_0[]": rota.ids(who),
        effective_at: "date",
        effective_on: dayField(shift(21)),
      });
    }
    expect(await rosters(rota, event.id)).toBe("ABC | 21 ABCED");
  });

  test("are removed one by one, after a confirmation", async () => {
    const { rota, event, browser } = await makeStage();
    await plan(rota, event.id, "BC", shift(20));
    await plan(rota, event.id, "BCD", shift(30));
    const page = (await browser.get(`/events/${event.id}`)).text;
    const forms = formsOf(page).filter((it) => it.action.endsWith("/planned/remove"));
    expect(forms.length).toBe(2);
    const [first] = forms.map((form) => submittedBy(form) as Fields);
    const asked = await browser.submit(`/events/${event.id}/planned/remove`, first ?? {});
    expect(asked.text).toContain("Remove planned change");
    expect(await rosters(rota, event.id)).toBe("ABC | 20 BC | 30 BCD");
    const confirmation = formsOf(asked.text).find((it) =>
      it.fields.some(([name]) => name === "confirmed"),
    );
    if (!confirmation) throw new Error("nothing is to be confirmed");
    const confirmed = submittedBy(confirmation) as Fields;
    const removed = await browser.submit(`/events/${event.id}/planned/remove`, confirmed);
    expect(removed.text).toContain("Planned change removed.");
    expect(await rosters(rota, event.id)).toBe("ABC | 30 ABCD");
    const again = await browser.submit(`/events/${event.id}/planned/remove`, confirmed);
    expect(again.text).toContain("No changes to save.");
  });

  test("are those of the turn from which on a rotation is edited", async () => {
    const { rota, event, browser } = await makeStage();
    await plan(rota, event.id, "BC", shift(20));
    const path = (number: number) => `/events/${event.id}?change=edit&at=${iso(shift(number))}`;
    expect((await formOn(browser, path(10)))["positions_0[]"]).toEqual(rota.ids("ABC"));
    expect((await formOn(browser, path(25)))["positions_0[]"]).toEqual(rota.ids("BC"));
  });

  test("do not wait for a full rotation", async () => {
    const { rota, event, browser } = await makeStage();
    await plan(rota, event.id, "BC", shift(20));
    const refused = await browser.submit(`/events/${event.id}`, {
      ...(await formOn(browser, `/events/${event.id}?change=edit`)),
      "positions_0[]": rota.ids("ABCD"),
      effective_at: "after_full_rotation",
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("while other changes are planned");
    expect(await rosters(rota, event.id)).toBe("ABC | 20 BC");
  });

  test("stay in the form of a shift that is no rotation of whole turns", async () => {
    const hours = { start_datetime: iso(shift(-9)), end_datetime: iso(shift(-9) + 8 * 3_600_000) };
    const { rota, event, browser } = await makeStage("ABCD", hours);
    await plan(rota, event.id, "BC", shift(20));
    const fields = await formOn(browser, `/events/${event.id}?change=edit`);
    expect(fields["positions_0[]"]).toEqual(rota.ids("ABC"));
    await browser.submit(`/events/${event.id}`, { ...fields, "positions_0[]": rota.ids("ABCD") });
    expect(await rosters(rota, event.id)).toBe("ABC | 1 ABCD | 20 BCD");
    await browser.submit(`/events/${event.id}`, {
      ...(await formOn(browser, `/events/${event.id}?change=edit`)),
      ...{ "positions_0[]": rota.ids("ABD"), effective_at: "date" },
      effective_on: dayField(shift(30)),
    });
    expect(await rosters(rota, event.id)).toBe("ABC | 1 ABCD | 20 BCD | 30 BD");
  });
});
