// Undo of an answer: the notices of it wait and are dropped in time, the alert's identifiers come
// back, and of concurrent undos one counts.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { outboxOf, storedAlert } from "../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import { alertStub, soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

let account: Account;
let teamId: string;

beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  const other = await makePerson(account, "Grace");
  const people = [account.accountUserId, other.accountUserId];
  teamId = (await makeTeam(account, [{ seconds: 600, people }])).id;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Made = { readonly id: string; readonly prefix_id: string };

/** Creates an alert whose object waits with notices, as a deployment does. */
async function raise(): Promise<Made> {
  const alert = { title: "Disk full", urgency: "high", destination_team_ids: [teamId] };
  const { body } = await account.api("POST", "/alerts", alert);
  const stub = alertStub(body.prefix_id);
  await runInDurableObject(stub, (object) => {
    // The object that is loaded has the same variables.
    Object.assign((object as unknown as { env: object }).env, { NOTICE_DELAY_SECONDS: "10" });
  });
  await vi.waitFor(async () => expect(await outboxOf(stub)).toEqual([]), soon);
  return body;
}

const linesOf = async ({ id }: Made) =>
  (await account.api("GET", `/logs/${id}`)).body.details.sublogs.map(
    ({ message }: { message: string }) => message,
  ) as string[];

async function noticesOf({ id }: Made): Promise<number> {
  const query =
    "select count(*) as n from notifications where alert_id = ? and event = 'alert.acknowledged'";
  return (await env.DB.prepare(query).bind(id).first<{ n: number }>())?.n ?? 0;
}

test("an acknowledgement undone in time notifies nobody of it, and asks the layer again", async () => {
  const alert = await raise();
  const stub = alertStub(alert.prefix_id);
  await account.api("POST", `/alerts/${alert.id}/acknowledge`);
  expect((await outboxOf(stub)).map(({ event }) => event)).toEqual(["alert.acknowledged"]);
  const { status, body } = await account.api("POST", `/alerts/${alert.id}/undo`);
  expect([status, body.status, body.acknowledged_at]).toEqual([200, "open", null]);
  await vi.waitFor(async () => expect(await outboxOf(stub)).toEqual([]), soon);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
  await runInDurableObject(stub, (object) => object.alarm());
  expect(await noticesOf(alert)).toBe(0);
  expect((await linesOf(alert)).filter((it) => it.includes("notified of it"))).toEqual([]);
});

test("one undone later has notified the others, and the timeline says so", async () => {
  const alert = await raise();
  const stub = alertStub(alert.prefix_id);
  await account.api("POST", `/alerts/${alert.id}/acknowledge`);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
  await runInDurableObject(stub, (object) => object.alarm());
  await vi.waitFor(async () => expect(await noticesOf(alert)).toBe(1), soon);
  expect((await account.api("POST", `/alerts/${alert.id}/undo`)).status).toBe(200);
  const undone = (await linesOf(alert)).find((it) => it.startsWith("Acknowledgement undone"));
  expect(undone).toContain(": 1 person was notified of it");
});

test("of concurrent undos one counts", async () => {
  const alert = await raise();
  await account.api("POST", `/alerts/${alert.id}/acknowledge`);
  const undo = () => account.api("POST", `/alerts/${alert.id}/undo`);
  const statuses = (await Promise.all([undo(), undo(), undo()])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 409, 409]);
});

test("a resolution is undone after the object has emptied itself, and events are counted again", async () => {
  const integration = await makeIntegration(account, [teamId]);
  const event = { event_type: "create", Id: "disk", Title: "Disk" };
  await integration.send(event);
  const alert = await vi.waitFor(async () => {
    const { body } = await account.api("GET", "/alerts?thirdparty_id=disk");
    expect(body.data).toHaveLength(1);
    return body.data[0] as Made;
  }, soon);
  const stub = alertStub(alert.prefix_id);
  await vi.waitFor(async () => expect(await outboxOf(stub)).toEqual([]), soon);
  await account.api("POST", `/alerts/${alert.id}/resolve`);
  await vi.waitFor(async () => expect(await storedAlert(stub)).toBeNull(), soon);
  const { body } = await account.api("POST", `/alerts/${alert.id}/undo`);
  expect([body.status, body.resolved_at]).toEqual(["open", null]);
  await integration.send(event);
  await vi.waitFor(async () => {
    const { body: counted } = await account.api("GET", "/alerts?thirdparty_id=disk");
    expect(counted.data).toMatchObject([{ id: alert.id, dedup_count: 1 }]);
  }, soon);
});

test("the console's message of an answer has a button that undoes it", async () => {
  const alert = await raise();
  const browser = await signInAdmin(account);
  const path = `/alerts/${alert.prefix_id}`;
  const { text } = await browser.submit(`${path}/acknowledge`);
  expect(text).toContain(`action="${path}/undo"`);
  const undone = await browser.submit(`${path}/undo`);
  expect(undone.text).toContain("Undone. The alert is open.");
  expect((await browser.submit(`${path}/undo`)).text).toContain("not an answer that can be undone");
});
