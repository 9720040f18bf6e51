// The canary's event takes the path of any sender's, and two deployments watch each other: the
// heartbeat of one is an integration of type `heartbeat` of the other.
import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { audit, forgetOperations, monitor, scrape } from "../../support/operations/operations.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { failDatabase, inboxStub, rewrite, soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

let mailbox: Mailbox;

beforeEach(async () => {
  mailbox = openMailbox();
  vi.spyOn(console, "error").mockImplementation(() => {});
  monitor();
  await forgetOperations();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await forgetOperations();
});

test("a canary event is sent, arrives without a provider, and is resolved", async () => {
  vi.spyOn(env, "CANARY", "get").mockReturnValue("on");
  // Counted by earlier tests of this isolate.
  const before = (await scrape()).get("tocsin_first_attempt_seconds_count") ?? 0;
  await audit();
  await vi.waitFor(async () => {
    const { results } = await env.DB.prepare("select title, status from alerts").all();
    expect(results).toEqual([{ title: expect.stringMatching(/^canary /), status: "resolved" }]);
  }, soon);
  const values = await scrape();
  expect(values.get('tocsin_canary_total{outcome="sent"}')).toBe(1);
  expect(values.get('tocsin_canary_total{outcome="arrived"}')).toBe(1);
  expect(values.get("tocsin_canary_seconds_count")).toBe(1);
  expect(values.get("tocsin_first_attempt_seconds_count") ?? 0).toBe(before);
  expect(mailbox.mails).toEqual([]);
  // The next one uses the same account, and is not due yet.
  await audit();
  const accounts = await env.DB.prepare("select count(*) as n from accounts").first("n");
  expect(accounts).toBe(1);
  expect((await scrape()).get('tocsin_canary_total{outcome="sent"}')).toBe(1);
});

test("another deployment's heartbeat integration is called, and opens an alert when calls stop", async () => {
  const account = await makeAccount();
  const { accountUserId } = await makePerson(account, "Grace");
  const team = await makeTeam(account, [{ seconds: 600, people: [accountUserId] }]);
  const watching = await makeIntegration(account, [team.id], {
    type: "heartbeat",
    kept: { interval_minutes: 2 },
  });
  const url = `https://other.test/integration/${watching.prefixId}`;
  vi.spyOn(env, "HEARTBEAT_URL", "get").mockReturnValue(url);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (...parameters) => {
    const request = new Request(...(parameters as [string, RequestInit]));
    return exports.default.fetch(request.url.replace("other.test", "tocsin.test"));
  });
  const inbox = inboxStub(watching.prefixId);
  const titles = async () => {
    const query = "select title, status from alerts where account_id = ?";
    return (await env.DB.prepare(query).bind(account.accountId).all()).results;
  };
  /** Moves the last call three minutes back. */
  const elapse = () => rewrite(inbox, "update heartbeat set last_at = last_at - 180000");
  const calls = () =>
    runInDurableObject(inbox, (_, { storage }) =>
      storage.sql.exec("select last_at from heartbeat where last_at is not null").toArray(),
    );
  // An audit that finds the deployment still at work calls nobody.
  await vi.waitFor(async () => {
    await audit();
    expect(await calls()).toHaveLength(1);
  }, soon);
  await runInDurableObject(inbox, (object) => object.alarm());
  expect(await titles()).toEqual([]);
  const mend = failDatabase();
  await audit();
  mend();
  await elapse();
  await runInDurableObject(inbox, (object) => object.alarm());
  const title = expect.stringMatching(/no heartbeat for 2 minutes$/);
  await vi.waitFor(async () => expect(await titles()).toEqual([{ title, status: "open" }]), soon);
  await audit();
  await vi.waitFor(
    async () => expect(await titles()).toEqual([{ title, status: "resolved" }]),
    soon,
  );
});
