// Outgoing integrations notify who goes on and off call: once, at the boundary or the configured number of minutes
// before it.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { makeOutgoingIntegration } from "../../support/integrations/outgoing.ts";
import { openReceiver, type Receiver } from "../../support/integrations/receiver.ts";
import { soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let account: Account;
let receiver: Receiver;
let people: Person[];
beforeEach(async () => {
  receiver = openReceiver();
  account = await makeAccount("Ada Admin");
  people = [await makePerson(account, "Grace"), await makePerson(account, "Sam")];
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A team whose layer 1 is handed off from Grace to Sam at `boundary` (epoch ms). */
async function makeHandoffAt(boundary: number) {
  const team = await makeTeam(account, [{ seconds: 60, people: [] }]);
  const shifts = [
    [boundary - 86_400_000, boundary],
    [boundary, boundary + 86_400_000],
  ] as const;
  for (const [i, [from, to]] of shifts.entries()) {
    const made = await account.api("POST", "/events", {
      start_datetime: new Date(from).toISOString(),
      end_datetime: new Date(to).toISOString(),
      layer: 1,
      time_zone: "Berlin",
      schedule_ids: [team.scheduleId],
      account_user_ids: [people[i]?.accountUserId],
    });
    expect(made.status).toBe(201);
  }
  const { body } = await account.api("GET", `/schedules/${team.scheduleId}`);
  return { ...team, stub: env.SCHEDULE.getByName(body.prefix_id) };
}

const remindAt = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, state) => {
    const known = state.storage.sql.exec("select 1 from sqlite_master where name = 'watch'");
    if (known.toArray().length === 0) return null;
    const { body } = state.storage.sql.exec<{ body: string }>("select body from watch").one();
    return JSON.parse(body).remindAt as number | null;
  });

const aboutBoth = () => ({ account_user_ids: people.map((person) => person.accountUserId) });

test("notifies at the boundary who goes off call, who goes on call, and of which shift", async () => {
  await makeOutgoingIntegration(account, receiver, aboutBoth());
  const boundary = Date.now() + 2_000;
  const { id, stub } = await makeHandoffAt(boundary);
  await vi.waitFor(async () => expect(await remindAt(stub)).toBe(boundary), soon);
  await vi.waitFor(() => expect(receiver.got).toHaveLength(2), soon);
  expect(Date.now()).toBeGreaterThanOrEqual(boundary);
  const [off, on] = receiver.got.map(({ body }) => body);
  expect(off).toMatchObject({
    type: "event_reminder.going_off_call",
    timestamp: new Date(boundary).toISOString(),
    data: {
      at: new Date(boundary).toISOString(),
      event: {
        end_time: new Date(boundary).toISOString(),
        time_zone: "Berlin",
        iana_time_zone: "Europe/Berlin",
        layer: 1,
        teams: [{ id, name: "Payments" }],
      },
      account_user: { id: people[0]?.accountUserId, user: { name: "Grace" } },
    },
  });
  expect(on).toMatchObject({
    type: "event_reminder.going_on_call",
    data: {
      event: { start_time: new Date(boundary).toISOString() },
      account_user: { id: people[1]?.accountUserId },
    },
  });
});

test("notifies once, at the reminder time, and only through integrations with the option", async () => {
  const boundary = Date.now() + 3_602_500;
  const { stub } = await makeHandoffAt(boundary);
  await makeOutgoingIntegration(account, receiver, aboutBoth(), { option_reminder_minutes: 60 });
  await makeOutgoingIntegration(account, receiver, aboutBoth(), {
    option_reminder_minutes: 60,
    option_event_reminder_going_on_call: false,
    option_event_reminder_going_off_call: false,
  });
  await vi.waitFor(async () => expect(await remindAt(stub)).toBe(boundary - 3_600_000), soon);
  await evictDurableObject(stub);
  await vi.waitFor(() => expect(receiver.got).toHaveLength(2), soon);
  expect(receiver.got[0]?.body.timestamp).toBe(new Date(boundary - 3_600_000).toISOString());
  const again = { remindAt: boundary - 3_600_000 };
  await runInDurableObject(stub, (_, state) => {
    state.storage.sql.exec("update watch set body = json_patch(body, ?)", JSON.stringify(again));
    return state.storage.setAlarm(Date.now());
  });
  await vi.waitFor(async () => expect(await remindAt(stub)).not.toBe(again.remindAt), soon);
  const { body } = await account.api("GET", "/deliveries");
  expect(body.total_count).toBe(2);
});

test("sends no reminder if no integration has the option", async () => {
  const { stub } = await makeHandoffAt(Date.now() + 60_000);
  await makeOutgoingIntegration(account, receiver, aboutBoth(), {
    option_event_reminder_going_on_call: false,
    option_event_reminder_going_off_call: false,
  });
  expect((await account.api("GET", "/deliveries")).body.total_count).toBe(0);
  expect(await remindAt(stub)).toBeNull();
  const { status, body } = await account.api("POST", "/integrations", {
    name: "Relay",
    urgency: "low",
    integration_type_id: "outgoing_webhook",
    option_webhook_url: receiver.url,
    option_reminder_minutes: 10_081,
    ...aboutBoth(),
  });
  expect([status, body.errors[0].field]).toEqual([422, "option_reminder_minutes"]);
});
