// P1: a webhook answered 200 is never lost, even if D1, the queue or a provider fails, or an object is killed.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AlertObject } from "../../../src/features/alerts/object/object.ts";
import { runDueOutbox } from "../../support/alerts/stored-alert.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox, refusal } from "../../support/providers/mailbox.ts";
import {
  alertStub,
  delayTimers,
  evict,
  failDatabase,
  inboxStub,
  interceptQueue,
  rowsOf,
  soon,
} from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
let integration: Integration;
let email: string;
let teamId: string;

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  const person = await makePerson(account, "Grace");
  email = person.email;
  const team = await makeTeam(account, [{ seconds: 60, people: [person.accountUserId] }]);
  teamId = team.id;
  integration = await makeIntegration(account, [team.id]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const inbox = () => inboxStub(integration.prefixId);
const pagesSent = () => mailbox.mails.filter((mail) => mail.to === email).length;

async function send(Id: string): Promise<void> {
  const { status, text } = await integration.send({ event_type: "create", Id, Title: Id });
  expect(status, text).toBe(200);
}

/** Lets the inbox load its configuration, so that it needs only its own storage. */
async function warm(): Promise<void> {
  await send("warm");
  await vi.waitFor(() => expect(pagesSent()).toBe(1), soon);
  await vi.waitFor(
    async () => expect(await rowsOf(inbox(), "select * from events")).toEqual([]),
    soon,
  );
}

/** Expects one alert and one page per `Id`, and a log per event. */
async function expectEach(ids: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", "/alerts?limit=100");
    const known = body.data.map((alert: { thirdparty_id: string }) => alert.thirdparty_id);
    expect(known.sort()).toEqual(["warm", ...ids].sort());
    expect(pagesSent()).toBe(ids.length + 1);
  }, soon);
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", "/logs?owner_type=Integration&limit=100");
    expect(body.total_count).toBe(ids.length + 1);
  }, soon);
}

test.each(["/integration", "/v2/enqueue", "/v2/alerts"])(
  "the first event ever, sent to %s while the database is down, becomes an alert",
  async (entrance) => {
    const made = await account.api("POST", "/integrations", {
      name: "Never fired",
      urgency: "high",
      integration_type_id: "webhook",
      team_ids: [teamId],
    });
    const { url, intake_key: key } = made.body;
    const events: Record<string, () => Promise<{ status: number; text: string }>> = {
      "/integration": () => {
        const body = { event_type: "create", Id: "one", Title: "one" };
        return call("POST", new URL(url).pathname, { body });
      },
      "/v2/enqueue": () => {
        const payload = { summary: "one", source: "db-1", severity: "error" };
        const body = { routing_key: key, event_action: "trigger", dedup_key: "one", payload };
        return call("POST", "/v2/enqueue", { body });
      },
      "/v2/alerts": () => {
        const headers = { authorization: `GenieKey ${key}` };
        return call("POST", "/v2/alerts", { body: { message: "one", alias: "one" }, headers });
      },
    };
    const mend = failDatabase();
    const sent = await events[entrance]?.();
    expect(sent?.status, sent?.text).toBeLessThan(300);
    mend();
    await vi.waitFor(() => expect(pagesSent()).toBe(1), soon);
    const { data } = (await account.api("GET", "/alerts?thirdparty_id=one")).body;
    expect(data).toHaveLength(1);
  },
);

describe("an event answered 200 notifies its person", () => {
  test("when timers are late, of which a burst leaves fewer than ten", async () => {
    await warm();
    const timers = delayTimers(500);
    const sent = 60;
    await Promise.all(Array.from({ length: sent }, () => send("a")));
    timers.mend();
    // The platform allows an object at most 10,000 timers.
    expect(timers.most).toBeLessThan(10);
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", "/alerts?thirdparty_id=a");
      expect(body.data.map((it: { dedup_count: number }) => it.dedup_count)).toEqual([sent - 1]);
      expect(pagesSent()).toBe(2);
    }, soon);
  });

  test("after D1 failed every call", async () => {
    await warm();
    const mend = failDatabase();
    const ids = ["a", "b", "c"];
    for (const id of ids) await send(id);
    await send("a");
    await scheduler.wait(700);
    expect(pagesSent()).toBe(1);
    mend();
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", "/alerts?thirdparty_id=a");
      expect(body.data).toMatchObject([{ status: "open", dedup_count: 1 }]);
    }, soon);
    await vi.waitFor(() => expect(pagesSent()).toBe(4), soon);
  });

  test("after the queue refused messages", async () => {
    await warm();
    const refused = vi
      .spyOn(Object.getPrototypeOf(env.PAGES), "sendBatch")
      .mockRejectedValue(new Error("Queue is overloaded"));
    await send("a");
    await vi.waitFor(() => expect(refused).toHaveBeenCalled(), soon);
    refused.mockRestore();
    await expectEach(["a"]);
  });

  test("after the provider failed", async () => {
    await warm();
    mailbox.failure = refusal("E_INTERNAL_SERVER_ERROR");
    await send("a");
    await vi.waitFor(async () => {
      const { results } = await env.DB.prepare(
        "select reason from notifications where account_id = ? and status = 'queued'",
      )
        .bind(account.accountId)
        .all();
      expect(results).toEqual([{ reason: "mail service: E_INTERNAL_SERVER_ERROR" }]);
    }, soon);
    mailbox.failure = null;
    await expectEach(["a"]);
  });
});

describe("a killed object", () => {
  /** Makes alerts never respond to the inbox; they run `work` before. */
  function blockAlerts(work?: AlertObject["create"]) {
    return vi.spyOn(AlertObject.prototype, "create").mockImplementation(async function (
      this: AlertObject,
      ...given
    ) {
      await work?.apply(this, given);
      return new Promise<never>(() => {});
    });
  }

  test("the inbox, killed before it delivers anything, delivers by its alarm", async () => {
    await warm();
    const blocked = blockAlerts();
    await send("a");
    await send("b");
    expect(await rowsOf(inbox(), "select * from events")).toHaveLength(2);
    await vi.waitFor(() => expect(blocked).toHaveBeenCalledTimes(2), soon);
    blocked.mockRestore();
    await abortAllDurableObjects();
    // Only its alarm wakes it.
    await expectEach(["a", "b"]);
  });

  test("the inbox, killed after its alarm ran while an alert did not respond, delivers by another alarm", async () => {
    await warm();
    const blocked = blockAlerts();
    await send("a");
    await runDurableObjectAlarm(inbox());
    const alarm = await runInDurableObject(inbox(), (_, state) => state.storage.getAlarm());
    expect(alarm).not.toBeNull();
    blocked.mockRestore();
    await abortAllDurableObjects();
    await expectEach(["a"]);
  });

  test("the inbox, killed before it knows that the alert was created, makes one alert with one page", async () => {
    await warm();
    const blocked = blockAlerts(AlertObject.prototype.create);
    await send("a");
    await vi.waitFor(() => expect(pagesSent()).toBe(2), soon);
    blocked.mockRestore();
    await abortAllDurableObjects();
    await send("a");
    await vi.waitFor(async () => {
      expect(await rowsOf(inbox(), "select * from events")).toEqual([]);
      const { body } = await account.api("GET", "/alerts?thirdparty_id=a");
      expect(body.data).toMatchObject([{ dedup_count: 1 }]);
    }, soon);
    expect(pagesSent()).toBe(2);
  });

  test("the alert, killed between its commit and the queue, sends the page by its alarm", async () => {
    await warm();
    let intercepted = 0;
    const queue = interceptQueue(async () => {
      intercepted += 1;
      await new Promise(() => {});
    });
    await send("a");
    await vi.waitFor(() => expect(intercepted).toBe(1), soon);
    queue.mockRestore();
    await abortAllDurableObjects();
    // If it was killed before its projection, its alarm projects it within a second.
    const name = await vi.waitFor(async () => {
      const { body } = await account.api("GET", "/alerts?thirdparty_id=a");
      expect(body.total_count).toBe(1);
      return body.data[0].prefix_id;
    }, soon);
    await runDueOutbox(alertStub(name));
    await expectEach(["a"]);
  });

  test("the inbox, evicted repeatedly under load, loses nothing and pages nobody twice", async () => {
    await warm();
    const ids = Array.from({ length: 12 }, (_, i) => `load-${i}`);
    for (const [i, id] of ids.entries()) {
      await send(id);
      if (i % 4 === 3) await evict(inbox());
    }
    await abortAllDurableObjects();
    await expectEach(ids);
  });
});
