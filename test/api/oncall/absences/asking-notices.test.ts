// What people are told of absences that ask, on which channels they answer, and that each notice is
// sent once and none is lost.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageMessage } from "../../../../src/domain/notifications/page.ts";
import { notifyChanges } from "../../../../src/features/change/notify-changes.ts";
import { storedNotifications } from "../../../support/alerts/notifications.ts";
import { type Account, call, makeAccount } from "../../../support/api/api.ts";
import { open, press } from "../../../support/api/links.ts";
import { givePhone } from "../../../support/people/phones.ts";
import { type Mailbox, openMailbox } from "../../../support/providers/mailbox.ts";
import { openBrowser, openPushService } from "../../../support/providers/push.ts";
import { openTwilio, text } from "../../../support/providers/twilio.ts";
import { signInAdmin } from "../../../support/worker/console.ts";
import { interceptQueue, soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

let mailbox: Mailbox;
let account: Account;
let ana: Person;
let ben: Person;
let cleo: Person;
let scheduleId: string;
/** The day after tomorrow, when Ana is on call; Ben is on the day after. */
let start: number;

const hours = (day: number) => ({
  start_datetime: iso(start + day * DAY),
  end_datetime: iso(start + (day + 1) * DAY),
});

const by = (person: Person, method: string, path: string, body?: unknown) =>
  call(method, `/api/v4${path}`, { key: person.key, ...(body !== undefined && { body }) });

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount("Ada Admin");
  ana = await makePerson(account, "Ana Weber");
  ben = await makePerson(account, "Ben");
  cleo = await makePerson(account, "Cleo");
  start = Math.floor(Date.now() / DAY) * DAY + 2 * DAY;
  const { body } = await account.api("POST", "/schedules", { name: "Payments" });
  scheduleId = body.id;
  for (const [day, person] of [
    [0, ana],
    [1, ben],
  ] as const) {
    await account.api("POST", "/events", {
      ...hours(day),
      layer: 1,
      time_zone: "UTC",
      schedule_ids: [scheduleId],
      account_user_ids: [person.accountUserId],
    });
  }
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function ask(people: readonly Person[], more: Record<string, unknown> = {}) {
  const reply = await by(ana, "POST", "/absences", {
    ...{ instead: "ask", ...hours(0) },
    account_user_ids: people.map((it) => it.accountUserId),
    ...more,
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body as { id: string; prefix_id: string };
}

const subjectsTo = ({ email }: Person) =>
  mailbox.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

/** Waits until a person was told so much; it must be exactly this, in any order. */
async function expectTold(person: Person, ...subjects: readonly RegExp[]) {
  await vi.waitFor(() => expect(subjectsTo(person).length).toBe(subjects.length), soon);
  const told = subjectsTo(person);
  for (const subject of subjects) expect(told).toContainEqual(expect.stringMatching(subject));
}

const linksTo = (person: Person, subject: RegExp) => {
  const mail = mailbox.mails.find((it) => it.to === person.email && subject.test(it.subject));
  return [...(mail?.text ?? "").matchAll(/https:\/\/tocsin\.test\/a\/\S+/g)].map(([url]) => url);
};

/** The name of the object that notifies: as it was for requests for cover. */
const objectOf = ({ prefix_id }: { prefix_id: string }) => prefix_id.replace("abs", "crq");

const statusOf = async ({ id }: { id: string }) =>
  (await account.api("GET", `/absences/${id}`)).body.status;

const onCall = async (day: number): Promise<string[]> => {
  const { start_datetime: from, end_datetime: to } = hours(day);
  const path = `/schedules/${scheduleId}/window_events?start=${from}&end=${to}`;
  const { body } = await account.api("GET", path);
  return body.flatMap((it: { attendees: { attendee_id: string }[] }) =>
    it.attendees.map(({ attendee_id }) => attendee_id),
  );
};

const ASKED = /^Ana Weber asks you to cover .* \(Payments, step 1\)$/;

/** Waits until the objects have been told of every change. */
const settled = () =>
  vi.waitFor(async () => {
    const changes = "select count(*) as n from on_call_changes where account_id = ?";
    const row = await env.DB.prepare(changes).bind(account.accountId).first<{ n: number }>();
    expect(row?.n).toBe(0);
  }, soon);

describe("everybody is told once", () => {
  test("of an acceptance: both, and the others who had not declined", async () => {
    const dora = await makePerson(account, "Dora");
    const request = await ask([ben, cleo, dora], { reason: "Dentist" });
    await expectTold(ben, ASKED);
    await expectTold(cleo, ASKED);
    await expectTold(dora, ASKED);
    const [mail] = mailbox.mails;
    expect(mail?.text).toContain("Reason: Dentist");
    expect(mail?.text).toContain("The first who accepts gets it.");
    await by(dora, "POST", `/absences/${request.id}/decline`);
    await by(ben, "POST", `/absences/${request.id}/accept`);
    await expectTold(ana, /^Ben covers you: /);
    await expectTold(ben, ASKED, /^You cover Ana Weber: .*Payments, step 1/);
    await expectTold(cleo, ASKED, /^Ben covers Ana Weber: /);
    await settled();
    expect(subjectsTo(dora).length).toBe(1);
    const rows = await storedNotifications(account.accountId, "owner_id = ?", request.id);
    expect(rows.length).toBe(6);
    expect(new Set(rows.map((it) => it.status))).toEqual(new Set(["sent"]));
    const path = `/absences/${request.prefix_id}/notifications`;
    const { body } = await account.api("GET", `${path}?event=oncall.cover_request`);
    const asked = body.data.map((it: { account_user_id: string }) => it.account_user_id);
    expect(asked.toSorted()).toEqual([ben, cleo, dora].map((it) => it.accountUserId).toSorted());
    expect(body.data[0]).toMatchObject({ channel: "email", status: "sent", alert_id: null });
    expect((await account.api("GET", path)).body.total_count).toBe(6);
    const browser = await signInAdmin(account);
    const { text } = await browser.get(`/absences/${request.prefix_id}`);
    const [, panel = ""] = text.split('id="notifications"');
    expect(panel.match(/notified: asked for cover/g)).toHaveLength(3);
    expect(panel.match(/notified: outcome/g)).toHaveLength(3);
    expect(panel).toContain("e-mail");
  });

  test("of a swap, with the hours in return", async () => {
    const request = await ask([ben], { in_return: hours(1) });
    await expectTold(ben, /^Ana Weber asks you to swap: you take .*, Ana Weber takes /);
    await by(ben, "POST", `/absences/${request.id}/accept`);
    await expectTold(ana, /^Ben swaps with you: Ben takes .*, you take /);
    expect(await onCall(0)).toEqual([ben.accountUserId]);
    expect(await onCall(1)).toEqual([ana.accountUserId]);
  });

  test("that all have declined, and that a request was cancelled", async () => {
    const declined = await ask([ben]);
    await expectTold(ben, ASKED);
    await by(ben, "POST", `/absences/${declined.id}/decline`);
    await expectTold(ana, /^Nobody covers you: everybody declined/);
    const cancelled = await ask([cleo]);
    await expectTold(cleo, ASKED);
    await by(ana, "POST", `/absences/${cancelled.id}/cancel`);
    await expectTold(cleo, ASKED, /^Ana Weber no longer asks for cover/);
    expect(subjectsTo(ben).length).toBe(1);
  });

  test("that the person who asked has left", async () => {
    await ask([cleo]);
    await expectTold(cleo, ASKED);
    await account.api("DELETE", `/account_users/${ana.accountUserId}`);
    await expectTold(cleo, ASKED, /no longer asks for cover/);
  });

  test("that the absence was taken back, or is decided otherwise", async () => {
    const deleted = await ask([cleo]);
    await expectTold(cleo, ASKED);
    await by(ana, "DELETE", `/absences/${deleted.id}`);
    await expectTold(cleo, ASKED, /no longer asks for cover/);
    const decided = await ask([ben]);
    await expectTold(ben, ASKED);
    const empty = await account.api("PUT", `/absences/${decided.id}`, { instead: "empty" });
    expect(empty.status, empty.text).toBe(200);
    await expectTold(ben, ASKED, /no longer asks for cover/);
  });

  test("again, if the absence asks again", async () => {
    const request = await ask([ben]);
    await expectTold(ben, ASKED);
    await by(ben, "POST", `/absences/${request.id}/decline`);
    await expectTold(ana, /^Nobody covers you: everybody declined/);
    const again = {
      instead: "ask",
      account_user_ids: [ben.accountUserId, cleo.accountUserId],
    };
    const asked = await by(ana, "PUT", `/absences/${request.id}`, again);
    expect(asked.body, asked.text).toMatchObject({
      status: "asking",
      asked: [{ answer: "pending" }, {}],
    });
    await expectTold(ben, ASKED, ASKED);
    await expectTold(cleo, ASKED);
    await by(cleo, "POST", `/absences/${request.id}/accept`);
    await expectTold(ana, /^Nobody covers you/, /^Cleo covers you/);
    await expectTold(ben, ASKED, ASKED, /^Cleo covers Ana Weber/);
  });

  test("also if the queue loses, repeats and delays messages, and nothing is left then", async () => {
    let lost = 0;
    const queue = env.PAGES.sendBatch.bind(env.PAGES);
    interceptQueue(async (messages) => {
      lost += 1;
      if (lost % 2 === 1) return;
      for (let copy = 0; copy < 2; copy++) await queue(messages.map((body) => ({ body })));
    });
    const request = await ask([ben, cleo]);
    const stub = env.COVER_REQUEST.getByName(objectOf(request));
    const runOutbox = async () => {
      await runInDurableObject(stub, async (_, { storage }) => {
        const [outbox] = storage.sql
          .exec("select 1 from sqlite_master where name = 'outbox'")
          .toArray();
        if (!outbox) return;
        storage.sql.exec("update outbox set next_at = 0");
        await storage.setAlarm(Date.now() + 60_000);
      });
      await runDurableObjectAlarm(stub);
    };
    await settled();
    await vi.waitFor(async () => {
      await runOutbox();
      expect([subjectsTo(ben).length, subjectsTo(cleo).length]).toEqual([1, 1]);
    }, soon);
    await by(ben, "POST", `/absences/${request.id}/accept`);
    await settled();
    await vi.waitFor(async () => {
      await runOutbox();
      const counts = [ana, ben, cleo].map((person) => subjectsTo(person).length);
      expect(counts).toEqual([1, 2, 2]);
      const stored = await runInDurableObject(stub, (_, { storage }) => storage.kv.get("watch"));
      expect(stored).toBeUndefined();
    }, soon);
    // A repeated announcement of the same change tells nobody again.
    await env.DB.prepare(
      "insert into on_call_changes (id, account_id, kind, version) values (?, ?, 'absence', 'again')",
    )
      .bind(request.id, account.accountId)
      .run();
    await notifyChanges(env, account.accountId);
    await runOutbox();
    await vi.waitFor(async () => {
      const stored = await runInDurableObject(stub, (_, { storage }) => storage.kv.get("watch"));
      expect(stored).toBeUndefined();
    }, soon);
    expect([ana, ben, cleo].map((person) => subjectsTo(person).length)).toEqual([1, 2, 2]);
  });

  test("also if the worker dies right after the request was written", async () => {
    const pages: PageMessage[] = [];
    interceptQueue(async (messages) => {
      pages.push(...(messages as PageMessage[]));
    });
    // As a process that writes and is killed before it tells the object.
    const request = await ask([ben]);
    await settled();
    await env.DB.prepare(
      "update absences set asking_status = 'cancelled', asking_ended_at = 1 where id = ?",
    )
      .bind(request.id)
      .run();
    const changes = "select kind from on_call_changes where id = ?";
    expect(await env.DB.prepare(changes).bind(request.id).first()).toEqual({
      kind: "absence",
    });
    await notifyChanges(env, null);
    await vi.waitFor(() => {
      const told = new Set(pages.map(({ page }) => page.effectId.split(":")[1]));
      expect(told).toEqual(new Set(["asked", "cancelled"]));
    }, soon);
  });
});

test("an erased person is in no request, and in no notice that is still to be sent", async () => {
  interceptQueue(async () => {});
  const request = await ask([ben], { reason: "Ana Weber has a wedding" });
  await settled();
  const stub = env.COVER_REQUEST.getByName(objectOf(request));
  const stored = () =>
    runInDurableObject(stub, (_, { storage }) =>
      JSON.stringify(storage.sql.exec("select message from outbox").toArray()),
    );
  expect(await stored()).toContain("Ana Weber");
  const { status } = await account.api("DELETE", `/account_users/${ana.accountUserId}?erase=true`);
  expect(status).toBe(204);
  await vi.waitFor(async () => {
    expect(await stored()).not.toContain("Ana Weber");
    const { body } = await account.api("GET", `/absences/${request.id}`);
    expect(body).toMatchObject({ status: "cancelled", reason: "Former member has a wedding" });
  }, soon);
});

describe("a request expires", () => {
  test("exactly on time, by the alarm of its object", async () => {
    const expiresAt = Date.now() + 3_600_000;
    const request = await ask([ben], { expires_at: iso(expiresAt) });
    await expectTold(ben, ASKED);
    const stub = env.COVER_REQUEST.getByName(objectOf(request));
    await vi.waitFor(async () => {
      const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
      expect(alarm).toBe(expiresAt);
    }, soon);
    vi.useFakeTimers({ now: expiresAt, toFake: ["Date"] });
    await runDurableObjectAlarm(stub);
    vi.useRealTimers();
    await expectTold(ana, /^Nobody covers you: your request for .* expired$/);
    const { body } = await account.api("GET", `/absences/${request.id}`);
    expect(body).toMatchObject({ status: "expired", ended_at: iso(expiresAt) });
    expect((await by(ben, "POST", `/absences/${request.id}/accept`)).status).toBe(409);
    expect(subjectsTo(ben).length).toBe(1);
  });

  test("at the new time, if it was changed", async () => {
    const request = await ask([ben], { expires_at: iso(Date.now() + 3_600_000) });
    const later = Date.now() + 7_200_000;
    await by(ana, "PUT", `/absences/${request.id}`, { expires_at: iso(later) });
    const stub = env.COVER_REQUEST.getByName(objectOf(request));
    await settled();
    vi.useFakeTimers({ now: later - 1_000, toFake: ["Date"] });
    await runDurableObjectAlarm(stub);
    vi.useRealTimers();
    expect(await statusOf(request)).toBe("asking");
    const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    expect(alarm).toBe(later);
  });
});

describe("an answer by link", () => {
  test("needs a press of a button, and shows what became of the request", async () => {
    const request = await ask([ben, cleo]);
    await expectTold(ben, ASKED);
    const [accept = "", decline = ""] = linksTo(ben, ASKED);
    expect([accept, decline].map((url) => new URL(url).search)).toEqual([
      "?answer=accept",
      "?answer=decline",
    ]);
    for (const url of [accept, decline]) {
      const shown = await open(url);
      expect([shown.status, shown.buttons]).toEqual([200, ["accept", "decline"]]);
      expect(shown.text).toContain("Ana Weber asks you for cover");
      expect(shown.text).toContain("Payments, step 1: ");
      await open(url, "HEAD");
    }
    expect(await statusOf(request)).toBe("asking");
    expect((await press(accept, "other")).status).toBe(422);
    const done = await press(accept, "accept");
    expect([done.status, done.text]).toEqual([200, expect.stringContaining("You have accepted")]);
    expect(await onCall(0)).toEqual([ben.accountUserId]);
    const { body } = await account.api("GET", `/absences/${request.id}`);
    expect(body.asked[0]).toMatchObject({ answer: "accepted", channel: "link" });
    await expectTold(cleo, ASKED, /^Ben covers Ana Weber/);
    const [late = ""] = linksTo(cleo, ASKED);
    const refused = await press(late, "accept");
    expect([refused.status, refused.buttons]).toEqual([409, []]);
    expect(refused.text).toContain("Ben has already accepted the request");
  });

  test("is refused with another signature, after it has expired, and to who has left", async () => {
    const request = await ask([ben, cleo]);
    await expectTold(ben, ASKED);
    await expectTold(cleo, ASKED);
    const [url = ""] = linksTo(ben, ASKED);
    const token = new URL(url).pathname;
    const forged = `https://tocsin.test${token.slice(0, -4)}AAAA`;
    expect((await press(forged, "accept")).status).toBe(404);
    vi.useFakeTimers({ now: start + 8 * DAY, toFake: ["Date"] });
    expect((await press(url, "accept")).status).toBe(410);
    vi.useRealTimers();
    await account.api("DELETE", `/account_users/${ben.accountUserId}`);
    expect((await press(url, "accept")).status).toBe(403);
    expect((await open(url)).status).toBe(403);
    expect(await statusOf(request)).toBe("asking");
  });
});

describe("an answer by SMS", () => {
  async function askedBySms() {
    const twilio = openTwilio();
    const number = await givePhone(ben.accountUserId);
    await env.DB.prepare(
      "update users set notify_sms = 1, notify_email = 0 where id = (select user_id from account_users where id = ?)",
    )
      .bind(ben.accountUserId)
      .run();
    const request = await ask([ben, cleo]);
    const code = await vi.waitFor(() => {
      const { Body = "" } = twilio.taken.find(({ form }) => form.To === number)?.form ?? {};
      const [, sent = ""] = /Reply A (\d{4}) to accept, R \1 to decline$/.exec(Body) ?? [];
      expect(sent).not.toBe("");
      return sent;
    }, soon);
    expect(twilio.taken.filter(({ resource }) => resource === "Calls")).toEqual([]);
    return { request, number, code };
  }

  test("accepts with A and the code, never without it", async () => {
    const { request, number, code } = await askedBySms();
    expect(await text(number, "A")).toContain(`A ${code}`);
    expect(await statusOf(request)).toBe("asking");
    expect(await text(number, `A ${code}`)).toBe("You have accepted. You are on call then.");
    expect(await onCall(0)).toEqual([ben.accountUserId]);
    expect(await text(number, `A ${code}`)).toBe("You have already accepted the request.");
    const { body } = await account.api("GET", `/absences/${request.id}`);
    expect(body.asked[0]).toMatchObject({ answer: "accepted", channel: "sms" });
  });

  test("declines with R and the code; an A without one may be for an open alert", async () => {
    const { request, number, code } = await askedBySms();
    const alert = await account.api("POST", "/alerts", {
      title: "Disk full",
      urgency: "high",
      destination_account_user_ids: [ben.accountUserId],
    });
    await vi.waitFor(async () => {
      const rows = await storedNotifications(account.accountId, "alert_id = ?", alert.body.id);
      expect(rows[0]?.status).toBe("sent");
    }, soon);
    expect(await text(number, "A")).toMatch(/^An answer needs a code\. Reply A \d{4}: Disk full$/);
    expect(await statusOf(request)).toBe("asking");
    expect(await text(number, `r${code}`)).toBe("You have declined.");
    expect(await text(number, `R ${code}`)).toBe("You have already declined the request.");
    expect(await text(number, "A 0000")).not.toContain("accepted");
  });

  test("is not asked of a blocked or unconfirmed number", async () => {
    const twilio = openTwilio();
    const numbers = [
      await givePhone(ben.accountUserId, { blocked: true }),
      await givePhone(ben.accountUserId, { confirmed: false }),
    ];
    await env.DB.prepare(
      "update users set notify_sms = 1 where id = (select user_id from account_users where id = ?)",
    )
      .bind(ben.accountUserId)
      .run();
    await ask([ben]);
    await expectTold(ben, ASKED);
    // An answer of the test before may still be on its way to its own number.
    expect(twilio.taken.filter(({ form }) => numbers.includes(form.To ?? ""))).toEqual([]);
  });
});

test("a push message has the address for both answers, which the service worker posts", async () => {
  const service = openPushService();
  const browser = openBrowser();
  const subscribed = await by(ben, "POST", "/push_subscriptions", browser.subscription);
  expect(subscribed.status, subscribed.text).toBe(201);
  const request = await ask([ben]);
  await vi.waitFor(() => expect(service.taken.length).toBe(1), soon);
  const { notification } = browser.read(service.taken[0]?.body ?? new Uint8Array()) as {
    notification: { title: string; data: { type: string; url: string } };
  };
  expect(notification.data.type).toBe("oncall.cover_request");
  expect(notification.title).toMatch(ASKED);
  const answered = await press(notification.data.url, "accept");
  expect(answered.status).toBe(200);
  expect(await statusOf(request)).toBe("covered");
  await vi.waitFor(() => expect(service.taken.length).toBe(2), soon);
  const confirmed = browser.read(service.taken[1]?.body ?? new Uint8Array()) as object;
  expect(confirmed).toMatchObject({ notification: { data: { type: "oncall.cover_answer" } } });
  expect(confirmed).not.toHaveProperty("notification.data.url");
});
