// Home: the alerts of the viewer's teams, what is asked of them, and who is on call; nothing else.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { makeRota } from "../../support/oncall/rota.ts";
import { addColleague } from "../../support/people/people.ts";
import { signIn, signInAdmin } from "../../support/worker/console.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();
const LASTING = { start_datetime: "2020-01-01T00:00:00Z", end_datetime: "2040-01-01T00:00:00Z" };

/** The titles of the alerts of a page, in their order. */
const titlesOn = (text: string): string[] =>
  [...text.matchAll(/class="alert-title"[^>]*>([^<]*)</g)].map(([, title = ""]) => title);

/** The text of a panel, without markup. */
const panelOn = (text: string, id: string): string | null =>
  new RegExp(`<section class="panel" id="${id}".*?</section>`, "s")
    .exec(text)?.[0]
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim() ?? null;

test("shows the most urgent alerts of one's own teams, which are acknowledged there", async () => {
  const rota = await makeRota("AB");
  const { api } = rota.account;
  await rota.event("A", LASTING);
  const other = await addColleague(rota.account, "Mia Member");
  const { body: foreign } = await api("POST", "/teams", {
    ...{ name: "Search", member_account_user_ids: [other.id], admin_account_user_ids: [other.id] },
  });
  const raise = async (title: string, urgency: string, teamId: string) =>
    (await api("POST", "/alerts", { title, urgency, destination_team_ids: [teamId] })).body;
  await raise("Disk is filling", "low", rota.teamId);
  const down = await raise("Shop is down", "critical", rota.teamId);
  expect(await raise("Index is old", "high", foreign.id)).toMatchObject({ title: "Index is old" });
  const browser = await signIn(rota.people.get("B") ?? "");
  expect(titlesOn((await browser.get("/")).text)).toEqual(["Shop is down", "Disk is filling"]);
  // Nobody is left to notify of it, and somebody sees it.
  const hrefOf = /<a class="nobody" href="([^"]+)">1 unanswered alert of other teams<\/a>/;
  const elsewhere = hrefOf.exec((await browser.get("/")).text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(titlesOn((await browser.get(elsewhere)).text)).toEqual(["Index is old"]);
  const ofTheirs = await signIn(other.id);
  expect((await ofTheirs.get("/")).text).not.toMatch(hrefOf);
  const after = await browser.submit(`/alerts/${down.prefix_id}/acknowledge`, { back: "/" });
  expect([after.to, titlesOn(after.text)]).toEqual(["/", ["Disk is filling", "Shop is down"]]);
  // A refresh of the list of alerts is without the rest of the page.
  const part = await browser.get("/", { "hx-request": "true" });
  expect(titlesOn(part.text)).toEqual(["Disk is filling", "Shop is down"]);
  expect([panelOn(after.text, "on-call") === null, panelOn(part.text, "on-call")]).toEqual([
    false,
    null,
  ]);
  for (let i = 0; i < 5; i += 1) await raise(`Probe ${i}`, "silent", rota.teamId);
  const { text } = await browser.get("/");
  expect(titlesOn(text)).toHaveLength(5);
  expect(text).toContain('<a href="/alerts?status=active">All 7 active alerts</a>');
});

test("says who is on call in one's teams, who is next, and one's own next shift", async () => {
  const rota = await makeRota("AB");
  const begin = Math.floor(Date.now() / DAY) * DAY;
  // Shifts that follow each other are said as one.
  for (const day of [begin, begin + DAY]) {
    await rota.event("A", { start_datetime: iso(day), end_datetime: iso(day + DAY) });
  }
  await rota.event("B", {
    start_datetime: iso(begin + 2 * DAY),
    end_datetime: iso(begin + 3 * DAY),
  });
  const other = [(await addColleague(rota.account, "Mia Member")).id];
  const { status } = await rota.account.api("POST", "/teams", {
    ...{ name: "Search", member_account_user_ids: other, admin_account_user_ids: other },
  });
  expect(status).toBe(201);
  const member = await signIn(rota.people.get("B") ?? "");
  const ofMember = panelOn((await member.get("/")).text, "on-call");
  expect(ofMember).toMatch(/Your next shift for Payments begins .* 00:00 /);
  expect(ofMember).toMatch(/Payments .* until .* B Person from /);
  expect(ofMember).not.toContain("Search");
  const admin = panelOn((await (await signInAdmin(rota.account)).get("/")).text, "on-call");
  const end = new Date(begin + 2 * DAY).getUTCDate();
  expect(admin).toMatch(new RegExp(`You are on call for Payments until \\w+ ${end} `));
  // On the second step too: both are said.
  await rota.event("A", {
    ...{ start_datetime: iso(begin), end_datetime: iso(begin + 2 * DAY), layer: 2 },
  });
  const both = panelOn((await (await signInAdmin(rota.account)).get("/")).text, "on-call");
  expect(both).toContain("You are on call for Payments until");
  expect(both).toContain("You are on call for Payments, step 2, until");
});

test("lists what one is asked to do, and nothing without it", async () => {
  const rota = await makeRota("ABC");
  const { api } = rota.account;
  const start = Math.floor(Date.now() / DAY) * DAY + 2 * DAY;
  const times = { start_datetime: iso(start), end_datetime: iso(start + DAY) };
  const ben = rota.people.get("B") ?? "";
  const browser = await signIn(ben);
  expect(panelOn((await browser.get("/")).text, "to-do")).toBeNull();
  await rota.event("A", { ...times, end_datetime: iso(start + 30 * DAY) });
  const { body: absence } = await api("POST", "/absences", {
    ...{ ...times, instead: "ask", account_user_id: rota.account.accountUserId },
    account_user_ids: [ben],
  });
  const asked = await browser.get("/");
  expect(panelOn(asked.text, "to-do")).toMatch(/asks you to take their shifts , .* Accept Decline/);
  const accepted = await browser.submit(`/absences/${absence.prefix_id}/accept`, { back: "/" });
  expect(accepted.text).not.toContain("asks you to");
  // Whoever is on call should be woken; whoever is not, need not.
  expect(panelOn((await browser.get("/")).text, "to-do")).toContain(
    "You are on call, but can be reached by e-mail only",
  );
  const cleo = rota.people.get("C") ?? "";
  const other = await signIn(cleo);
  expect(panelOn((await other.get("/")).text, "to-do")).toBeNull();
  await env.DB.prepare(
    `update user_emails set blocked_at = 1
      where user_id = (select user_id from account_users where id = ?)`,
  )
    .bind(cleo)
    .run();
  expect(panelOn((await other.get("/")).text, "to-do")).toContain("You cannot be reached");
});

test("an admin of a new account sees the steps of the setup, and no empty panels", async () => {
  const { text } = await (await signInAdmin(await makeAccount())).get("/");
  expect(text).toContain("Set up paging");
  expect([panelOn(text, "on-call"), panelOn(text, "to-do")]).toEqual([null, null]);
});
