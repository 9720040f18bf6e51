// Requests for cover in the console: asked for from one's shifts, answered, and seen by everybody
// whom they concern. Without scripts.
import { describe, expect, test } from "vitest";
import { bodyOf, formsOf } from "../../../support/api/forms.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { type Browser, signIn } from "../../../support/worker/console.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

/** A, B and C take daily turns in UTC; B and C are signed in. */
async function makeTurns() {
  const rota = await makeRota("ABCD");
  const start = Math.floor(Date.now() / DAY) * DAY + 2 * DAY;
  const event = await rota.event("ABC", {
    start_datetime: iso(start),
    end_datetime: iso(start + DAY),
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
  });
  for (const letter of "BC") {
    await rota.account.api("PUT", `/account_users/${rota.ids(letter)[0]}`, {
      user_attributes: { time_zone: "UTC" },
    });
  }
  const days = async () =>
    (await rota.window(iso(start), iso(start + 6 * DAY))).map((line) => line.at(-1)).join("");
  const [ben, cleo] = await Promise.all(rota.ids("BC").map((id) => signIn(id)));
  if (!ben || !cleo) throw new Error("not signed in");
  return { rota, event, start, days, ben, cleo };
}

/** The form of a page with this action, as it is submitted unchanged. */
async function formAt(
  text: string,
  to: string,
): Promise<Record<string, string | readonly string[]>> {
  const form = (await formsOf(text)).find(({ action }) => action === to);
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
  const shifts = await browser.get("/on-call/mine");
  const [to = ""] = linksIn(shifts.text, "/cover_requests/new");
  const shown = await browser.get(to);
  expect(shown.status, shown.text).toBe(200);
  return { shown, fields: await formAt(shown.text, "/cover_requests") };
}

/** Submits the form and sends what is shown. */
async function send(browser: Browser, fields: Record<string, string | readonly string[]>) {
  const shown = await browser.submit("/cover_requests", fields);
  expect(shown.text).toContain("Send request");
  const sent = await browser.submit("/cover_requests", await formAt(shown.text, "/cover_requests"));
  return { shown, sent };
}

describe("cover requests in the console", () => {
  test("are asked of a person, shown before, and accepted after a look at what changes", async () => {
    const { rota, days, ben, cleo } = await makeTurns();
    const { fields } = await openForm(ben);
    const [c = ""] = rota.ids("C");
    const { shown, sent } = await send(ben, { ...fields, account_user_id: c, reason: "Dentist" });
    expect(shown.text).toContain("If C Person accepts:");
    expect(sent.to).toBe("/on-call/mine");
    expect(sent.text).toContain("Request sent.");
    expect(sent.text).toContain("My requests");
    expect(await days()).toBe("ABCABC");
    const mine = await cleo.get("/on-call/mine");
    expect(mine.text).toContain("Asked of me");
    const [to = ""] = linksIn(mine.text, "/cover_requests/crq_");
    expect((await cleo.get(to)).text).toContain("Dentist");
    const look = await cleo.submit(`${to}/accept`);
    expect(look.text).toContain("Accept request");
    expect(await days()).toBe("ABCABC");
    const accepted = await cleo.submit(`${to}/accept`, await formAt(look.text, `${to}/accept`));
    expect(accepted.text).toContain("You have accepted.");
    expect(accepted.text).toContain("The cover");
    expect(await days()).toBe("ACCABC");
    const after = await ben.get("/on-call/mine");
    expect(after.text).toMatch(/accepted<\/span> by/);
  });

  test("offer the coming shifts of the person in return, and show a swap before it is sent", async () => {
    const { rota, start, days, ben, cleo } = await makeTurns();
    const { fields } = await openForm(ben);
    const [c = ""] = rota.ids("C");
    const shown = await ben.submit("/cover_requests", { ...fields, account_user_id: c });
    const plain = await formAt(shown.text, "/cover_requests");
    const inReturn = `${iso(start + 2 * DAY)}/${iso(start + 3 * DAY)}`;
    expect(shown.text).toContain(`value="${inReturn}"`);
    const swap = await ben.submit("/cover_requests", { ...plain, in_return: inReturn });
    expect(swap.to).not.toBe("/on-call/mine");
    expect((await rota.account.api("GET", "/cover_requests")).body.total_count).toBe(0);
    const sent = await ben.submit("/cover_requests", await formAt(swap.text, "/cover_requests"));
    expect(sent.text).toContain("Request sent.");
    const [to = ""] = linksIn((await cleo.get("/on-call/mine")).text, "/cover_requests/crq_");
    const look = await cleo.submit(`${to}/accept`);
    await cleo.submit(`${to}/accept`, await formAt(look.text, `${to}/accept`));
    expect(await days()).toBe("ACBABC");
  });

  test("are asked of everyone in the rotation, declined, and cancelled", async () => {
    const { rota, ben, cleo } = await makeTurns();
    const { fields } = await openForm(ben);
    expect(fields.account_user_id).toEqual(["everyone"]);
    const { shown } = await send(ben, fields);
    expect(shown.text).toContain("Everyone in the rotation is asked.");
    const [to = ""] = linksIn((await cleo.get("/on-call/mine")).text, "/cover_requests/crq_");
    const declined = await cleo.submit(`${to}/decline`);
    expect(declined.text).toContain("You have declined.");
    expect(declined.text).toContain("declined, by console");
    const own = await ben.get(to);
    expect(own.text).toContain("Cancel request");
    expect(own.text).not.toContain(">Accept<");
    expect((await ben.submit(`${to}/cancel`)).text).toContain("Request cancelled.");
    const late = await cleo.submit(`${to}/accept`);
    expect(late.text).toContain("The request was cancelled.");
    const [a = ""] = rota.ids("A");
    const admin = await signIn(a);
    expect((await admin.get("/cover_requests?state=ended")).text).toContain(to);
    expect((await admin.get("/covers")).text).toContain('href="/cover_requests"');
  });

  test("show errors at their fields, with what was entered", async () => {
    const { start, ben } = await makeTurns();
    const { fields } = await openForm(ben);
    const wrong = { ...fields, end_datetime: iso(start).slice(0, 16), reason: "Dentist" };
    const shown = await ben.submit("/cover_requests", wrong);
    expect(shown.status).toBe(422);
    expect(shown.text).toContain("must be after");
    expect(shown.text).toContain('value="Dentist"');
    const nobody = await ben.submit("/cover_requests", { ...fields, account_user_id: "" });
    expect(nobody.status).toBe(422);
    expect(nobody.text).toContain("Ask can&#39;t be blank.");
  });

  test("say when their hours are gone", async () => {
    const { rota, event, start, ben } = await makeTurns();
    const { fields } = await openForm(ben);
    await send(ben, fields);
    await rota.amend(event.id, "add_exception", { action_time: iso(start + DAY) });
    const [to = ""] = linksIn((await ben.get("/on-call/mine")).text, "/cover_requests/crq_");
    expect((await ben.get(to)).text).toContain("no longer on call in these hours");
  });
});
