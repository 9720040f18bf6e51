// At each handoff the team's `handoff_notifications` recipients are notified once of who goes off call and who goes on
// call (contract, section 3 and 4).
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { storedNotifications } from "../../support/alerts/notifications.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { interceptQueue, soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

/** A boundary far enough away that only the test runs its alarm, so that no later test gets its mail. */
const HOUR_MS = 3_600_000;

let mailbox: Mailbox;
let account: Account;
let people: Person[];
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount("Ada Admin");
  people = [];
  for (const name of ["Grace", "Sam"]) people.push(await makePerson(account, name));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const ids = () => people.map((person) => person.accountUserId);

/** A team with this `handoff_notifications` setting, whose layer 1 is handed off from Grace to Sam in `inMs`. */
async function teamWith(setting: string, inMs: number, more: Record<string, unknown> = {}) {
  const team = await makeTeam(account, [{ seconds: 60, people: [] }]);
  const boundary = Date.now() + inMs;
  const shifts = [
    [boundary - 86_400_000, boundary],
    [boundary, boundary + 86_400_000],
  ];
  for (const [i, [from, to]] of shifts.entries()) {
    const made = await account.api("POST", "/events", {
      start_datetime: new Date(from as number).toISOString(),
      end_datetime: new Date(to as number).toISOString(),
      layer: 1,
      time_zone: "UTC",
      schedule_ids: [team.scheduleId],
      account_user_ids: [ids()[i]],
    });
    expect(made.status).toBe(201);
  }
  // After the events: otherwise the recipients would be notified that Grace goes on call.
  const changed = await account.api("PUT", `/teams/${team.id}`, {
    handoff_notifications: setting,
    member_account_user_ids: ids(),
    ...more,
  });
  expect(changed.status).toBe(200);
  const stub = env.TEAM.getByName(prefixIdOf("team", team.id));
  await vi.waitFor(async () => expect(await alarmOf(stub)).not.toBeNull(), soon);
  // Waits until the object has processed every change: it reads the clock, which a test may set forward.
  const changes = "select count(*) as n from on_call_changes where account_id = ?";
  await vi.waitFor(async () => {
    const row = await env.DB.prepare(changes).bind(account.accountId).first<{ n: number }>();
    expect(row?.n).toBe(0);
  }, soon);
  return { ...team, boundary, stub };
}

const alarmOf = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, state) => state.storage.getAlarm());

/** Deletes an object whose clock a test has set forward: by the real clock it would notify again. */
async function deleteObject(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, async (_, { storage }) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
  });
  await evictDurableObject(stub);
}

const notifiedAddresses = () => mailbox.mails.map((mail) => mail.to).sort();

describe("a handoff", () => {
  test("notifies once, at the boundary and not before, who goes off call and who goes on call", async () => {
    const { boundary, stub } = await teamWith("team_all", 8_000);
    expect(await alarmOf(stub)).toBe(boundary);
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(3), soon);
    const admin = notifiedAddresses().find((to) => to.startsWith("admin"));
    expect(notifiedAddresses()).toEqual([admin, ...people.map((person) => person.email)].sort());
    expect(mailbox.mails.every((mail) => mail.at >= boundary)).toBe(true);
    expect(mailbox.mails[0]?.subject).toBe(
      "On call for Payments: Step 1: Sam on call, Grace off call",
    );
    const rows = await storedNotifications(account.accountId, "event = 'oncall.handoff'");
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ status: "sent", alert_id: null, channel: "email" });
    await vi.waitFor(async () => {
      const rows = await runInDurableObject(stub, (_, state) =>
        state.storage.sql.exec("select * from outbox").toArray(),
      );
      expect(rows).toEqual([]);
    }, soon);
  });

  test.each([
    ["none", () => []],
    ["team_admins", () => [account.accountUserId]],
    ["oncall_rotation", () => [ids()[1]]],
    ["specific_users", () => [ids()[0]]],
  ])("notifies the recipients of the setting %s", async (setting, recipients) => {
    const { boundary, stub } = await teamWith(setting === "none" ? "team_all" : setting, HOUR_MS, {
      handoff_notification_account_user_ids: [ids()[0]],
    });
    if (setting === "none") {
      const { body } = await account.api("GET", "/teams?limit=1");
      await account.api("PUT", `/teams/${body.data[0].id}`, { handoff_notifications: "none" });
    }
    const pages: { page: { accountUserId: string } }[] = [];
    interceptQueue(async (messages) => {
      pages.push(...(messages as typeof pages));
    });
    vi.useFakeTimers({ now: boundary + 5, toFake: ["Date"] });
    try {
      await runDurableObjectAlarm(stub);
    } finally {
      vi.useRealTimers();
      await deleteObject(stub);
    }
    expect(pages.map((it) => it.page.accountUserId)).toEqual(recipients());
  });

  test("is notified after the object is evicted and the queue rejects messages", async () => {
    const { stub } = await teamWith("team_admins", 8_000);
    await evictDurableObject(stub);
    let refused = 0;
    const queue = interceptQueue(async () => {
      refused += 1;
      throw new Error("Too Many Requests");
    });
    await vi.waitFor(() => expect(refused).toBeGreaterThan(0), soon);
    expect(mailbox.mails).toEqual([]);
    queue.mockRestore();
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(1), soon);
  });

  test("moves when its events change", async () => {
    const { scheduleId, boundary, stub } = await teamWith("team_all", HOUR_MS);
    const { body } = await account.api(
      "GET",
      `/schedules/${scheduleId}/events?sort=start_datetime&direction=asc`,
    );
    const sooner = new Date(boundary - 20_000).toISOString();
    await account.api("PUT", `/events/${body.data[0].id}`, { end_datetime: sooner });
    await vi.waitFor(async () => expect(await alarmOf(stub)).toBe(boundary - 20_000), soon);
  });

  test("into a gap notifies the person who goes off call, at the boundary", async () => {
    const { boundary, scheduleId, stub } = await teamWith("oncall_rotation", 10_000);
    const events = `/schedules/${scheduleId}/events?sort=start_datetime&direction=desc`;
    const { body } = await account.api("GET", events);
    expect((await account.api("DELETE", `/events/${body.data[0].id}`)).status).toBe(204);
    expect(await alarmOf(stub)).toBe(boundary);
    await vi.waitFor(() => expect(notifiedAddresses()).toEqual([people[0]?.email]), soon);
    expect(mailbox.mails[0]?.at).toBeGreaterThanOrEqual(boundary);
    expect(mailbox.mails[0]?.subject).toBe(
      "On call for Payments: Step 1: nobody on call, Grace off call",
    );
  });
});
