// `dedup_keys` across the account, and aggregation: events with the same key, from any source, are one alert.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AlertObject } from "../../../src/features/alerts/object/object.ts";
import { alertObject } from "../../../src/features/stubs.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { evict, inboxStub, soon } from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
let teamId: string;
let email: string;
let one: Integration;
let other: Integration;
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  const ann = await makePerson(account, "ann");
  email = ann.email;
  teamId = (await makeTeam(account, [{ seconds: 600, people: [ann.accountUserId] }])).id;
  one = await makeIntegration(account, [teamId]);
  other = await makeIntegration(account, [teamId]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const pages = () => mailbox.mails.filter(({ to }) => to === email);
const alerts = async () => (await account.api("GET", "/alerts")).body.data;
const create = (Id: string | null, ...dedup_keys: string[]) => ({
  event_type: "create",
  ...(Id !== null && { Id }),
  Title: "Disk full",
  dedup_keys,
});
const byApi = (...dedup_keys: string[]) =>
  account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_team_ids: [teamId],
    dedup_keys,
  });

/** Waits until the alerts are these, newest first. */
const expectAlerts = (expected: readonly object[]) =>
  vi.waitFor(async () => expect(await alerts()).toMatchObject(expected), soon);

describe("dedup_keys", () => {
  test("merge events of two integrations and the API into one alert that counts each, with one page", async () => {
    await one.send(create("a", "db-1"));
    await expectAlerts([{ dedup_count: 0 }]);
    await other.send(create("b", "db-1", "rack-7"));
    await expectAlerts([{ dedup_count: 1 }]);
    const counted = await byApi("rack-7");
    expect(counted.status, counted.text).toBe(201);
    expect(counted.body).toMatchObject({ thirdparty_id: "a", dedup_count: 2 });
    expect(await alerts()).toHaveLength(1);
    expect(pages()).toHaveLength(1);
  });

  test("merge many concurrent events of all sources into one alert that counts each", async () => {
    const sent = Array.from({ length: 8 }, (_, i) => [
      one.send(create(`a${i}`, "db-1")),
      other.send(create(`b${i}`, "db-1", "x")),
      byApi("x", "db-1"),
    ]);
    const replies = await Promise.all(sent.flat());
    expect(replies.map(({ status }) => status).filter((it) => it >= 400)).toEqual([]);
    await expectAlerts([{ dedup_count: 23 }]);
    await vi.waitFor(() => expect(pages()).toHaveLength(1), soon);
    expect(await alerts()).toHaveLength(1);
  });

  test("are separate in each account", async () => {
    await byApi("db-1");
    account = await makeAccount();
    teamId = (await makeTeam(account, [{ seconds: 600, people: [] }])).id;
    expect((await byApi("db-1")).body.dedup_count).toBe(0);
  });

  test("belong to the next alert once the first is resolved", async () => {
    const first = await byApi("db-1");
    await account.api("POST", `/alerts/${first.body.id}/resolve`);
    const second = await byApi("db-1");
    expect(second.body).toMatchObject({ dedup_count: 0, status: "open" });
    expect((await byApi("db-1")).body).toMatchObject({ id: second.body.id, dedup_count: 1 });
  });

  test("acknowledge and resolve without an Id, from another integration too", async () => {
    await one.send(create("a", "db-1"));
    await expectAlerts([{ status: "open" }]);
    await other.send({ event_type: "acknowledge", dedup_keys: ["db-1"] });
    await expectAlerts([{ status: "acknowledged" }]);
    await one.send({ event_type: "resolve", dedup_keys: ["db-1"] });
    await expectAlerts([{ status: "resolved" }]);
  });

  test("create and resolve without an Id, in order, repeatedly", async () => {
    for (const count of [1, 2]) {
      await one.send(create(null, "db-1"));
      await one.send({ event_type: "resolve", dedup_keys: ["db-1"] });
      await expectAlerts(Array(count).fill({ status: "resolved" }));
    }
  });

  test("count each event once if the inbox is evicted before it knows the outcome", async () => {
    await byApi("db-1");
    await one.send(create("a", "db-1"));
    await evict(inboxStub(one.prefixId));
    await one.send(create("a", "db-1"));
    await expectAlerts([{ dedup_count: 2 }]);
  });

  test("are released if the request that claimed them is rejected", async () => {
    teamId = "tem_0000000000000A";
    expect((await byApi("db-1")).status).toBe(422);
    await one.send(create("a", "db-1"));
    await expectAlerts([{ status: "open", dedup_count: 0 }]);
  });
});

describe("aggregate", () => {
  /** Returns a function that sends an event through a router that aggregates by host. */
  async function aggregating(timeout: string, kept: Record<string, unknown> = {}) {
    const by = ["log.data.host"];
    const actions = [{ type: "aggregate", by, timeout, receiver: teamId }];
    const rules = JSON.stringify({ rules: [{ match: { always: true }, actions }] });
    const { body } = await account.api("POST", "/routers", {
      name: "By host",
      rules,
      default_receiver_team_id: teamId,
    });
    const integration = await makeIntegration(account, [], { routerIds: [body.id], kept });
    return (Id: string, host: string) =>
      integration.send({ event_type: "create", Id, Title: `${Id} on ${host}`, host });
  }
  const statuses = async () => {
    const shown: [string, string][] = (await alerts()).map(
      (it: { thirdparty_id: string; status: string }) => [it.thirdparty_id, it.status],
    );
    return Object.fromEntries(shown);
  };

  test("notifies of one of several concurrent alerts and suppresses the others; other hosts notify", async () => {
    const send = await aggregating("5m");
    await Promise.all(["a", "b", "c", "d"].map((id) => send(id, "db-1")));
    await send("e", "db-2");
    await vi.waitFor(async () => {
      const found = Object.values(await statuses()).sort();
      expect(found).toEqual(["open", "open", "suppressed", "suppressed", "suppressed"]);
    }, soon);
    await vi.waitFor(() => expect(pages()).toHaveLength(2), soon);
  });

  test("links members to their leader, which counts each once and names them in its timeline", async () => {
    const send = await aggregating("5m");
    await send("a", "db-1");
    await vi.waitFor(async () => expect(await statuses()).toEqual({ a: "open" }), soon);
    await Promise.all(["b", "c", "d"].map((id) => send(id, "db-1")));
    await vi.waitFor(async () => expect(await alerts()).toHaveLength(4), soon);
    const leader = (await alerts()).at(-1);
    expect(leader).toMatchObject({ thirdparty_id: "a", aggregated_into_id: null });
    const query = `/alerts?aggregated_into_id=${leader.prefix_id}`;
    const joined = (await account.api("GET", query)).body.data;
    expect(joined).toHaveLength(3);
    for (const alert of joined) expect(alert.aggregated_into_id).toBe(leader.id);
    const counted = async () => (await account.api("GET", `/alerts/${leader.id}`)).body.dedup_count;
    await vi.waitFor(async () => expect(await counted()).toBe(3), soon);
    const { sublogs } = (await account.api("GET", `/logs/${leader.id}`)).body.details;
    const lines = sublogs
      .map(({ message }: { message: string }) => message)
      .filter((message: string) => message.includes("joined"));
    const expected = joined.map(
      (it: { prefix_id: string; title: string }) => `Alert ${it.prefix_id} joined: ${it.title}`,
    );
    expect(lines.sort()).toEqual(expected.sort());
    await send("a", "db-1");
    await vi.waitFor(async () => expect(await counted()).toBe(4), soon);
  });

  test("into an alert that pause_for delays does not happen: it may resolve before anybody is notified", async () => {
    const send = await aggregating("5m", { pause_for: 5 });
    await send("a", "db-1");
    await vi.waitFor(async () => expect(await statuses()).toEqual({ a: "queued" }), soon);
    await send("b", "db-1");
    await vi.waitFor(async () => {
      expect(await statuses()).toEqual({ a: "queued", b: "queued" });
    }, soon);
  });

  test("counts a member once if it joins its leader twice", async () => {
    const send = await aggregating("5m");
    await send("a", "db-1");
    await vi.waitFor(async () => expect(await statuses()).toEqual({ a: "open" }), soon);
    const [{ id, prefix_id }] = await alerts();
    const leader = alertObject(env, prefix_id);
    const member = { id: "01JJ5E6V7P8Q9R0STVWXYZ0123", title: "Disk full" };
    expect(await leader.join("another account", member)).toBe("gone");
    expect(await leader.join(account.accountId, member)).toBe("done");
    expect(await leader.join(account.accountId, member)).toBe("done");
    await vi.waitFor(async () => {
      expect((await account.api("GET", `/alerts/${id}`)).body.dedup_count).toBe(1);
    }, soon);
  });

  test.each(["before it was carried out", "after"])(
    "asks the leader again if its answer is lost %s, and counts the member once",
    async (when) => {
      const send = await aggregating("5m");
      await send("a", "db-1");
      await vi.waitFor(async () => expect(await statuses()).toEqual({ a: "open" }), soon);
      const [{ id }] = await alerts();
      const { join } = AlertObject.prototype;
      const spy = vi.spyOn(AlertObject.prototype, "join");
      spy.mockImplementationOnce(async function (this: AlertObject, ...given) {
        if (when === "after") await join.apply(this, given);
        throw new Error("the answer was lost");
      });
      await send("b", "db-1");
      await vi.waitFor(() => expect(spy).toHaveBeenCalledTimes(2), soon);
      await vi.waitFor(async () => {
        expect((await account.api("GET", `/alerts/${id}`)).body.dedup_count).toBe(1);
      }, soon);
    },
  );

  test("notifies again once the leader is resolved or the timeout has passed", async () => {
    const send = await aggregating("1s");
    await send("a", "db-1");
    await vi.waitFor(async () => expect(await statuses()).toEqual({ a: "open" }), soon);
    await scheduler.wait(1_000);
    await send("b", "db-1");
    await vi.waitFor(async () => expect(await statuses()).toMatchObject({ b: "open" }), soon);
    const [{ id }] = await alerts();
    await account.api("POST", `/alerts/${id}/resolve`);
    await send("c", "db-1");
    await vi.waitFor(async () => expect(await statuses()).toMatchObject({ c: "open" }), soon);
  });
});
