// The preview of an alert through the API: who would be notified, when, on which channel and why. A created alert
// then does the same.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam, putOnCall } from "../../support/worker/world.ts";

let mailbox: Mailbox;
beforeEach(() => {
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const SECOND = 1_000;

async function world() {
  const account = await makeAccount();
  const ann = await makePerson(account, "ann");
  const bob = await makePerson(account, "bob", { email: null });
  const layers = [ann, bob].map((it) => ({ seconds: 60, people: [it.accountUserId] }));
  const team = await makeTeam(account, layers, { repeat: 1 });
  const preview = (more: object = {}) =>
    account.api("POST", "/alerts/preview", {
      title: "Disk full",
      urgency: "high",
      destination_team_ids: [team.id],
      ...more,
    });
  return { account, ann, bob, team, preview };
}

type Shown = { at: string; account_user_id: string; event: string };
const notified = (body: { pages: Shown[] }, at: number) =>
  body.pages
    .filter(({ event }) => event === "alert.open")
    .map((page) => [page.account_user_id, (Date.parse(page.at) - at) / SECOND]);

test("lists pages by layer and pass, to the second, with their channel or the reason for none", async () => {
  const { ann, bob, preview } = await world();
  const at = Date.now() + 3_600 * SECOND;
  const { status, body, text } = await preview({ at: new Date(at).toISOString() });
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ status: "dropped", complete: true });
  expect(notified(body, at)).toEqual([
    [ann.accountUserId, 0],
    [bob.accountUserId, 60],
    [ann.accountUserId, 120],
    [bob.accountUserId, 180],
  ]);
  expect(body.pages.slice(0, 2)).toMatchObject([
    { name: "ann", channel: "email", layer: 1, pass: 1, reason: null },
    { name: "bob", channel: null, layer: 2, pass: 1, reason: "has no usable address" },
  ]);
  const steps = body.steps.map((it: { message: string }) => it.message);
  expect(steps[1]).toMatch(/^Payments, step 1: notifying ann \(on call until /);
});

test("uses who is on call at the given time: nobody once the shift is over", async () => {
  const { preview } = await world();
  const at = new Date(Date.now() + 40 * 86_400 * SECOND).toISOString();
  const { body } = await preview({ at });
  expect(body.pages).toMatchObject([{ event: "alert.dropped", destination_id: null }]);
  expect(JSON.stringify(body.steps)).toContain("nobody is on call");
});

test("stores and sends nothing; the created alert then notifies the previewed person", async () => {
  const { account, ann, preview, team } = await world();
  const tables = ["alerts", "alert_workflows", "notifications", "logs"];
  const counts = async () => {
    const rows = tables.map((table) =>
      env.DB.prepare(`select count(*) as n from ${table} where account_id = ?`)
        .bind(account.accountId)
        .first<{ n: number }>(),
    );
    return (await Promise.all(rows)).map((row) => row?.n);
  };
  const before = await counts();
  const { body } = await preview();
  expect(await counts()).toEqual(before);
  expect(mailbox.mails.filter(({ to }) => to === ann.email)).toEqual([]);
  await account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_team_ids: [team.id],
  });
  await vi.waitFor(() => {
    expect(mailbox.mails.filter(({ to }) => to === ann.email)).toHaveLength(1);
  }, soon);
  expect(body.pages[0].account_user_id).toBe(ann.accountUserId);
});

test("follows a router with a delay; rejects an unknown destination with 422, as create does", async () => {
  const { account, ann, team, preview } = await world();
  await putOnCall(account, team.scheduleId, 1, [ann.accountUserId]);
  const actions = [{ type: "assign", receiver: team.id, delay: "5m" }];
  const { body: router } = await account.api("POST", "/routers", {
    name: "Later",
    rules: JSON.stringify({ rules: [{ match: { always: true }, actions }] }),
    default_receiver_team_id: team.id,
  });
  const at = Date.now() + 60 * SECOND;
  const through = { destination_team_ids: [], destination_router_ids: [router.id] };
  const { body } = await preview({ ...through, at: new Date(at).toISOString() });
  expect(notified(body, at)[0]).toEqual([ann.accountUserId, 300]);
  const steps = body.steps.map((it: { message: string }) => it.message);
  const name = `Router Later (${router.prefix_id})`;
  expect(steps[1]).toMatch(`${name}: rule 1 (line 1) matched: `);
  expect(steps[2]).toBe(`${name}: assigned to ${team.id} after 5m`);
  expect(body.pages[0]).toMatchObject({
    destination_type: "team",
    destination_id: team.id,
    destination_name: "Payments",
  });
  const unknown = await preview({ destination_team_ids: ["tem_0000000000000A"] });
  expect(unknown.status).toBe(422);
  expect((await preview({ destination_team_ids: [] })).status).toBe(422);
  expect((await preview({ at: "soon" })).status).toBe(422);
});
