// `q` finds text in any script without regard to case and accents (contract 1, Lists): for every list and every
// attribute that it searches, generated words in every script, written in one case and searched for in another.
import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { sized } from "../../support/generated/sizes.ts";
import { SCRIPTS, spellings } from "../../support/source/scripts.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeIntegration } from "../../support/worker/world.ts";

let account: Account;
let teamId: string;
let integrationId: string;
let made = 0;

beforeAll(async () => {
  account = await makeAccount();
  const { accountUserId } = account;
  const people = {
    member_account_user_ids: [accountUserId],
    admin_account_user_ids: [accountUserId],
  };
  teamId = (await account.api("POST", "/teams", { name: "Searchers", ...people })).body.id;
  integrationId = (await makeIntegration(account, [teamId])).id;
});

const newEmail = () => {
  made += 1;
  return `found.${made}@example.com`;
};
const silent = () => ({ urgency: "silent", destination_team_ids: [teamId] });
const window = {
  start_datetime: "2031-03-01T09:00:00Z",
  end_datetime: "2031-03-01T17:00:00Z",
  time_zone: "UTC",
};

/** By list and searched attribute: the body of a record with a word in that attribute. */
const searched: Readonly<Record<string, Readonly<Record<string, (word: string) => object>>>> = {
  "/alerts": {
    title: (word) => ({ ...silent(), title: word }),
    description: (word) => ({ ...silent(), title: "Disk full", description: word }),
    tags: (word) => ({ ...silent(), title: "Disk full", tags: ["db", word] }),
  },
  "/teams": {
    name: (word) => ({
      name: word,
      member_account_user_ids: [account.accountUserId],
      admin_account_user_ids: [account.accountUserId],
    }),
  },
  "/users": { name: (word) => ({ name: word, email: newEmail() }) },
  "/account_users": {
    name: (word) => ({
      user_attributes: { name: word, emails_attributes: [{ email: newEmail() }] },
    }),
  },
  "/integrations": {
    name: (word) => ({
      name: word,
      urgency: "low",
      integration_type_id: "webhook",
      team_ids: [teamId],
    }),
  },
  "/schedules": { name: (name) => ({ name }) },
  "/escalation_policies": {
    name: (name) => ({ name, escalation_layers_attributes: [{ layer: 1, timeout: 5 }] }),
  },
  "/routers": { name: (name) => ({ name, default_receiver_team_id: teamId }) },
  "/notification_rules": { name: (name) => ({ name }) },
  "/maintenance_windows": {
    name: (name) => ({ ...window, name, integration_ids: [integrationId] }),
  },
  "/company_holidays": { name: (name) => ({ name, start_date: "2026-06-12" }) },
  "/broadcasts": {
    title: (title) => ({ title, destination_account_user_ids: [account.accountUserId] }),
    tags: (word) => ({
      title: "Closed",
      tag_list: [word],
      destination_account_user_ids: [account.accountUserId],
    }),
  },
  "/comments": { body: (body) => ({ body }) },
  "/api_keys": { name: (name) => ({ name }) },
};

/** Creates a record; returns its id. */
async function make(path: string, body: object): Promise<string> {
  const { status, body: record, text } = await account.api("POST", path, body);
  expect(status, text).toBe(201);
  return record.id;
}

async function idsFoundBy(path: string, words: string): Promise<string[]> {
  const query = new URLSearchParams({ q: words, limit: "100" });
  const { status, body, text } = await account.api("GET", `${path}?${query}`);
  expect(status, text).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
}

const cases = Object.entries(searched).flatMap(([path, attributes]) =>
  Object.entries(attributes).map(([name, bodyFor]) => ({ path, name, bodyFor })),
);

describe.each(cases)("$path: $name", ({ path, bodyFor }) => {
  test("is found in any script, written and searched for in any case", async () => {
    const word = fc.constantFrom(...SCRIPTS).chain(spellings);
    const property = fc.asyncProperty(word, async ({ written, searched }) => {
      const id = await make(path, bodyFor(`A ${written} b`));
      expect(await idsFoundBy(path, searched)).toContain(id);
      expect(await idsFoundBy(path, `${searched}Ж`)).not.toContain(id);
    });
    await fc.assert(property, { numRuns: sized(1, 60) });
  });

  test.each([
    ["Сервер", "сервер"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσεύς".normalize("NFD").replace(/\p{M}/gu, "")],
    ["Straße", "STRASSE"],
    ["İstanbul", "ISTANBUL"],
    ["it's a 'Müller' %_", "MÜLLER' %"],
    ["Łukasz Novák of Tromsø", "novak TROMSO lukasz"],
    ["Error rate of Łódź above 5 %", '"rate of lodz" error'],
    ["an odd mark", 'odd"'],
  ])("%s is found by %s", async (written, words) => {
    const id = await make(path, bodyFor(written));
    expect(await idsFoundBy(path, words)).toContain(id);
  });
});

test("people are found by email address and phone number", async () => {
  const email = newEmail();
  const phones_attributes = [{ phone: "+14155550123" }];
  const { body } = await account.api("POST", "/users", { name: "Grace", email, phones_attributes });
  for (const words of [email.toUpperCase(), "4155550123"]) {
    expect(await idsFoundBy("/users", words)).toContain(body.id);
    expect(await idsFoundBy("/account_users", words)).toContain(body.account_user_id);
  }
});

test("words are found in any order and in any attribute, a phrase only as it is", async () => {
  const text = { title: "Bremsen heiß gelaufen", description: "Zug 4711 in Hbf Köln" };
  const id = await make("/alerts", { ...silent(), ...text, tags: ["rolling stock"] });
  for (const words of ["koln bremsen", '"heiss gelaufen" "rolling stock"', "4711 stock"])
    expect(await idsFoundBy("/alerts", words), words).toEqual([id]);
  for (const words of ['"gelaufen heiss"', '"gelaufen zug"', "koln bremsen muenchen"])
    expect(await idsFoundBy("/alerts", words), words).toEqual([]);
  expect((await idsFoundBy("/alerts", '"')).length).toBeGreaterThan(1);
});

test("alerts are found by their sender's id", async () => {
  const integration = await makeIntegration(account, [teamId]);
  const Id = '{}:{alertname="Flood", job="flood-777"}';
  await integration.send({ event_type: "create", Id, Title: "Wet", Urgency: "silent" });
  for (const words of ["flood-777", Id]) {
    const found = () => idsFoundBy("/alerts", words);
    await vi.waitFor(async () => expect(await found(), words).toHaveLength(1), soon);
  }
});

test("alerts are found by their source", async () => {
  const integration = await makeIntegration(account, [teamId]);
  await integration.send({ event_type: "create", Id: "a", Title: "Disk full", Urgency: "silent" });
  const found = () => idsFoundBy("/alerts", integration.id.toLowerCase());
  await vi.waitFor(async () => expect(await found()).toHaveLength(1), soon);
});

test("a search with hundreds of different letters is answered", async () => {
  const letters = Array.from({ length: 600 }, (_, i) => String.fromCodePoint(0xc0 + i)).join("");
  const id = await make("/schedules", { name: letters.slice(0, 120) });
  expect(await idsFoundBy("/schedules", letters.slice(0, 120))).toContain(id);
  for (const path of Object.keys(searched)) expect(await idsFoundBy(path, letters)).toEqual([]);
});

test("integration types are found by their title", async () => {
  const { body } = await account.api("GET", "/integration_types?q=PAGERDUTY");
  expect(body.total_count).toBeGreaterThan(0);
});
