// P1: a webhook answered 200 is never lost: not by D1 failing, a queue failing, a provider failing, an object dying.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AlertObject } from "../../../src/objects/alerts/alert-object.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox, refusal } from "../../support/providers/mailbox.ts";
import {
  alertStub,
  delayTimers,
  evict,
  failDatabase,
  inboxStub,
  interceptQueue,
  rowsOf,
  runDueOutbox,
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

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  const person = await makePerson(account, "Grace");
  email = person.email;
  const team = await makeTeam(account, [{ seconds: 60, people: [person.accountUserId] }]);
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

/** The inbox learns its configuration, so that nothing but its own storage is asked from now on. */
async function warm(): Promise<void> {
  await send("warm");
  await vi.waitFor(() => expect(pagesSent()).toBe(1), soon);
  await vi.waitFor(
    async () => expect(await rowsOf(inbox(), "select * from events")).toEqual([]),
    soon,
  );
}

/** Every `Id` is one open alert, told to the person once, and each event left a log. */
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

describe("what was answered 200 pages its person", () => {
  test("when timers come late, of which a storm leaves a handful", async () => {
    await warm();
    const timers = delayTimers(500);
    const sent = 60;
    await Promise.all(Array.from({ length: sent }, () => send("a")));
    timers.mend();
    // The platform refuses an object its 10,001st.
    expect(timers.most).toBeLessThan(10);
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", "/alerts?thirdparty_id=a");
      expect(body.data.map((it: { dedup_count: number }) => it.dedup_count)).toEqual([sent - 1]);
      expect(pagesSent()).toBe(2);
    }, soon);
  });

  test("while D1 fails, for the sender's and for the readers' part", async () => {
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

  test("while the queue refuses", async () => {
    await warm();
    const refused = vi
      .spyOn(Object.getPrototypeOf(env.PAGES), "sendBatch")
      .mockRejectedValue(new Error("Queue is overloaded"));
    await send("a");
    await vi.waitFor(() => expect(refused).toHaveBeenCalled(), soon);
    refused.mockRestore();
    await expectEach(["a"]);
  });

  test("while the provider fails", async () => {
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

describe("an object that dies", () => {
  /** Alerts that never answer the inbox; `after`: what they do first. */
  function holdBack(after?: AlertObject["create"]) {
    return vi.spyOn(AlertObject.prototype, "create").mockImplementation(async function (
      this: AlertObject,
      ...given
    ) {
      await after?.apply(this, given);
      return new Promise<never>(() => {});
    });
  }

  test("the inbox, killed before anything was handed on: its alarm does it", async () => {
    await warm();
    const held = holdBack();
    await send("a");
    await send("b");
    expect(await rowsOf(inbox(), "select * from events")).toHaveLength(2);
    await vi.waitFor(() => expect(held).toHaveBeenCalledTimes(2), soon);
    held.mockRestore();
    await abortAllDurableObjects();
    // Nobody calls it: only its alarm wakes it.
    await expectEach(["a", "b"]);
  });

  test("the inbox, killed when its alarm has gone off in vain, an alert not having answered yet", async () => {
    await warm();
    const held = holdBack();
    await send("a");
    await runDurableObjectAlarm(inbox());
    const alarm = await runInDurableObject(inbox(), (_, state) => state.storage.getAlarm());
    expect(alarm).not.toBeNull();
    held.mockRestore();
    await abortAllDurableObjects();
    await expectEach(["a"]);
  });

  test("the inbox, killed when the alert is made and it does not know: one alert, one page", async () => {
    await warm();
    const held = holdBack(AlertObject.prototype.create);
    await send("a");
    await vi.waitFor(() => expect(pagesSent()).toBe(2), soon);
    held.mockRestore();
    await abortAllDurableObjects();
    await send("a");
    await vi.waitFor(async () => {
      expect(await rowsOf(inbox(), "select * from events")).toEqual([]);
      const { body } = await account.api("GET", "/alerts?thirdparty_id=a");
      expect(body.data).toMatchObject([{ dedup_count: 1 }]);
    }, soon);
    expect(pagesSent()).toBe(2);
  });

  test("the alert, killed between its commit and the queue: its alarm hands the page over", async () => {
    await warm();
    let swallowed = 0;
    const queue = interceptQueue(async () => {
      swallowed += 1;
      await new Promise(() => {});
    });
    await send("a");
    await vi.waitFor(() => expect(swallowed).toBe(1), soon);
    queue.mockRestore();
    await abortAllDurableObjects();
    // Killed before readers had it, perhaps: its alarm, due in a second, lets them see it.
    const name = await vi.waitFor(async () => {
      const { body } = await account.api("GET", "/alerts?thirdparty_id=a");
      expect(body.total_count).toBe(1);
      return body.data[0].prefix_id;
    }, soon);
    await runDueOutbox(alertStub(name));
    await expectEach(["a"]);
  });

  test("evicted again and again under load, nothing is lost or paged twice", async () => {
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
