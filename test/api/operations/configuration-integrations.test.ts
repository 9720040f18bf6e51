// Integrations and maintenance windows in a configuration file (contract 2, Configuration): a copy has
// addresses of its own, and its inboxes know what the file says.
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { call, makeAccount } from "../../support/api/api.ts";
import { copyAccount, exportOf } from "../../support/configuration/copied-account.ts";
import { makeIntegration, makeTeam } from "../../support/worker/world.ts";

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();

async function start() {
  const account = await makeAccount();
  const team = await makeTeam(account, [{ seconds: 600, people: [] }]);
  const { id } = await makeIntegration(account, [team.id]);
  const { body: made } = await account.api("PUT", `/integrations/${id}`, {
    option_pause_for: 5,
    option_token: "the-token-of-the-first",
    meta: { key: "prod" },
  });
  await account.api("POST", "/integrations", {
    ...{ name: "To Acme", urgency: "high", integration_type_id: "outgoing_webhook" },
    ...{ option_url: "https://hooks.example.com/secret-path", team_ids: [team.id] },
  });
  const send = (file: Record<string, unknown>, query = "") =>
    account.api("POST", `/configuration${query}`, {
      configuration: stringify({ tocsin: 1, ...file }, { aliasDuplicateObjects: false }),
    });
  return { account, team, id, made, send };
}

test("an integration is copied without its address and secrets, and its copy receives", async () => {
  const { account, id, made, send } = await start();
  const over = await account.api("POST", "/maintenance_windows", {
    ...{ name: "Over", time_zone: "UTC", integration_ids: [id] },
    ...{ start_datetime: inDays(-2), end_datetime: inDays(-1) },
  });
  expect(over.status, over.text).toBe(201);
  const text = await exportOf(account);
  const { integrations, maintenance_windows: windows } = parse(text);
  expect(windows).toBeUndefined();
  expect(integrations).toMatchObject([
    { key: "prod", type: "webhook", options: { pause_for: 5 }, secrets: ["token"] },
  ]);
  for (const secret of [made.url, made.intake_key, "the-token", "secret-path"]) {
    expect(text).not.toContain(secret);
  }
  const window = {
    ...{ key: "upgrade", name: "Upgrade", time_zone: "UTC", integrations: ["prod"] },
    ...{ start_datetime: inDays(-1), end_datetime: inDays(1) },
  };
  const { body: preview } = await send({ maintenance_windows: [window] }, "?preview=true");
  expect(preview.changes).toMatchObject([{ kind: "maintenance_window", note: null }]);
  expect((await send({ maintenance_windows: [window] })).body.changes).toHaveLength(1);
  expect((await send({ maintenance_windows: [window] })).body.changes).toEqual([]);

  const copy = await copyAccount(account);
  const { body: copied } = await copy.api("GET", "/integrations");
  const [one, ...others] = copied.data;
  expect(others).toEqual([]);
  expect(one).toMatchObject({ name: made.name, options: { pause_for: 5, token: null } });
  expect(one.url).not.toBe(made.url);
  const sent = await call("POST", new URL(one.url).pathname, {
    body: { event_type: "create", Id: "db1", Title: "Disk full" },
  });
  expect(sent.status, sent.text).toBe(200);
  await expect
    .poll(async () => (await copy.api("GET", "/alerts")).body.data)
    .toMatchObject([{ title: "Disk full", status: "suppressed" }]);
  const again = await copy.api("POST", "/configuration", { configuration: await exportOf(copy) });
  expect(again.body.changes).toEqual([]);
});

test("a new integration's note says what its senders need, and what has to be set again", async () => {
  const { account, send } = await start();
  const entry = {
    ...{ key: "new", name: "New", type: "webhook", urgency: "low", teams: ["missing"] },
    ...{ secrets: ["token"], options: { token: "x", colour: "red" } },
  };
  const { body: refused } = await send({ integrations: [entry] });
  expect(refused.errors.map(({ message }: any) => message)).toEqual([
    "integrations[0].options.token is a secret, which is in no file",
    "integrations[0].options.colour is not an option of webhook",
    "integrations[0].teams[0] names the team missing, which neither the file nor the account has",
  ]);
  const [team] = parse(await exportOf(account)).teams;
  const good = { ...entry, teams: [team.key], options: { pause_for: 9_999 } };
  const { body: wrong } = await send({ integrations: [good] });
  expect(wrong.errors).toMatchObject([{ field: "integrations[0].options.pause_for" }]);
  const right = { ...good, options: { pause_for: 10 } };
  const { body: preview } = await send({ integrations: [right] }, "?preview=true");
  expect(preview.changes).toMatchObject([
    { action: "create", note: "its senders need its new URL; set again: token" },
  ]);
  await send({ integrations: [right] });
  expect((await send({ integrations: [right] })).body.changes).toEqual([]);
  // What is left out of the options is as it is without being named.
  const { body: cleared } = await send({ integrations: [{ key: "new", options: {} }] });
  expect(cleared.changes).toMatchObject([{ action: "update", note: null }]);
  const { integrations } = parse(await exportOf(account));
  expect(integrations.find(({ key }: any) => key === "new")).toMatchObject({
    ...{ options: {}, accepts_id: false, enabled: true },
  });
});
