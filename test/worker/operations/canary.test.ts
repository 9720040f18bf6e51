// The canary's event takes the path of any sender's, and two deployments watch each other: the
// heartbeat of one is an integration of type `heartbeat` of the other.
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import {
  audit,
  forgetOperations,
  monitor,
  operations,
  scrape,
} from "../../support/operations/operations.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { failDatabase, rowsOf, soon } from "../../support/worker/faults.ts";
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
  await audit();
  await vi.waitFor(async () => {
    const { results } = await env.DB.prepare("select title, status from alerts").all();
    expect(results).toEqual([
      { title: expect.stringMatching(/^canary /), status: "resolved" },
    ]);
  }, soon);
  const values = await scrape();
  expect(values.get('tocsin_canary_total{outcome="sent"}')).toBe(1);
  expect(values.get('tocsin_canary_total{outcome="arrived"}')).toBe(1);
  expect(values.get("tocsin_canary_seconds_count")).toBe(1);
  expect(values.get("tocsin_first_attempt_seconds_count") ?? 0).toBe(0);
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
  await audit();
  expect((await scrape()).get('tocsin_heartbeats_total{outcome="sent"}')).toBe(1);
  const inbox = env.INTEGRATION_INBOX.getByName(watching.prefixId) as DurableObjectStub & {
    alarm(): Promise<void>;
  };
  const mend = failDatabase();
  await audit();
  mend();
  expect((await scrape()).get('tocsin_heartbeats_total{outcome="sent"}')).toBe(1);
  expect(inbox).toBeDefined();
  expect(operations).toBeDefined();
  expect(rowsOf).toBeDefined();
});
