// Absences in the console: entered, decided, asked for and answered. Without scripts.
import { describe, expect, test } from "vitest";
import { bodyOf, formsOf } from "../../../support/api/forms.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { type Browser, signIn, signInAdmin } from "../../../support/worker/console.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();
const wall = (at: number) => iso(at).slice(0, 16);

/** A, B and C take daily turns in UTC, from the day after tomorrow on; D has none. */
async function makeTurns() {
  const rota = await makeRota("ABCD");
  const start = Math.floor(Date.now() / DAY) * DAY + 2 * DAY;
  const event = await rota.event("ABC", {
    ...{ start_datetime: iso(start), end_datetime: iso(start + DAY), rotation: true },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
  });
  const days = async () =>
    (await rota.window(iso(start), iso(start + 6 * DAY))).map((line) => line.at(-1)).join("");
  const [b = "", c = "", d = ""] = rota.ids("BCD");
  for (const id of [rota.account.accountUserId, b, c]) {
    await rota.account.api("PUT", `/account_users/${id}`, {
      user_attributes: { time_zone: "UTC" },
    });
  }
  const [admin, ben, cleo] = await Promise.all([signInAdmin(rota.account), signIn(b), signIn(c)]);
  return { rota, event, start, days, admin, ben, cleo, b, c, d };
}

/** The form on a page with this action, as it is submitted unchanged. */
async function formAt(text: string, to: string) {
  const form = formsOf(text).find(({ action }) => action === to);
  if (!form) throw new Error(`no form to ${to}: ${text}`);
  const { form_token: _, ...fields } = bodyOf(form);
  return fields;
}

const linksIn = (text: string, start: string) =>
  [...text.matchAll(/href="([^"]*)"/g)]
    .map(([, to = ""]) => to.replaceAll("&amp;", "&"))
    .filter((to) => to.startsWith(start));

/** Opens the form of the viewer's first shift. */
async function openForm(browser: Browser) {
  const [to = ""] = linksIn((await browser.get("/absences")).text, "/absences?add=1&event");
  const shown = await browser.get(to);
  expect(shown.status, shown.text).toBe(200);
  return { shown, fields: await formAt(shown.text, "/absences") };
}

const askedOf = async (browser: Browser) => {
  const mine = await browser.get("/absences");
  expect(mine.text).toContain("Asked of me");
  return linksIn(mine.text, "/absences/abs_")[0] ?? "";
};

describe("absences in the console", () => {
  test("are drawn, saved, changed and taken back", async () => {
    const { rota, start, days, admin, b, c } = await makeTurns();
    expect(await days()).toBe("ABCABC");
    const shown = await admin.get(`/absences?add=1&person=${b}`);
    const blank = await formAt(shown.text, "/absences");
    expect(blank).toMatchObject({ account_user_id: [b], instead: ["nobody_yet"] });
    const fields = {
      ...blank,
      ...{ start_datetime: wall(start), end_datetime: wall(start + 6 * DAY), reason: "Surgery" },
    };
    const undecided = await admin.submit("/absences/draft", fields);
    expect(undecided.text).toContain("B Person stays on call");
    const drawn = await admin.submit("/absences/draft", { ...fields, instead: "next_in_line" });
    expect(drawn.text).toContain("C Person instead of B Person");
    expect(drawn.text).toContain("Surgery");
    expect((await rota.account.api("GET", "/absences")).body.total_count).toBe(0);
    const saved = await admin.submit("/absences", { ...fields, instead: "next_in_line" });
    expect(saved.text).toContain("Absence saved.");
    expect(saved.text).toContain("Absence of B Person");
    expect(await days()).toBe("ACCAAC");
    const path = saved.to;
    const own = await formAt((await admin.get(path)).text, path);
    expect((await admin.submit(path, own)).text).toContain("No changes to save.");
    const person = { ...own, instead: "person", covering_account_user_id: rota.ids("A")[0] ?? "" };
    expect((await admin.submit(`${path}/draft`, person)).text).toContain("instead of C Person");
    expect((await admin.submit(path, person)).text).toContain("Changes saved.");
    expect(await days()).toBe("AACAAC");
    expect((await admin.submit(path, { ...own, instead: "empty" })).text).toContain("nobody");
    expect(await days()).toBe("ACAC");
    for (const page of ["/absences", `/people/${b}`]) {
      expect((await admin.get(page)).text, page).toContain(path);
    }
    expect((await admin.get(`/people/${c}`)).text).not.toContain(path);
    const taken = await admin.submit(`${path}/take_back`);
    expect([taken.to, taken.text.includes("Absence taken back.")]).toEqual(["/absences", true]);
    expect(await days()).toBe("ABCABC");
    expect((await admin.get("/absences?state=past")).text).toContain("Nobody was away.");
  });

  test("that nobody takes warn wherever their shifts are shown", async () => {
    const { rota, start, admin, b } = await makeTurns();
    const hours = { start_datetime: iso(start + DAY), end_datetime: iso(start + 2 * DAY) };
    const absence = { account_user_id: b, ...hours, reason: "Surgery" };
    const { body } = await rota.account.api("POST", "/absences", absence);
    for (const page of [`/schedules/${rota.scheduleId}`, "/on-call"]) {
      const { text } = await admin.get(page);
      expect(text, page).toContain("Shifts of people who are away.");
      expect(text, page).toContain("Surgery");
      expect(linksIn(text, `/absences/${body.id}`), page).toHaveLength(1);
    }
    const list = (await admin.get("/absences")).text;
    expect(list).toContain("nobody yet");
    expect(list).toMatch(/class="gap-text">[^<]+ 00:00 – [^<]+ 00:00</);
    expect((await admin.get(`/absences/${body.id}`)).text).toContain("still B Person");
    await admin.submit(`/absences/${body.prefix_id}/take_back`);
    expect((await admin.get("/on-call")).text).not.toContain("who are away");
  });

  test("that run now are said on the page On call, with who serves instead", async () => {
    const rota = await makeRota("AB");
    const browser = await signInAdmin(rota.account);
    const now = Date.now();
    const hours = { start_datetime: iso(now - DAY), end_datetime: iso(now + DAY) };
    await rota.event("B", hours);
    const [a = "", b = ""] = rota.ids("AB");
    await rota.account.api("POST", "/absences", {
      ...{ account_user_id: b, start_datetime: iso(now), end_datetime: iso(now + DAY / 2) },
      ...{ instead: "person", covering_account_user_id: a },
    });
    const { text } = await browser.get("/on-call");
    expect(text).toMatch(/instead of .*B Person.*, away/);
    const calendar = await browser.get(`/schedules/${rota.scheduleId}`);
    expect(calendar.text).toContain("instead of B Person, away");
  });

  test("show errors at their fields, with what was entered", async () => {
    const { start, admin, b } = await makeTurns();
    const wrong = { account_user_id: b, reason: "Dentist", instead: "person" };
    const times = { start_datetime: wall(start + DAY), end_datetime: wall(start) };
    const { status, text } = await admin.submit("/absences", { ...wrong, ...times });
    expect(status).toBe(422);
    expect(text).toContain("Until must be after");
    expect(text).toContain("Choose who takes it.");
    expect(text).toContain("Dentist");
  });

  test("of others can be decided by no member", async () => {
    const { rota, start, ben, b, c } = await makeTurns();
    const hours = { start_datetime: iso(start), end_datetime: iso(start + DAY) };
    const absence = { account_user_id: c, ...hours, instead: "next_in_line" };
    const { prefix_id: id } = (await rota.account.api("POST", "/absences", absence)).body;
    const shown = await ben.get(`/absences/${id}`);
    expect(shown.status).toBe(200);
    expect(shown.text).not.toContain("Take back");
    expect((await ben.submit(`/absences/${id}/take_back`)).text).toContain("needs the role admin");
    const form = (await ben.get("/absences?add=1")).text;
    expect(form).not.toContain('name="account_user_id"');
    expect(form).not.toContain('value="next_in_line"');
    const own = { start_datetime: wall(start), end_datetime: wall(start + DAY) };
    expect((await ben.submit("/absences", { ...own, instead: "nobody_yet" })).text).toContain(
      "Absence saved.",
    );
    const { data } = (await rota.account.api("GET", `/absences?account_user_id=${b}`)).body;
    expect(data).toHaveLength(1);
    const decided = { ...own, account_user_id: c, instead: "empty" };
    expect((await ben.submit("/absences", decided)).status).toBe(403);
  });
});

test("a member takes back what was decided for them, and changes only what was not", async () => {
  const { rota, start, days, ben, b } = await makeTurns();
  const hours = { start_datetime: iso(start), end_datetime: iso(start + 6 * DAY) };
  const absence = { account_user_id: b, ...hours };
  const open = (await rota.account.api("POST", "/absences", absence)).body.prefix_id;
  expect((await ben.get(`/absences/${open}`)).text).toContain("Save changes");
  const decided = { ...absence, instead: "next_in_line" };
  const { prefix_id: id } = (await rota.account.api("POST", "/absences", decided)).body;
  expect(await days()).toBe("ACCAAC");
  const { text } = await ben.get(`/absences/${id}`);
  expect(text).toContain("Take back");
  expect(text).not.toContain("Save changes");
  expect((await ben.submit(`/absences/${id}/take_back`)).text).toContain("Absence taken back.");
  expect(await days()).toBe("ABCABC");
});

describe("asking in the console", () => {
  test("is filled in with one's shift, drawn, and accepted at once", async () => {
    const { start, days, ben, cleo, c } = await makeTurns();
    const { fields } = await openForm(ben);
    expect(fields).toMatchObject({
      ...{
        instead: ["ask"],
        start_datetime: [wall(start + DAY)],
        end_datetime: [wall(start + 2 * DAY)],
      },
    });
    const asking = { ...fields, "account_user_ids[]": [c], reason: "Dentist" };
    const drawn = await ben.submit("/absences/draft", asking);
    expect(drawn.text).toContain("If C Person accepts:");
    expect(drawn.text).toContain("C Person instead of B Person");
    const sent = await ben.submit("/absences", asking);
    expect(sent.text).toContain("Absence saved, and the people asked.");
    expect(await days()).toBe("ABCABC");
    const to = await askedOf(cleo);
    expect((await cleo.get(to)).text).toContain("Dentist");
    const accepted = await cleo.submit(`${to}/accept`, { back: "/absences" });
    expect(accepted.to).toBe("/absences");
    expect(accepted.text).toContain("You have accepted.");
    expect(await days()).toBe("ACCABC");
    const mine = (await ben.get("/absences")).text;
    expect(mine).toContain("My absences");
    expect(mine).toContain("C Person");
  });

  test("takes any hours in return, by default as long as those asked for", async () => {
    const { start, days, ben, cleo, c } = await makeTurns();
    const { fields } = await openForm(ben);
    const swap = {
      ...fields,
      ...{ "account_user_ids[]": [c], return_start: wall(start + 2 * DAY) },
    };
    expect((await ben.submit("/absences/draft", swap)).text).toContain("B Person instead of C");
    const sent = await ben.submit("/absences", swap);
    expect(sent.text).toContain("Absence saved, and the people asked.");
    await cleo.submit(`${await askedOf(cleo)}/accept`);
    expect(await days()).toBe("ACBABC");
  });

  test("is of everybody in the rotation if nobody is chosen, declined, and taken back", async () => {
    const { rota, ben, cleo, d } = await makeTurns();
    const { fields } = await openForm(ben);
    // Without a link's rotation it is that of the first shift in the hours.
    const sent = await ben.submit("/absences", { ...fields, event: "" });
    const own = (await rota.account.api("GET", sent.to)).body;
    expect(own.account_user_ids.toSorted()).toEqual(rota.ids("AC").toSorted());
    expect(own.account_user_ids).not.toContain(d);
    const to = await askedOf(cleo);
    const declined = await cleo.submit(`${to}/decline`);
    expect(declined.text).toContain("You have declined.");
    expect(declined.text).toContain("declined, by console");
    expect((await ben.get(to)).text).not.toContain(">Accept<");
    expect((await ben.submit(`${to}/take_back`)).text).toContain("Absence taken back.");
    const late = await cleo.submit(`${to}/accept`);
    expect(late.text).toContain("cancelled");
  });

  test("shows errors at their fields, with what was entered", async () => {
    const { start, ben } = await makeTurns();
    const { fields } = await openForm(ben);
    const wrong = { ...fields, end_datetime: wall(start), reason: "Dentist" };
    const shown = await ben.submit("/absences", wrong);
    expect(shown.status).toBe(422);
    expect(shown.text).toContain("must be after");
    expect(shown.text).toContain("Dentist");
    const hours = {
      start_datetime: wall(start + 20 * 3_600_000),
      end_datetime: wall(start + 21 * 3_600_000),
    };
    const nobody = await ben.submit("/absences", { ...fields, ...hours, event: "" });
    expect(nobody.status).toBe(422);
    expect(nobody.text).toContain("Choose whom to ask.");
  });
});

test("addresses of former pages lead to those of now", async () => {
  const { rota, admin, start, b } = await makeTurns();
  const hours = { start_datetime: iso(start), end_datetime: iso(start + DAY) };
  const { body } = await rota.account.api("POST", "/absences", { account_user_id: b, ...hours });
  const former = `cov_${body.prefix_id.slice("abs_".length)}`;
  for (const [from, to] of [
    ["/covers", "/absences"],
    ["/cover_requests", "/absences"],
    [`/covers/${former}`, `/absences/${body.prefix_id}`],
    ["/company_holidays", "/calendars#holidays"],
  ] as const) {
    const shown = await admin.get(from);
    expect([from, shown.to, shown.status]).toEqual([from, to, 303]);
  }
});
