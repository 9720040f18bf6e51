// Alerts over HTTP: through routers, in maintenance windows, and handed off.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { rewriteAlert } from "../../support/alerts/stored-alert.ts";
import { call, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import { alertStub, evict, inboxStub, soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

let mailbox: Mailbox;
beforeEach(() => {
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Ann's team, and a router with these rules whose default receiver is Dan. */
async function world(rulesFor: (teamId: string) => readonly object[]) {
  const account = await makeAccount();
  const ann = await makePerson(account, "ann");
  const dan = await makePerson(account, "dan");
  const team = await makeTeam(account, [{ seconds: 600, people: [ann.accountUserId] }]);
  const { body: router, text } = await account.api("POST", "/routers", {
    name: "Front",
    rules: JSON.stringify({ rules: rulesFor(team.id) }),
    default_receiver_account_user_id: dan.accountUserId,
  });
  if (!router.id) throw new Error(text);
  const integration = await makeIntegration(account, [], { routerIds: [router.id] });
  const names = new Map([
    [ann.email, "ann"],
    [dan.email, "dan"],
  ]);
  const reached = () => mailbox.mails.flatMap(({ to }) => names.get(to) ?? []).join(" ");
  const read = async (id: string) =>
    (await account.api("GET", `/alerts?thirdparty_id=${id}`)).body.data;
  const create = (id: string) => integration.send({ event_type: "create", Id: id, Title: id });
  return { account, ann, dan, team, router, integration, reached, read, create };
}

const always = (...actions: object[]) => ({ match: { always: true }, actions });
const toTeam = (receiver: string) => [always({ type: "assign", receiver })];

describe("routers", () => {
  test("are destinations of an API alert by either id, and the alert shows the full id", async () => {
    const { account, team, router, reached } = await world(toTeam);
    const { status, body } = await account.api("POST", "/alerts", {
      title: "Disk full",
      urgency: "high",
      destination_router_ids: [router.prefix_id],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "open", destination_router_ids: [router.id] });
    await vi.waitFor(() => expect(reached()).toBe("ann"), soon);
    const { body: ofTeam } = await account.api("GET", `/teams/${team.id}/alerts`);
    expect(ofTeam.data.map((it: { id: string }) => it.id)).toEqual([body.id]);
    const { body: timeline } = await account.api("GET", `/logs/${body.id}`);
    expect(JSON.stringify(timeline)).toContain("Router Front");
    // People read who has it first.
    const browser = await signInAdmin(account);
    for (const path of ["/alerts", `/alerts/${body.prefix_id}`]) {
      expect((await browser.get(path)).text).toMatch(/[^>]+ by Front[,<]/);
    }
  });

  test("are rejected with 422 if unknown or of another account", async () => {
    const { account } = await world(toTeam);
    const theirs = await world(toTeam);
    for (const id of [theirs.router.id, "rtr_0000000000000A", "nonsense"]) {
      const given = { title: "x", urgency: "high", destination_router_ids: [id] };
      const { status, body } = await account.api("POST", "/alerts", given);
      expect(status).toBe(422);
      expect(body.errors.map((it: { field: string }) => it.field)).toEqual([
        "destination_router_ids",
      ]);
    }
  });

  test("match rules against the sender's request, and send unmatched alerts to the default receiver", async () => {
    const { integration, reached, read } = await world((receiver) => [
      { match: { "log.data.host": "db-1" }, actions: [{ type: "assign", receiver }] },
    ]);
    await integration.send({ event_type: "create", Id: "a", Title: "a", host: "db-1" });
    await vi.waitFor(() => expect(reached()).toBe("ann"), soon);
    await integration.send({ event_type: "create", Id: "b", Title: "b", host: "db-2" });
    await vi.waitFor(() => expect(reached()).toBe("ann dan"), soon);
    expect((await read("a"))[0]).toMatchObject({ status: "open" });
  });

  test("suppress an ignored alert and page nobody, and the next event creates another alert", async () => {
    const { read, create, reached } = await world(() => [always({ type: "ignore" })]);
    for (const count of [1, 2]) {
      await create("quiet");
      await vi.waitFor(async () => {
        const alerts = await read("quiet");
        expect(alerts.map((it: { status: string }) => it.status)).toEqual(
          Array(count).fill("suppressed"),
        );
      }, soon);
    }
    expect(reached()).toBe("");
  });
});

describe("a delay", () => {
  const later = (receiver: string) => [always({ type: "assign", receiver, delay: "10m" })];

  test("queues the alert, and pages when it ends even if the object was evicted", async () => {
    const { read, create, reached } = await world(later);
    await create("late");
    await vi.waitFor(async () => expect((await read("late"))[0]?.status).toBe("queued"), soon);
    expect(reached()).toBe("");
    const stub = alertStub((await read("late"))[0].prefix_id);
    await rewriteAlert(stub, (value) => {
      const pending = value.alert.pending.map((it) => ({ ...it, at: Date.now() - 1 }));
      return { ...value, alert: { ...value.alert, pending } };
    });
    await stub.poke();
    await vi.waitFor(() => expect(reached()).toBe("ann"), soon);
    expect((await read("late"))[0]).toMatchObject({ status: "open" });
  });

  test("refuses an acknowledgement, and pages nobody if the sender resolves the alert before it ends", async () => {
    const { account, integration, read, create, reached } = await world(later);
    await create("heals");
    await vi.waitFor(async () => expect((await read("heals"))[0]?.status).toBe("queued"), soon);
    const { id, prefix_id } = (await read("heals"))[0];
    expect((await account.api("POST", `/alerts/${id}/acknowledge`)).status).toBe(409);
    await integration.send({ event_type: "acknowledge", Id: "heals" });
    await integration.send({ event_type: "resolve", Id: "heals" });
    await vi.waitFor(async () => expect((await read("heals"))[0]?.status).toBe("resolved"), soon);
    await alertStub(prefix_id).poke();
    expect(reached()).toBe("");
  });
});

test("a maintenance window suppresses and deduplicates without paging, and at its end the alert pages once", async () => {
  const { account, integration, read, create, reached } = await world(toTeam);
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  const { body: window } = await account.api("POST", "/maintenance_windows", {
    name: "Upgrade",
    start_datetime: minutes(-5),
    end_datetime: minutes(5),
    time_zone: "Etc/UTC",
    integration_ids: [integration.id],
  });
  await create("w");
  await create("w");
  await vi.waitFor(async () => {
    expect(await read("w")).toMatchObject([{ status: "suppressed", dedup_count: 1 }]);
  }, soon);
  await account.api("PUT", `/maintenance_windows/${window.id}`, { end_datetime: minutes(-1) });
  await evict(inboxStub(integration.prefixId));
  await create("w");
  await vi.waitFor(() => expect(reached()).toBe("ann"), soon);
  await vi.waitFor(async () => {
    expect(await read("w")).toMatchObject([{ status: "open", dedup_count: 2 }]);
  }, soon);
  expect(reached()).toBe("ann");
});

test("a handoff by the person who acknowledged pages the new recipient", async () => {
  const { account, ann, dan, router, read, create, reached } = await world(toTeam);
  await create("h");
  await vi.waitFor(() => expect(reached()).toBe("ann"), soon);
  const { id } = (await read("h"))[0];
  const as = (verb: string, body: object) =>
    call("POST", `/api/v4/alerts/${id}/${verb}`, { key: ann.key, body });
  const acknowledged = await as("acknowledge", {});
  expect((await as("handoff", { note: "to nobody" })).status).toBe(422);
  const handedOff = await as("handoff", {
    destination_account_user_ids: [dan.accountUserId],
    note: "the failover is under way",
  });
  expect(handedOff.status, handedOff.text).toBe(200);
  expect(handedOff.body).toMatchObject({
    status: "open",
    acknowledged_at: acknowledged.body.acknowledged_at,
    destination_account_user_ids: [dan.accountUserId],
    destination_router_ids: [router.id],
  });
  await vi.waitFor(() => expect(reached()).toBe("ann dan"), soon);
  const { body } = await account.api("GET", `/logs/${id}`);
  const lines = body.details.sublogs.map((it: { message: string }) => it.message);
  expect(lines).toContain("Handed off by ann to dan: the failover is under way");
});
