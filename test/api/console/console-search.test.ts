// The search over everything: each kind of record is found and leads to its page, on the page without scripts and
// in the data of the field; pages and actions lead to pages that exist; nobody finds another account's records.
import { beforeAll, expect, test } from "vitest";
import { ACTIONS } from "../../../src/console/configuration/search.tsx";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague } from "../../support/people/people.ts";
import { type Browser, signIn, signInAdmin } from "../../support/worker/console.ts";
import { makeIntegration, makeTeam } from "../../support/worker/world.ts";

type Found = { readonly value: string; readonly label: string; readonly note: string };

let account: Account;
let admin: Browser;
let member: Browser;
/** The paths of the records whose name has the word, by their kind. */
let paths: Readonly<Record<string, string>>;

/** A word of which every kind of record has one, and how it is searched for. */
const [WORD, SEARCHED] = ["Tromsø", "tromso"];

beforeAll(async () => {
  account = await makeAccount();
  const team = await makeTeam(account, []);
  const made = async (path: string, body: object) =>
    `${path}/${(await account.api("POST", path, body)).body.prefix_id}`;
  const person = await addColleague(account, `Jan ${WORD}`);
  const integration = await makeIntegration(account, [team.id]);
  await account.api("PUT", `/integrations/${integration.id}`, { name: `Probe ${WORD}` });
  const read = async (path: string) => (await account.api("GET", path)).body.prefix_id;
  const title = `Link to ${WORD} down`;
  paths = {
    alert: await made("/alerts", { title, urgency: "silent", destination_team_ids: [team.id] }),
    person: `/people/${await read(`/account_users/${person.id}`)}`,
    team: await made("/teams", {
      ...{ name: `Office ${WORD}`, member_account_user_ids: [account.accountUserId] },
      admin_account_user_ids: [account.accountUserId],
    }),
    schedule: await made("/schedules", { name: `Nights ${WORD}` }),
    integration: `/integrations/${await read(`/integrations/${integration.id}`)}`,
  };
  admin = await signInAdmin(account);
  member = await signIn(person.id);
});

const choicesFor = async (browser: Browser, q: string): Promise<readonly Found[]> => {
  const { status, text } = await browser.get(`/search?${new URLSearchParams({ q })}`, {
    Accept: "application/json",
  });
  expect(status, text).toBe(200);
  return JSON.parse(text).choices;
};

test("finds a record of each kind, for an admin and for a member, and each leads to its page", async () => {
  for (const browser of [admin, member]) {
    const found = await choicesFor(browser, SEARCHED);
    expect(found.map(({ value }) => value)).toEqual(expect.arrayContaining(Object.values(paths)));
    const { text } = await browser.get(`/search?q=${SEARCHED}`);
    for (const [kind, path] of Object.entries(paths)) {
      expect(text, kind).toContain(`href="${path}"`);
      expect((await browser.get(path)).status, path).toBe(200);
    }
  }
});

test("leads only to pages that exist, by what they are called", async () => {
  const all = await choicesFor(admin, "");
  expect(all.length).toBeGreaterThanOrEqual(ACTIONS.length);
  const { text } = await admin.get("/search");
  const places = [...text.matchAll(/<a href="([^"]+)"><strong>([^<]+)<\/strong>/g)];
  expect(places.length).toBeGreaterThan(18);
  for (const [, path = "", title = ""] of places) {
    if (!path.startsWith("/docs")) expect((await admin.get(path)).status, path).toBe(200);
    const [first] = await choicesFor(admin, title);
    expect(first?.label, title).toBe(title);
  }
  const words = {
    vacation: "/absences",
    "override shift": "/on-call",
    "create alert": "/alerts/new",
  };
  for (const [q, path] of Object.entries(words))
    expect(
      (await choicesFor(admin, q)).map(({ value }) => value),
      q,
    ).toContain(path);
});

test("offers a member only the actions that a member may take", async () => {
  const offered = await choicesFor(member, "create");
  expect(offered.map(({ label }) => label)).toEqual(["Create alert"]);
  for (const { to } of ACTIONS.filter(({ admin }) => !admin))
    expect((await member.get(to)).status, to).toBe(200);
});

test("says that nothing was found, shows a text as it is, and is below the navigation of every page", async () => {
  const { text } = await admin.get(`/search?q=${encodeURIComponent('<b>"zzz')}`);
  expect(text).toContain("Nothing found for “&lt;b&gt;&quot;zzz”");
  const { text: page } = await admin.get("/reports");
  expect(page).toMatch(
    /<search class="find"[^>]*><form action="\/search"><input type="search" name="q"/,
  );
});

test("finds nothing of another account", async () => {
  const stranger = await signInAdmin(await makeAccount());
  expect(await choicesFor(stranger, SEARCHED)).toEqual([]);
});
