// The end of a maintenance window: what it suppressed and nobody resolved opens then, wherever the window ends, once
// each, and survives restarts.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeAccount } from "../../../support/api/api.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { type Mailbox, openMailbox } from "../../../support/providers/mailbox.ts";
import {
  alertStub,
  evict,
  failDatabase,
  inboxStub,
  rowsOf,
  soon,
} from "../../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../../support/worker/world.ts";

const STORM = sized(45, 300);

let mailbox: Mailbox;
beforeEach(() => {
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Whether the inbox has told its alerts of the changed window. */
const isTold = async (prefixId: string) =>
  (await rowsOf(inboxStub(prefixId), "select count(*) as count from changed_windows"))[0]?.count ===
  0;

const textOf = (prepared: D1PreparedStatement) =>
  (prepared as unknown as { statement: string }).statement;

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

/** Ann's integration, in a window that ends in `seconds`, and another integration of hers. */
async function windowEnding(seconds: number) {
  const account = await makeAccount();
  const ann = await makePerson(account, "ann");
  const team = await makeTeam(account, [{ seconds: 600, people: [ann.accountUserId] }]);
  const integration = await makeIntegration(account, [team.id]);
  const other = await makeIntegration(account, [team.id]);
  // From its first request on, an inbox is told of changed windows; its log is written after that.
  await integration.send({ event_type: "resolve", Id: "nothing" });
  const logs = `/logs?owner_id=${integration.id}`;
  await vi.waitFor(async () => {
    expect((await account.api("GET", logs)).body.total_count).toBe(1);
  }, soon);
  const end = inSeconds(seconds);
  const { body } = await account.api("POST", "/maintenance_windows", {
    name: "Upgrade",
    start_datetime: inSeconds(-60),
    end_datetime: end,
    time_zone: "Etc/UTC",
    integration_ids: [integration.id],
  });
  const read = async (query: string) => (await account.api("GET", `/alerts?${query}`)).body.data;
  const suppress = async (ids: readonly string[]) => {
    for (const Id of ids) await integration.send({ event_type: "create", Id, Title: Id });
    const path = "/alerts?status=suppressed&limit=1";
    const count = async () => (await account.api("GET", path)).body.total_count;
    await vi.waitFor(async () => expect(await count()).toBe(ids.length), soon);
  };
  const statusOf = async (id: string) =>
    (await read(`thirdparty_id=${id}`)).map((it: { status: string }) => it.status);
  const window = `/maintenance_windows/${body.id}`;
  const paged = () => mailbox.mails.filter(({ to }) => to === ann.email).length;
  return { account, integration, other, window, end, read, suppress, statusOf, paged };
}

test("opens what still lasts at its end, not before, and pages once, although the objects were evicted", async () => {
  const { account, integration, end, read, suppress, statusOf, paged } = await windowEnding(3);
  await suppress(["lasts", "heals"]);
  await integration.send({ event_type: "resolve", Id: "heals" });
  await vi.waitFor(async () => expect(await statusOf("heals")).toEqual(["resolved"]), soon);
  const [alert] = await read("thirdparty_id=lasts");
  await evict(alertStub(alert.prefix_id));
  await evict(inboxStub(integration.prefixId));
  expect(paged()).toBe(0);
  await vi.waitFor(() => expect(paged()).toBe(1), soon);
  expect(await statusOf("lasts")).toEqual(["open"]);
  const { body: log } = await account.api("GET", `/logs/${alert.id}`);
  const steps: { time: string; message: string }[] = log.details.sublogs;
  const opened = steps.find(({ message }) => message.includes("window has ended"));
  expect(Date.parse(opened?.time ?? "")).toBeGreaterThanOrEqual(Date.parse(end));
  await integration.send({ event_type: "create", Id: "lasts", Title: "lasts" });
  await vi.waitFor(async () => {
    expect(await read("thirdparty_id=lasts")).toMatchObject([{ status: "open", dedup_count: 1 }]);
  }, soon);
  expect(paged()).toBe(1);
});

describe("a window that ends before its time", () => {
  test.each(["shortened", "deleted", "left by the integration"])("%s", async (how) => {
    const world = await windowEnding(600);
    const { account, integration, other, window, suppress, statusOf, paged } = world;
    await suppress(["a"]);
    await evict(inboxStub(integration.prefixId));
    const reply =
      how === "deleted"
        ? await account.api("DELETE", window)
        : await account.api(
            "PUT",
            window,
            how === "shortened" ? { end_datetime: inSeconds(0) } : { integration_ids: [other.id] },
          );
    expect([200, 204]).toContain(reply.status);
    await vi.waitFor(() => expect(paged()).toBe(1), soon);
    expect(await statusOf("a")).toEqual(["open"]);
  });

  test("lets a storm of alerts open, each once, although the inbox is evicted meanwhile", async () => {
    const { account, integration, window, suppress, paged } = await windowEnding(600);
    await suppress(Array.from({ length: STORM }, (_, i) => `storm ${i}`));
    await account.api("DELETE", window);
    await evict(inboxStub(integration.prefixId));
    const count = async () => (await account.api("GET", "/alerts?status=open")).body.total_count;
    await vi.waitFor(async () => expect(await count()).toBe(STORM), soon);
    expect(paged()).toBeLessThanOrEqual(STORM);
  });
});

test("an alert that is being created while its window is deleted opens too", async () => {
  const { account, integration, window, statusOf, paged } = await windowEnding(600);
  const database = Object.getPrototypeOf(env.DB) as D1Database;
  const real = database.batch;
  let release = () => {};
  const gate = new Promise<void>((open) => {
    release = open;
  });
  let isWaiting = false;
  vi.spyOn(database, "batch").mockImplementation(async function (this: D1Database, given) {
    // The alert's row, without which the inbox does not find it.
    if (given.some((it) => textOf(it).includes("timeline_from"))) {
      isWaiting = true;
      await gate;
    }
    return real.call(this, given);
  } as D1Database["batch"]);
  await integration.send({ event_type: "create", Id: "a", Title: "a" });
  await vi.waitFor(() => expect(isWaiting).toBe(true), soon);
  expect((await account.api("DELETE", window)).status).toBe(204);
  // The inbox has looked for alerts to tell.
  await vi.waitFor(async () => expect(await isTold(integration.prefixId)).toBe(true), soon);
  release();
  await vi.waitFor(() => expect(paged()).toBe(1), soon);
  await vi.waitFor(async () => expect(await statusOf("a")).toEqual(["open"]), soon);
});

test("a window that was extended, or is followed by another, keeps its alerts until the last end", async () => {
  const { account, integration, window, read, suppress, statusOf, paged } = await windowEnding(2);
  await suppress(["a"]);
  await account.api("PUT", window, { end_datetime: inSeconds(600) });
  await vi.waitFor(async () => {
    const [{ id }] = await read("thirdparty_id=a");
    const { body } = await account.api("GET", `/logs/${id}`);
    expect(JSON.stringify(body)).toContain("by its windows");
  }, soon);
  const { body: second } = await account.api("POST", "/maintenance_windows", {
    name: "More",
    start_datetime: inSeconds(-1),
    end_datetime: inSeconds(900),
    time_zone: "Etc/UTC",
    integration_ids: [integration.id],
  });
  await account.api("DELETE", window);
  await integration.send({ event_type: "create", Id: "a", Title: "a" });
  await vi.waitFor(async () => {
    expect(await read("thirdparty_id=a")).toMatchObject([{ status: "suppressed", dedup_count: 1 }]);
  }, soon);
  expect(paged()).toBe(0);
  await account.api("DELETE", `/maintenance_windows/${second.id}`);
  await vi.waitFor(() => expect(paged()).toBe(1), soon);
  expect(await statusOf("a")).toEqual(["open"]);
});

test("opens them once the database is back if it fails at the end", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { suppress, statusOf, paged } = await windowEnding(2);
  await suppress(["a"]);
  const mend = failDatabase();
  await new Promise((done) => setTimeout(done, 2_500));
  mend();
  await vi.waitFor(() => expect(paged()).toBe(1), soon);
  expect(await statusOf("a")).toEqual(["open"]);
});
