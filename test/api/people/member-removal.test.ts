// Removing a person counts as their rejection of open alerts (contract, section 2): at once and exactly once, despite
// concurrent changes and crashes.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageMessage } from "../../../src/domain/notifications/page.ts";
import { consumePages } from "../../../src/features/notifications/pages/pages.ts";
import { sweep } from "../../../src/features/operations/retention/sweep.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { alertStub, failDatabase, interceptQueue, soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
let grace: Person;
let sam: Person;
let kim: Person;
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount("Ada Admin");
  grace = await makePerson(account, "Grace");
  sam = await makePerson(account, "Sam");
  kim = await makePerson(account, "Kim");
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A team whose first layer notifies `first` for ten minutes, and whose second layer notifies Kim. */
const team = (first: readonly Person[]) =>
  makeTeam(account, [
    { seconds: 600, people: first.map((it) => it.accountUserId) },
    { seconds: 600, people: [kim.accountUserId] },
  ]);

async function raise(teamId: string): Promise<{ id: string; prefix_id: string }> {
  const { status, body, text } = await account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_team_ids: [teamId],
  });
  expect(status, text).toBe(201);
  return body;
}

const remove = (person: Person) => account.api("DELETE", `/account_users/${person.accountUserId}`);

type Workflow = { state: string; layer: number | null; account_user_ids: string[] };

async function workflowOf(alertId: string): Promise<Workflow> {
  const { body } = await account.api("GET", `/alerts/${alertId}/workflows`);
  return body.data[0];
}

/** The lines of an alert's timeline. */
async function timelineOf(alertId: string): Promise<string[]> {
  const { body } = await account.api("GET", `/logs?owner_id=${alertId}`);
  return body.data.flatMap((log: { details: { sublogs: { message: string }[] } }) =>
    log.details.sublogs.map(({ message }) => message),
  );
}

const expectKimNotified = async (alertId: string) => {
  const workflow = await workflowOf(alertId);
  expect(workflow).toMatchObject({
    state: "open",
    layer: 2,
    account_user_ids: [kim.accountUserId],
  });
};

const removals = async () =>
  (await env.DB.prepare("select id from member_removals").all<{ id: string }>()).results;

describe("removing the only notified person", () => {
  test("notifies the next layer at once, and the timeline states the reason", async () => {
    const { id } = await raise((await team([grace])).id);
    expect(await workflowOf(id)).toMatchObject({ layer: 1 });
    expect((await remove(grace)).status).toBe(204);
    await vi.waitFor(() => expectKimNotified(id), soon);
    await vi.waitFor(() => expect(mailbox.mails.map(({ to }) => to)).toContain(kim.email), soon);
    const lines = await timelineOf(id);
    expect(lines.filter((it) => it.includes("Grace left the account"))).toHaveLength(1);
    await vi.waitFor(async () => expect(await removals()).toEqual([]), soon);
  });

  test("ends the workflow as rejected if there is no next layer", async () => {
    const made = await makeTeam(account, [{ seconds: 600, people: [grace.accountUserId] }]);
    const { id } = await raise(made.id);
    await remove(grace);
    await vi.waitFor(async () => expect((await workflowOf(id)).state).toBe("rejected"), soon);
    const { body } = await account.api("GET", `/alerts/${id}`);
    expect(body.status).toBe("dropped");
  });
});

describe("removing one of two notified people", () => {
  test("keeps the other one notified, on the same layer", async () => {
    const { id } = await raise((await team([grace, sam])).id);
    await remove(grace);
    await vi.waitFor(
      async () =>
        expect(await timelineOf(id)).toContainEqual(
          expect.stringContaining("Grace left the account"),
        ),
      soon,
    );
    expect(await workflowOf(id)).toMatchObject({ state: "open", layer: 1 });
    const acknowledged = await call("POST", `/api/v4/alerts/${id}/acknowledge`, { key: sam.key });
    expect(acknowledged.status, acknowledged.text).toBe(200);
  });

  test("and the other at the same time notifies the next layer once", async () => {
    const { id } = await raise((await team([grace, sam])).id);
    const answers = await Promise.all([remove(grace), remove(sam)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    await vi.waitFor(() => expectKimNotified(id), soon);
    const lines = await timelineOf(id);
    expect(lines.filter((it) => it.includes("step 2: notifying"))).toHaveLength(1);
  });

  test("notifies the next layer if the other one has rejected", async () => {
    const { id } = await raise((await team([grace, sam])).id);
    await call("POST", `/api/v4/alerts/${id}/reject`, { key: sam.key });
    await remove(grace);
    await vi.waitFor(() => expectKimNotified(id), soon);
  });
});

describe("a removed person", () => {
  test("can no longer answer, including with an answer that was authorized before", async () => {
    const made = await team([grace, sam]);
    const { id, prefix_id } = await raise(made.id);
    await remove(grace);
    await vi.waitFor(async () => expect(await removals()).toEqual([]), soon);
    const byKey = await call("POST", `/api/v4/alerts/${id}/acknowledge`, { key: grace.key });
    expect(byKey.status).toBe(401);
    // An answer that was authorized before the removal, and reaches the alert after it.
    for (const type of ["acknowledge", "resolve", "reject"] as const) {
      const by = { accountUserId: grace.accountUserId, name: "Grace" };
      const late = await runInDurableObject(alertStub(prefix_id), (object) =>
        object.command(account.accountId, { type, by }, "for_readers"),
      );
      expect(late).toMatchObject({ kind: "refusal", reason: "forbidden" });
    }
    expect(await workflowOf(id)).toMatchObject({ state: "open", layer: 1 });
  });

  test("is not sent a page that was queued before the removal", async () => {
    const queued: PageMessage[] = [];
    const queue = interceptQueue(async (messages) => {
      queued.push(...(messages as PageMessage[]));
    });
    await raise((await team([grace])).id);
    const ofGrace = () => queued.filter(({ page }) => page?.accountUserId === grace.accountUserId);
    await vi.waitFor(() => expect(ofGrace()).toHaveLength(1), soon);
    await remove(grace);
    queue.mockRestore();
    const received = ofGrace().map((body) => {
      const message = { id: "1", timestamp: new Date(), body, attempts: 1, ack() {}, retry() {} };
      return { kind: "page" as const, body, message };
    });
    await consumePages(received, env);
    await vi.waitFor(() => expect(mailbox.mails.map(({ to }) => to)).toContain(kim.email), soon);
    expect(mailbox.mails.map(({ to }) => to)).not.toContain(grace.email);
  });
});

describe("races and crashes", () => {
  const deleteRow = () =>
    env.DB.prepare("delete from account_users where id = ?").bind(grace.accountUserId).run();

  test("the next layer is notified if the person is removed after the layer's on-call read", async () => {
    const made = await team([grace]);
    const database = Object.getPrototypeOf(env.DB) as D1Database;
    const real = database.batch;
    let removed = false;
    vi.spyOn(database, "batch").mockImplementation(async function (
      this: D1Database,
      statements: D1PreparedStatement[],
    ) {
      const results = await real.call(this, statements);
      const names = JSON.stringify(results.map((it) => it.results));
      // The facts of the first layer are read here, and used after the removal has been processed completely.
      if (!removed && names.includes(grace.accountUserId) && names.includes("dropNotifications")) {
        removed = true;
        await deleteRow();
        await sweep(env, Date.now());
        expect(await removals()).toEqual([]);
      }
      return results;
    } as D1Database["batch"]);
    const { id } = await raise(made.id);
    expect(removed).toBe(true);
    await vi.waitFor(() => expectKimNotified(id), soon);
  });

  test("the sweep notifies the alert once if the worker died after the removal", async () => {
    const { id } = await raise((await team([grace])).id);
    await deleteRow();
    expect(await workflowOf(id)).toMatchObject({ layer: 1 });
    await Promise.all([sweep(env, Date.now()), sweep(env, Date.now())]);
    await vi.waitFor(() => expectKimNotified(id), soon);
    expect(await removals()).toEqual([]);
    await sweep(env, Date.now());
    const lines = await timelineOf(id);
    expect(lines.filter((it) => it.includes("Grace left the account"))).toHaveLength(1);
    expect(lines.filter((it) => it.includes("step 2: notifying"))).toHaveLength(1);
  });

  test("the sweep retries an alert that could not process the removal", async () => {
    const { id } = await raise((await team([grace])).id);
    await deleteRow();
    const restore = failDatabase();
    await sweep(env, Date.now()).catch(() => {});
    restore();
    expect((await removals()).map((it) => it.id)).toEqual([grace.accountUserId]);
    await sweep(env, Date.now());
    await vi.waitFor(() => expectKimNotified(id), soon);
  });
});
