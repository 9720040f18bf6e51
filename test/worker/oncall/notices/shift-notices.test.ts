// People are notified of changes that put them on a shift or take them off one, reminded of their
// shifts, and sent their weekly digest.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageMessage } from "../../../../src/domain/notifications/page.ts";
import { prefixIdOf } from "../../../../src/domain/shared/identifiers.ts";
import { notifyChanges } from "../../../../src/features/change/notify-changes.ts";
import { storedNotifications } from "../../../support/alerts/notifications.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../../support/providers/mailbox.ts";
import { interceptQueue, soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;

let mailbox: Mailbox;
let account: Account;
let grace: Person;
let sam: Person;
let scheduleId: string;
let stub: DurableObjectStub;
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount("Ada Admin");
  grace = await makePerson(account, "Grace", { shiftNotices: true, admin: true });
  sam = await makePerson(account, "Sam", { shiftNotices: true });
  const { body } = await account.api("POST", "/schedules", { name: "Payments Schedule" });
  scheduleId = body.id;
  stub = env.SCHEDULE.getByName(body.prefix_id);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const shiftBody = (from: number, to: number, people: readonly Person[], now = Date.now()) => ({
  start_datetime: new Date(now + from * DAY).toISOString(),
  end_datetime: new Date(now + to * DAY).toISOString(),
  layer: 1,
  time_zone: "UTC",
  schedule_ids: [scheduleId],
  account_user_ids: people.map((person) => person.accountUserId),
});

/** The header that sends a request with a person's key. */
const asPerson = (person?: Person): Record<string, string> =>
  person ? { Authorization: `Bearer ${person.key}` } : {};

/** Puts people on call from and until so many days from now. Returns the event's id. */
async function putOnCall(from: number, to: number, people: readonly Person[], by?: Person) {
  const made = await account.api("POST", "/events", shiftBody(from, to, people), asPerson(by));
  expect(made.status, made.text).toBe(201);
  await settled();
  return made.body.id as string;
}

/** Waits until the objects have been told of every change. */
async function settled(): Promise<void> {
  const changes = "select count(*) as n from on_call_changes where account_id = ?";
  await vi.waitFor(async () => {
    const row = await env.DB.prepare(changes).bind(account.accountId).first<{ n: number }>();
    expect(row?.n).toBe(0);
  }, soon);
}

/** Runs an alarm as if so much time (ms) had passed. */
async function runAfter(ms: number, object = stub): Promise<void> {
  vi.useFakeTimers({ now: Date.now() + ms, toFake: ["Date"] });
  try {
    await runDurableObjectAlarm(object);
  } finally {
    vi.useRealTimers();
  }
}

/** Collects the pages of the queue, each once: nothing confirms them, so they are sent again. */
function collectPages(): PageMessage[] {
  const pages: PageMessage[] = [];
  const known = new Set<string>();
  interceptQueue(async (messages) => {
    for (const it of messages as PageMessage[]) {
      if (!known.has(it.page.effectId)) pages.push(it);
      known.add(it.page.effectId);
    }
  });
  return pages;
}

/** `Grace oncall.shift_added`, by name. */
const whoAndWhat = (pages: readonly PageMessage[]) =>
  pages
    .map(({ page }) => {
      const name = page.accountUserId === grace.accountUserId ? "Grace" : "Sam";
      return `${name} ${page.event}`;
    })
    .sort();

const notices = () => storedNotifications(account.accountId, "event like 'oncall.shift_%'");

describe("a change of a schedule", () => {
  test("notifies once who is put on and who is taken off, in their own time zone", async () => {
    await account.api("PUT", `/account_users/${grace.accountUserId}`, {
      user_attributes: { time_zone: "Tokyo" },
    });
    const made = await account.api("POST", "/events", {
      ...shiftBody(0, 0, [grace]),
      start_datetime: new Date(Math.ceil(Date.now() / DAY) * DAY + DAY).toISOString(),
      end_datetime: new Date(Math.ceil(Date.now() / DAY) * DAY + DAY + HOUR).toISOString(),
    });
    await settled();
    await runDurableObjectAlarm(stub);
    expect(await notices()).toEqual([]);
    await runAfter(3 * MINUTE);
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
    const [mail] = mailbox.mails;
    expect(mail?.to).toBe(grace.email);
    expect(mail?.subject).toMatch(
      /^You were put on call in Payments Schedule: step 1: \w{3} \d+ \w{3} 09:00 – 10:00$/,
    );
    expect(mail?.text).toContain("Times in Tokyo.");
    await vi.waitFor(async () => expect(await notices()).toMatchObject([{ status: "sent" }]), soon);
    const body = { account_user_ids: [sam.accountUserId] };
    expect((await account.api("PUT", `/events/${made.body.id}`, body)).status).toBe(200);
    await settled();
    await evictDurableObject(stub);
    await runAfter(3 * MINUTE);
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(3), soon);
    expect(
      mailbox.mails
        .slice(1)
        .map(({ to, subject }) => `${to} ${subject.slice(0, 22)}`)
        .sort(),
    ).toEqual(
      [`${grace.email} You were taken off cal`, `${sam.email} You were put on call i`].sort(),
    );
    await runAfter(20 * MINUTE);
    expect(await notices()).toHaveLength(3);
  });

  test("does not notify the person who made it", async () => {
    const pages = collectPages();
    const id = await putOnCall(1, 2, [grace, sam], grace);
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Sam oncall.shift_added"]);
    pages.splice(0);
    await account.api("DELETE", `/events/${id}`, undefined, asPerson(grace));
    await settled();
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Sam oncall.shift_removed"]);
  });

  test("that nobody is known to have made is not taken for the next person's own", async () => {
    const pages = collectPages();
    const id = await putOnCall(1, 2, [grace]);
    await runAfter(3 * MINUTE);
    pages.splice(0);
    await env.DB.prepare("delete from events where id = ?").bind(id).run();
    await account.api("PUT", `/schedules/${scheduleId}`, { name: "Renamed" }, asPerson(grace));
    await settled();
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Grace oncall.shift_removed"]);
    expect(pages[0]?.notice?.subject).toContain("in Renamed: ");
  });

  test("is notified once although the queue delivers its message three times", async () => {
    const copies: PageMessage[] = [];
    const queue = interceptQueue(async (messages) => {
      copies.push(...(messages as PageMessage[]));
    });
    await putOnCall(1, 2, [sam]);
    await runAfter(3 * MINUTE);
    queue.mockRestore();
    expect(copies).toHaveLength(1);
    const [copy] = copies as [PageMessage];
    await env.PAGES.sendBatch([{ body: copy }, { body: copy }]);
    await vi.waitFor(async () => expect(await notices()).toMatchObject([{ status: "sent" }]), soon);
    await env.PAGES.send(copy);
    const left = () =>
      runInDurableObject(stub, (_, { storage }) =>
        storage.sql.exec("select * from outbox").toArray(),
      );
    await vi.waitFor(async () => expect(await left()).toEqual([]), soon);
    expect(mailbox.mails).toHaveLength(1);
  });

  test("that an override makes notifies both, also of a series", async () => {
    const pages = collectPages();
    const now = Date.now();
    const made = await account.api("POST", "/events", {
      ...shiftBody(1, 2, [grace], now),
      repeat: true,
      frequency: 1,
      frequency_unit: "weekly",
    });
    await settled();
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Grace oncall.shift_added"]);
    expect(pages[0]?.notice?.subject).toMatch(/ and 3 more$/);
    pages.splice(0);
    const override = await account.api("POST", `/events/${made.body.id}/override`, {
      ...shiftBody(8, 8.5, [sam], now),
      action_time: new Date(now + 8 * DAY).toISOString(),
      start_time: new Date(now + 8 * DAY).toISOString(),
      end_time: new Date(now + 8.5 * DAY).toISOString(),
    });
    expect(override.status, override.text).toBe(201);
    await settled();
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Grace oncall.shift_removed", "Sam oncall.shift_added"]);
  });

  test("that is taken back, or of past or distant shifts, notifies nobody", async () => {
    const pages = collectPages();
    const id = await putOnCall(1, 2, [grace]);
    await account.api("DELETE", `/events/${id}`);
    await putOnCall(-3, -2, [grace]);
    await putOnCall(30, 31, [grace]);
    await runAfter(3 * MINUTE);
    expect(pages).toEqual([]);
  });

  test("notifies of a person who leaves only those who take their place", async () => {
    const pages = collectPages();
    const rotation = { repeat: true, frequency: 1, frequency_unit: "daily", rotation: true };
    const body = { ...shiftBody(1, 2, [grace, sam]), ...rotation };
    expect((await account.api("POST", "/events", body)).status).toBe(201);
    await settled();
    await runAfter(3 * MINUTE);
    pages.splice(0);
    await account.api("DELETE", `/account_users/${grace.accountUserId}`);
    await settled();
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Sam oncall.shift_added"]);
  });

  test("is notified when its schedule is deleted, with the schedule's name", async () => {
    const pages = collectPages();
    await putOnCall(1, 2, [sam]);
    await runAfter(3 * MINUTE);
    pages.splice(0);
    expect((await account.api("DELETE", `/schedules/${scheduleId}`)).status).toBe(204);
    await settled();
    await runAfter(3 * MINUTE);
    expect(pages.map(({ notice }) => notice?.subject)).toEqual([
      expect.stringMatching(/^You were taken off call in Payments Schedule: /),
    ]);
    // Only the page stays, until it is confirmed.
    const left = await runInDurableObject(stub, (_, state) => [...state.storage.kv.list()]);
    expect(left).toEqual([]);
  });

  test("of a schedule that its object sees first notifies nobody of what was there before", async () => {
    const pages = collectPages();
    await putOnCall(1, 2, [sam]);
    await runInDurableObject(stub, (_, { storage }) => storage.deleteAll());
    await evictDurableObject(stub);
    await env.DB.prepare(
      `insert into on_call_changes (id, account_id, kind, version, attributed)
        values (?, ?, 'schedule', 'first', 'first')`,
    )
      .bind(scheduleId, account.accountId)
      .run();
    await notifyChanges(env, account.accountId);
    await putOnCall(3, 4, [grace]);
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Grace oncall.shift_added"]);
  });

  test("reaches nobody who has turned it off, and is held by a rule that names the event", async () => {
    const rule = await account.api("POST", "/notification_rules", {
      name: "Quiet",
      rules:
        'rules: [{ match: { always: true }, types: [oncall.shift_added], actions: [{ type: hold, until: "08:00", timezone: UTC }] }]',
    });
    expect(rule.status, rule.text).toBe(201);
    await account.api("PUT", `/account_users/${grace.accountUserId}`, {
      notification_rule_id: rule.body.id,
    });
    await account.api("PUT", `/account_users/${sam.accountUserId}`, {
      user_attributes: { shift_notices: false },
    });
    await putOnCall(1, 2, [grace, sam]);
    await runAfter(3 * MINUTE);
    const person = env.PERSON.getByName(prefixIdOf("account_user", grace.accountUserId));
    const timers = () =>
      runInDurableObject(person, (_, { storage }) => {
        const known = storage.sql.exec("select 1 from sqlite_master where name = 'timers'");
        if (known.toArray().length === 0) return [];
        return storage.sql.exec<{ next_at: number }>("select next_at from timers").toArray();
      });
    await vi.waitFor(async () => expect(await timers()).toHaveLength(1), soon);
    expect(mailbox.mails).toEqual([]);
    const [timer] = await timers();
    expect(new Date(timer?.next_at ?? 0).toISOString()).toContain("T08:00:00.000Z");
    await runAfter((timer?.next_at ?? 0) - Date.now(), person);
    // On a Monday, an admin's digest of readiness is due at the same time.
    const notices = () => mailbox.mails.filter(({ subject }) => !subject.startsWith("Readiness:"));
    await vi.waitFor(() => expect(notices().map(({ to }) => to)).toEqual([grace.email]), soon);
    await vi.waitFor(async () => expect(await timers()).toEqual([]), soon);
  });
});

describe("a reminder", () => {
  const remind = (person: Person, reminders: readonly unknown[]) =>
    account.api("PUT", `/account_users/${person.accountUserId}`, {
      user_attributes: { shift_reminders: reminders },
    });

  const remindAt = async () => {
    await settled();
    const known = await runInDurableObject(stub, (_, { storage }) =>
      storage.kv.get<{ remindAt: number | null }>("shifts"),
    );
    return known?.remindAt ?? null;
  };

  test("is sent once before each shift begins, on the chosen channel", async () => {
    const set = await remind(sam, [
      { minutes_before: 60, channel: "email" },
      { minutes_before: 1440, channel: "sms" },
    ]);
    expect(set.body.user.shift_reminders).toEqual([
      { minutes_before: 1440, channel: "sms" },
      { minutes_before: 60, channel: "email" },
    ]);
    const start = Date.now() + 3 * DAY;
    await putOnCall(3, 4, [grace, sam]);
    const pages = collectPages();
    await runAfter(3 * MINUTE);
    pages.splice(0);
    expect(Math.abs(((await remindAt()) ?? 0) - (start - DAY))).toBeLessThan(MINUTE);
    await runAfter(2 * DAY + MINUTE);
    await evictDurableObject(stub);
    await runAfter(2 * DAY + 2 * MINUTE);
    await runAfter(3 * DAY - HOUR + MINUTE);
    await runAfter(3 * DAY + MINUTE);
    expect(
      pages.map(({ page, notice }) => [page.accountUserId, page.event, notice?.channels]),
    ).toEqual([
      [sam.accountUserId, "oncall.shift_reminder", ["sms"]],
      [sam.accountUserId, "oncall.shift_reminder", ["email"]],
    ]);
    expect(pages[1]?.notice?.subject).toMatch(
      /^You go on call in 1 hour: Payments Schedule, step 1, /,
    );
  });

  test("is due anew after its shift moves or the person changes it", async () => {
    const now = Date.now();
    const body = shiftBody(3, 4, [sam], now);
    const made = await account.api("POST", "/events", body);
    expect(await remindAt()).toBeNull();
    await remind(sam, [{ minutes_before: 30 }]);
    expect(await remindAt()).toBe(now + 3 * DAY - 30 * MINUTE);
    await account.api("PUT", `/events/${made.body.id}`, shiftBody(5, 6, [sam], now));
    expect(await remindAt()).toBe(now + 5 * DAY - 30 * MINUTE);
    await remind(sam, []);
    expect(await remindAt()).toBeNull();
  });

  test("refuses times and channels that there are not", async () => {
    const wrong = await remind(sam, [
      { minutes_before: 10_081 },
      { minutes_before: 5, channel: "pigeon" },
      { channel: "sms" },
    ]);
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.map((it: { field: string }) => it.field)).toEqual([
      "user_attributes.shift_reminders[0].minutes_before",
      "user_attributes.shift_reminders[1].channel",
      "user_attributes.shift_reminders[2].minutes_before",
    ]);
    const six = Array.from({ length: 6 }, (_, i) => ({ minutes_before: i }));
    expect((await remind(sam, six)).status).toBe(422);
  });
});

describe("the weekly digest", () => {
  const person = () => env.PERSON.getByName(prefixIdOf("account_user", sam.accountUserId));
  const digestAt = async () => {
    await settled();
    const known = await runInDurableObject(person(), (_, { storage }) =>
      storage.kv.get<{ at: number }>("digest"),
    );
    return known?.at ?? null;
  };
  const set = (attributes: Record<string, unknown>) =>
    account.api("PUT", `/account_users/${sam.accountUserId}`, { user_attributes: attributes });

  test("is off by default, and is sent at the chosen time in the person's zone", async () => {
    const { body } = await account.api("GET", `/account_users/${sam.accountUserId}`);
    expect(body.user).toMatchObject({ shift_digest_day: null, shift_digest_time_of_day: "08:00" });
    expect(await digestAt()).toBeNull();
    const changed = await set({
      shift_digest_day: "friday",
      shift_digest_time_of_day: "17:30",
      time_zone: "Tokyo",
    });
    expect(changed.status, changed.text).toBe(200);
    const at = (await digestAt()) ?? 0;
    expect(new Date(at).toISOString()).toContain("T08:30:00.000Z");
    expect(new Date(at).getUTCDay()).toBe(5);
    await set({ shift_digest_time_of_day: "09:00" });
    expect(await digestAt()).not.toBe(at);
    await set({ shift_digest_day: null });
    expect(await digestAt()).toBeNull();
  });

  test("lists the shifts of the coming week, once, by e-mail", async () => {
    await set({ shift_digest_day: "monday" });
    const at = (await digestAt()) ?? 0;
    const days = (at - Date.now()) / DAY;
    await putOnCall(days + 1, days + 1.5, [sam]);
    await putOnCall(days + 2, days + 2.5, [grace]);
    await putOnCall(days + 8, days + 8.5, [sam]);
    await runAfter(at - Date.now() + 1_000, person());
    await runAfter(at - Date.now() + 2_000, person());
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
    expect(mailbox.mails[0]).toMatchObject({ to: sam.email });
    expect(mailbox.mails[0]?.text.match(/^- Payments Schedule, step 1: .*$/gm)).toHaveLength(1);
    const rows = () => storedNotifications(account.accountId, "event = 'oncall.digest'");
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: "sent" }]), soon);
    expect(await digestAt()).toBe(at + 7 * DAY);
    const left = () =>
      runInDurableObject(person(), (_, { storage }) =>
        storage.sql.exec("select * from timers").toArray(),
      );
    await vi.waitFor(async () => expect(await left()).toEqual([]), soon);
  });

  test("ends when the person leaves, and refuses days and times that there are not", async () => {
    const wrong = await set({ shift_digest_day: "someday", shift_digest_time_of_day: "24:00" });
    expect(wrong.body.errors.map((it: { field: string }) => it.field).sort()).toEqual([
      "user_attributes.shift_digest_day",
      "user_attributes.shift_digest_time_of_day",
    ]);
    await set({ shift_digest_day: "monday" });
    const at = (await digestAt()) ?? 0;
    expect((await account.api("DELETE", `/account_users/${sam.accountUserId}`)).status).toBe(204);
    await runAfter(at - Date.now() + 1_000, person());
    expect(mailbox.mails).toEqual([]);
    expect(await digestAt()).toBeNull();
  });
});
