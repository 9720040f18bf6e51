// Callbacks from Twilio: responses by SMS and by digit, STOP and START, and delivery reports. All are signed.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { callbackUrl } from "../../../src/products/phone/callback-url.ts";
import { storedNotifications } from "../../support/alerts/notifications.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { codeOf, givePhone, paged } from "../../support/people/phones.ts";
import { callBack, text } from "../../support/providers/twilio.ts";
import { fillDatabase, soon } from "../../support/worker/faults.ts";
import { makePerson, type Person } from "../../support/worker/world.ts";

let account: Account;

beforeAll(async () => {
  account = await makeAccount();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** `code`: of the SMS about it. */
type OpenAlert = { readonly id: string; readonly code: string };

/** Creates an alert for one person. */
async function alertFor(
  person: Pick<Person, "accountUserId">,
  title: string,
): Promise<{ readonly id: string }> {
  const {
    status,
    body,
    text: responseText,
  } = await account.api("POST", "/alerts", {
    title,
    urgency: "silent",
    destination_account_user_ids: [person.accountUserId],
  });
  if (status !== 201) throw new Error(responseText);
  return { id: body.id };
}

/** A person with a confirmed number, who is notified of alerts with these titles by SMS. */
async function notifiedPerson(...titles: readonly string[]) {
  const person = await makePerson(account, "Pat");
  const number = await givePhone(person.accountUserId);
  const alerts: OpenAlert[] = [];
  for (const title of titles) {
    const alert = await alertFor(person, title);
    const id = await paged(account, alert.id, person.accountUserId, "sms", number);
    alerts.push({ ...alert, code: codeOf(person.accountUserId, id) });
  }
  return { person, number, alerts: alerts as [OpenAlert, OpenAlert, ...OpenAlert[]] };
}

/** An id without a record. */
const NOBODY = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** The address of a notification's callback. */
async function addressOf(kind: "calls" | "status", id: string): Promise<string> {
  const [row] = await storedNotifications(account.accountId, "id = ?", id);
  const accountUserId = String(row?.account_user_id ?? NOBODY);
  const key = { accountId: account.accountId, accountUserId, id };
  return String(await callbackUrl(env, "twilio", kind, key, Date.now()));
}

const statusOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body.status;

async function timelineOf(id: string): Promise<string[]> {
  const { body } = await account.api("GET", `/logs/${prefixIdOf("log", id)}`);
  return body.details.sublogs.map((line: { message: string }) => line.message);
}

describe("a response by SMS", () => {
  test("A and the code acknowledges the alert on behalf of the person", async () => {
    const { number, alerts } = await notifiedPerson("Disk full");
    expect(await text(number, `A ${alerts[0].code}`)).toBe("Acknowledged: Disk full");
    expect(await statusOf(alerts[0].id)).toBe("acknowledged");
    expect((await timelineOf(alerts[0].id)).join("\n")).toContain("Acknowledged by Pat");
  });

  test.each(["P", "r", "pass on", "Reject"])(
    "%s and the code passes the alert on",
    async (word) => {
      const { number, alerts } = await notifiedPerson("Disk full");
      expect(await text(number, `${word} ${alerts[0].code}`)).toBe("Passed on: Disk full");
      expect(await statusOf(alerts[0].id)).toBe("dropped");
      expect((await timelineOf(alerts[0].id)).join("\n")).toContain("Passed on by Pat");
    },
  );

  test("without a code changes nothing, and is answered with the codes of what is open", async () => {
    const { number, alerts } = await notifiedPerson("Disk full", "No power");
    const reply = await text(number, "A");
    expect(reply).toContain("An answer needs a code");
    for (const [i, title] of ["Disk full", "No power"].entries()) {
      expect(reply).toContain(`A ${alerts[i]?.code}: ${title}`);
      expect(await statusOf(alerts[i]?.id ?? "")).toBe("open");
    }
    expect(await text(number, `A ${alerts[1].code}`)).toBe("Acknowledged: No power");
    expect(await text(number, "r")).toContain(`P ${alerts[0].code}: Disk full`);
    expect(await statusOf(alerts[0].id)).toBe("open");
  });

  test("is not accepted with a code that members can compute or that is another person's", async () => {
    const { number, alerts } = await notifiedPerson("Disk full");
    const other = await notifiedPerson("No power");
    const [{ id }] = alerts;
    const derived = String(Number.parseInt(id.slice(-8), 36) % 10_000).padStart(4, "0");
    for (const code of [other.alerts[0].code, derived, codeOf(id, id)]) {
      if (code === alerts[0].code) continue;
      expect(await text(number, `A ${code}`)).toBe(
        `No open alert has the code ${code}. Reply A ${alerts[0].code}: Disk full`,
      );
    }
    expect(await statusOf(id)).toBe("open");
  });

  test("counts whatever else the message says", async () => {
    const { number, alerts } = await notifiedPerson("Disk full");
    const sms = `“Reply A-${alerts[0].code}” 👍\n--\nPat, +1 415 555 0199\n> R 0000`;
    expect(await text(number, sms)).toBe("Acknowledged: Disk full");
  });

  test("is confirmed if it is the same again, and says who was first otherwise", async () => {
    const { number, alerts } = await notifiedPerson("Disk full");
    const [{ id, code }] = alerts;
    await text(number, `A ${code}`);
    expect(await text(number, `A ${code}`)).toMatch(
      /^Acknowledged, already by you at \d\d:\d\d\.$/,
    );
    expect((await timelineOf(id)).filter((it) => it.includes("Acknowledged"))).toHaveLength(1);
    await account.api("POST", `/alerts/${id}/resolve`);
    expect(await text(number, `A ${code}`)).toMatch(
      /^Nothing was changed\. The alert is resolved.* Resolved by .* at \d\d:\d\d\.$/,
    );
    expect(await text(number, "A")).toBe("You have no open alert.");
  });

  test("that Twilio sends again is done and answered once", async () => {
    const { number, alerts } = await notifiedPerson("Disk full");
    const form = {
      ...{ MessageSid: `SM${"a".repeat(32)}`, From: number, To: env.TWILIO_FROM },
      Body: `A ${alerts[0].code}`,
    };
    expect((await callBack("messages", form)).text).toContain("Acknowledged: Disk full");
    await account.api("POST", `/alerts/${alerts[0].id}/undo`, { key: account.key });
    for (const again of [form, { ...form, NumMedia: "0" }]) {
      const reply = await callBack("messages", again);
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain("Message>");
    }
    expect((await timelineOf(alerts[0].id)).filter((it) => it.startsWith("Ack"))).toHaveLength(1);
  });

  test("is accepted only from a confirmed number", async () => {
    const person = await makePerson(account, "Una");
    const number = await givePhone(person.accountUserId, { confirmed: false });
    const alert = await alertFor(person, "Disk full");
    const id = await paged(account, alert.id, person.accountUserId, "sms", number);
    const code = codeOf(person.accountUserId, id);
    for (const sms of ["A", `A ${code}`]) expect(await text(number, sms)).toBeNull();
    expect(await text("+14155559999", `A ${code}`)).toBeNull();
    expect(await statusOf(alert.id)).toBe("open");
  });

  test("is accepted only between the two numbers of the notification", async () => {
    const { person, number, alerts } = await notifiedPerson("Disk full");
    const second = await givePhone(person.accountUserId);
    const answer = `A ${alerts[0].code}`;
    expect(await text(second, answer)).toBeNull();
    expect(await text(number, answer, "+15005550001")).toBeNull();
    expect(await statusOf(alerts[0].id)).toBe("open");
    vi.spyOn(env, "TWILIO_MESSAGING_SERVICE_SID", "get").mockReturnValue("MG1");
    expect(await text(number, answer, "+15005550001")).toBe("Acknowledged: Disk full");
  });

  test("is ignored if the person is no longer a member", async () => {
    const { person, number, alerts } = await notifiedPerson("Disk full");
    await env.DB.prepare("update account_users set state = 'pending' where id = ?")
      .bind(person.accountUserId)
      .run();
    expect(await text(number, `A ${alerts[0].code}`)).toBeNull();
    expect(await statusOf(alerts[0].id)).toBe("open");
  });

  test("is accepted if Twilio's reply to the notification was lost", async () => {
    const person = await makePerson(account, "Pat");
    const number = await givePhone(person.accountUserId);
    const alert = await alertFor(person, "Disk full");
    const lost = { status: "queued", reason: "Twilio could not be reached" } as const;
    const id = await paged(account, alert.id, person.accountUserId, "sms", number, lost);
    const code = codeOf(person.accountUserId, id);
    expect(await text(number, `A ${code}`)).toBe("Acknowledged: Disk full");
  });

  test("with the code of an earlier message of the alert counts too", async () => {
    const { person, number, alerts } = await notifiedPerson("Disk full");
    await paged(account, alerts[0].id, person.accountUserId, "sms", number, { effect: "again" });
    expect(await text(number, `A ${alerts[0].code}`)).toBe("Acknowledged: Disk full");
  });

  test("with the code of two open alerts applies to none", async () => {
    const { person, number, alerts } = await notifiedPerson("Disk full", "No power");
    const [first, second] = alerts;
    const ids = Array.from({ length: 200_000 }, (_, i) => `7${String(i).padStart(25, "0")}`);
    const id = ids.find((it) => codeOf(person.accountUserId, it) === second.code);
    const twin = { id, effect: "twin" };
    await paged(account, first.id, person.accountUserId, "sms", number, twin);
    expect(await text(number, `A ${second.code}`)).toBe(
      `2 alerts have the code ${second.code}. Respond online.`,
    );
    expect(await statusOf(second.id)).toBe("open");
    await account.api("POST", `/alerts/${first.id}/resolve`);
    expect(await text(number, `A ${second.code}`)).toBe("Acknowledged: No power");
  });

  test("is one of few codes that are tried, and of fewer after many wrong ones", async () => {
    const { number, alerts } = await notifiedPerson("Disk full", "No power");
    const [{ id, code }, other] = alerts;
    const wrong = Array.from({ length: 40 }, (_, i) => String(i).padStart(4, "0")).filter(
      (it) => it !== code && it !== other.code,
    );
    const tryAfter = (many: number) => text(number, `A ${wrong.slice(0, many).join(" ")} ${code}`);
    expect(await tryAfter(3)).toContain(`No open alert has the code ${wrong[0]}`);
    for (let i = 0; i < 3; i += 1) await tryAfter(20);
    expect(await tryAfter(1)).toContain(`No open alert has the code ${wrong[0]}`);
    expect(await statusOf(id)).toBe("open");
    expect(await text(number, `A ${code} ${wrong[0]}`)).toBe("Acknowledged: Disk full");
    vi.useFakeTimers({ now: Date.now() + 3_601_000, toFake: ["Date"] });
    expect(await text(number, `A ${wrong[0]} ${other.code}`)).toBe("Acknowledged: No power");
    vi.useRealTimers();
  });

  test("that cannot be parsed is answered with instructions while an alert is open", async () => {
    const { number, alerts } = await notifiedPerson("Disk full");
    expect(await text(number, "on my way")).toMatch(
      /^That was no answer\. Reply A or P and the code/,
    );
    expect(await text(number, "got it")).toMatch(/^That was no answer/);
    // An automatic reply is not answered again.
    expect(await text(number, "I am driving")).toMatch(/^That was no answer/);
    expect(await text(number, "I am driving")).toBeNull();
    for (let i = 0; i < 10; i += 1) await text(number, `I am driving ${i}`);
    expect(await text(number, "I am still driving")).toBeNull();
    expect(await text(number, `A ${alerts[0].code}`)).toBe("Acknowledged: Disk full");
    const quiet = await givePhone((await makePerson(account, "Quinn")).accountUserId);
    expect(await text(quiet, "on my way")).toBeNull();
  });

  test("from a number that two people share is that of whose message it answers", async () => {
    const { person, number, alerts } = await notifiedPerson("Disk full");
    const other = await makePerson(account, "Sam");
    await givePhone(other.accountUserId, { number });
    const id = await paged(account, alerts[0].id, other.accountUserId, "sms", number, {
      effect: "another",
    });
    expect(person.accountUserId).not.toBe(other.accountUserId);
    const code = codeOf(other.accountUserId, id);
    expect(await text(number, `A ${code}`)).toBe("Acknowledged: Disk full");
    expect((await timelineOf(alerts[0].id)).join("\n")).toContain("Acknowledged by Sam");
  });
});

describe("STOP and START", () => {
  test("block and unblock a number", async () => {
    const person = await makePerson(account, "Stan");
    const number = await givePhone(person.accountUserId);
    const blocked = async () => {
      const { body } = await account.api("GET", `/account_users/${person.accountUserId}`);
      return body.user.phones[0].blocked;
    };
    expect(await text(number, "STOP")).toBeNull();
    expect(await blocked()).toBe(true);
    expect(await text(number, "start")).toBeNull();
    expect(await blocked()).toBe(false);
    const numbers = { MessageSid: `SM${"0".repeat(32)}`, From: number, To: env.TWILIO_FROM };
    const form = { ...numbers, Body: "ARRET", OptOutType: "STOP" };
    expect((await callBack("messages", form)).text).not.toContain("Message");
    expect(await blocked()).toBe(true);
  });
});

test("STOP counts while the database has no room for new rows", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const person = await makePerson(account, "Stan");
  const number = await givePhone(person.accountUserId);
  const full = fillDatabase(/^(?!user_phones)/);
  expect(await text(number, "STOP")).toBeNull();
  expect(full.refused).toBeGreaterThan(0);
  full.mend();
  const { body } = await account.api("GET", `/account_users/${person.accountUserId}`);
  expect(body.user.phones[0].blocked).toBe(true);
});

describe("a digit in a call", () => {
  async function callPerson(title: string) {
    const person = await makePerson(account, "Val");
    const number = await givePhone(person.accountUserId);
    const alert = await alertFor(person, title);
    const id = await paged(account, alert.id, person.accountUserId, "voice", number);
    return { person, alert, id };
  }
  const press = async (id: string, digit: string) => {
    const { status, text: xml } = await callBack(await addressOf("calls", id), {
      CallSid: "CA1",
      Digits: digit,
    });
    expect(status).toBe(200);
    return xml;
  };

  test("1 acknowledges, and is done once if Twilio calls back again", async () => {
    const { alert, id } = await callPerson("Disk full");
    expect(await press(id, "1")).toContain("The alert is acknowledged");
    expect(await statusOf(alert.id)).toBe("acknowledged");
    await account.api("POST", `/alerts/${alert.id}/resolve`);
    await account.api("POST", `/alerts/${alert.id}/reopen`);
    expect(await press(id, "1")).toContain("Your answer was received before");
    expect(await statusOf(alert.id)).toBe("open");
  });

  test("is confirmed in a second call, and says who was first otherwise", async () => {
    const { person, alert, id } = await callPerson("Disk full");
    await press(id, "1");
    const number = await givePhone(person.accountUserId);
    const again = () =>
      paged(account, alert.id, person.accountUserId, "voice", number, {
        effect: `${Math.random()}`,
      });
    expect(await press(await again(), "1")).toMatch(/Acknowledged, already by you at \d\d:\d\d\./);
    await account.api("POST", `/alerts/${alert.id}/resolve`);
    expect(await press(await again(), "1")).toMatch(
      /Nothing was changed\..* Resolved by .* at \d\d:/,
    );
  });

  test("counts only for the call that was made for the notification", async () => {
    const { alert, id } = await callPerson("Disk full");
    const { id: other } = await callPerson("No power");
    const set = (id: string, providerId: string, attempts = 1) =>
      env.DB.prepare("update notifications set provider_id = ?, attempts = ? where id = ?")
        .bind(providerId, attempts, id)
        .run();
    await set(id, "CA2");
    await set(other, "CA1");
    expect(await press(id, "1")).toContain("no longer assigned to you");
    const form = { CallSid: "CA2", Digits: "1" };
    const url = await addressOf("calls", id);
    // The tokens of the delivery reports, of another provider and of another deployment, and none.
    const [row] = await storedNotifications(account.accountId, "id = ?", id);
    const key = { accountId: account.accountId, accountUserId: String(row?.account_user_id), id };
    const elsewhere = { ...env, LINK_SECRET: "another" };
    const status = await addressOf("status", id);
    const foreign = await callbackUrl(elsewhere, "twilio", "calls", key, Date.now());
    const old = await callbackUrl(env, "twilio", "calls", key, Date.now() - 3_700_000);
    const vonage = await callbackUrl(env, "vonage", "calls", key, Date.now());
    for (const wrong of [
      status.replace("/status/", "/calls/"),
      String(foreign),
      String(old),
      String(vonage).replace("/vonage/", "/twilio/"),
      `${url}x`,
      "https://tocsin.test/callbacks/twilio/calls/x",
    ]) {
      expect((await callBack(wrong, form)).status).toBe(403);
    }
    expect(await statusOf(alert.id)).toBe("open");
    expect((await callBack(url, form)).text).toContain("The alert is acknowledged");
  });

  test("counts for an earlier call whose provider did not answer in time", async () => {
    const { alert, id } = await callPerson("Disk full");
    await env.DB.prepare("update notifications set provider_id = 'vonage:1' where id = ?")
      .bind(id)
      .run();
    expect(await press(id, "1")).toContain("The alert is acknowledged");
    expect(await statusOf(alert.id)).toBe("acknowledged");
  });

  test("2 rejects", async () => {
    const { alert, id } = await callPerson("Disk full");
    expect(await press(id, "2")).toContain("passed on");
    expect(await statusOf(alert.id)).toBe("dropped");
  });

  test("requests another digit if it is neither 1 nor 2", async () => {
    const { alert, id } = await callPerson("Disk full");
    expect(await press(id, "7")).toContain("https://tocsin.test/callbacks/twilio/calls/");
    expect(await statusOf(alert.id)).toBe("open");
  });

  test("changes nothing for a former member or an unknown call", async () => {
    const { person, alert, id } = await callPerson("Disk full");
    await env.DB.prepare("update account_users set state = 'pending' where id = ?")
      .bind(person.accountUserId)
      .run();
    expect(await press(id, "1")).toContain("no longer assigned to you");
    expect(await statusOf(alert.id)).toBe("open");
    expect(await press(NOBODY, "1")).toContain("no longer assigned to you");
  });
});

describe("a delivery report", () => {
  // A provider id identifies one message: notifications share it only if they were sent as one bundle.
  beforeEach(async () => {
    await env.DB.prepare("update notifications set provider_id = null").run();
  });

  async function makeSent(channel: "sms" | "voice", more = {}) {
    const person = await makePerson(account, "Rae");
    const number = await givePhone(person.accountUserId);
    const alert = await alertFor(person, "Disk full");
    const id = await paged(account, alert.id, person.accountUserId, channel, number, {
      providerId: "SM1",
      sentAt: Date.now(),
      ...more,
    });
    return { alert, id, number, person };
  }
  const report = async (id: string, form: Record<string, string>) =>
    callBack(await addressOf("status", id), form);
  const shown = async (id: string) => {
    const [stored] = await storedNotifications(account.accountId, "id = ?", id);
    const path = `/alerts/${stored?.alert_id}/notifications?id=${id}`;
    return (await account.api("GET", path)).body.data[0];
  };

  test("sets the notification's status to delivered, which later reports do not change", async () => {
    const { id } = await makeSent("sms");
    expect((await report(id, { MessageSid: "SM1", MessageStatus: "delivered" })).status).toBe(204);
    const delivered = await shown(id);
    expect(delivered).toMatchObject({ status: "delivered", provider_id: "SM1", reason: null });
    expect(delivered.delivered_at).not.toBeNull();
    await report(id, { MessageSid: "SM1", MessageStatus: "sent" });
    await report(id, { MessageSid: "SM1", MessageStatus: "undelivered", ErrorCode: "30003" });
    expect(await shown(id)).toEqual(delivered);
  });

  test("of a failure is added to the alert's timeline once", async () => {
    const { id, alert } = await makeSent("sms");
    const form = { MessageSid: "SM1", MessageStatus: "undelivered", ErrorCode: "30003" };
    await report(id, form);
    await report(id, form);
    const failureEntries = async () =>
      (await timelineOf(alert.id)).filter((line) => line.startsWith("Not notified by sms"));
    await vi.waitFor(async () => expect(await failureEntries()).toHaveLength(1), soon);
    expect(await shown(id)).toMatchObject({
      status: "failed",
      reason: "Twilio: 30003, the phone is switched off or out of range",
      delivered_at: null,
    });
    expect((await failureEntries())[0]).toContain("switched off");
  });

  test("of an unrecorded message marks the notification as sent", async () => {
    const lost = { status: "queued", providerId: null, sentAt: null, reason: "lost" };
    const { id } = await makeSent("sms", lost);
    await report(id, { MessageSid: "SM7", MessageStatus: "sent" });
    const taken = await shown(id);
    expect(taken).toMatchObject({ status: "sent", provider_id: "SM7", reason: null });
    expect(taken.sent_at).not.toBeNull();
    await report(id, { MessageSid: "SM7", MessageStatus: "delivered" });
    expect((await shown(id)).status).toBe("delivered");
  });

  test("of a bundle applies to every alert in it", async () => {
    const bundled = { bundle: "burst", dueAt: Date.now() } as const;
    const { id, person, number } = await makeSent("sms", bundled);
    const other = await alertFor(person, "No power");
    const second = await paged(account, other.id, person.accountUserId, "sms", number, {
      providerId: "SM1",
      ...bundled,
    });
    await report(id, { MessageSid: "SM1", MessageStatus: "delivered" });
    for (const one of [id, second]) expect((await shown(one)).status).toBe("delivered");
  });

  test("of another copy's failure does not change the recorded one", async () => {
    const { id } = await makeSent("sms");
    await report(id, { MessageSid: "SM2", MessageStatus: "failed", ErrorCode: "30008" });
    expect((await shown(id)).status).toBe("sent");
  });

  test.each([
    ["completed", "delivered", null],
    ["no-answer", "failed", "the call was not answered"],
    ["busy", "failed", "the line was busy"],
    ["in-progress", "sent", null],
    ["constructor", "sent", null],
  ])("of a call: %s", async (word, status, reason) => {
    const { id } = await makeSent("voice", { providerId: "CA1" });
    await report(id, { CallSid: "CA1", CallStatus: word });
    expect(await shown(id)).toMatchObject({ status, reason });
  });

  test("with the error for STOP blocks the number", async () => {
    const { id, person } = await makeSent("sms");
    await report(id, { MessageSid: "SM1", MessageStatus: "failed", ErrorCode: "21610" });
    const { body } = await account.api("GET", `/account_users/${person.accountUserId}`);
    expect(body.user.phones[0].blocked).toBe(true);
  });

  const UNSUBSCRIBED = { MessageSid: "SM1", MessageStatus: "failed", ErrorCode: "21610" };
  const gaveUp = (alert: { readonly id: string }) =>
    vi.waitFor(async () => {
      const lines = await timelineOf(alert.id);
      expect(lines.filter((it) => it.startsWith("Not notified by sms"))).toHaveLength(1);
    }, soon);

  test("of a failure that could not be queued is queued by the next one, for some minutes", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { id, alert } = await makeSent("sms");
    const send = vi.spyOn(Object.getPrototypeOf(env.PAGES), "send");
    send.mockRejectedValueOnce(new Error("the queue is out"));
    expect((await report(id, UNSUBSCRIBED)).status).toBeGreaterThanOrEqual(500);
    expect((await report(id, UNSUBSCRIBED)).status).toBe(204);
    await gaveUp(alert);
    const [, again] = send.mock.calls;
    expect((await report(id, UNSUBSCRIBED)).status).toBe(204);
    expect(send.mock.calls.at(-1)).toEqual(again);
    expect(send).toHaveBeenCalledTimes(3);
    vi.useFakeTimers({ now: Date.now() + 301_000, toFake: ["Date"] });
    await report(id, UNSUBSCRIBED);
    vi.useRealTimers();
    expect(send).toHaveBeenCalledTimes(3);
    await gaveUp(alert);
  });

  test("of a failure leads on although the number cannot be stopped", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { id, alert } = await makeSent("sms");
    const full = fillDatabase(/^user_phones$/);
    expect((await report(id, UNSUBSCRIBED)).status).toBe(204);
    expect(full.refused).toBeGreaterThan(0);
    full.mend();
    await gaveUp(alert);
  });

  test("for an unknown notification is ignored", async () => {
    const { status } = await report(NOBODY, {
      MessageSid: "SM1",
      MessageStatus: "delivered",
    });
    expect(status).toBe(204);
  });
});

describe("a request that Twilio has not signed", () => {
  const paths = ["messages", "calls/token", "status/token"];

  test.each(paths)("is rejected at %s", async (path) => {
    const form = { From: "+14155550123", To: env.TWILIO_FROM, Body: "A", Digits: "1" };
    expect((await callBack(path, form, "another token")).status).toBe(403);
    const unsigned = await call("POST", `/callbacks/twilio/${path}`, {
      body: new URLSearchParams(form).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(unsigned.status).toBe(403);
    expect(unsigned.body.errors[0].message).toBe("this is not signed by Twilio");
  });

  test.each(paths)("is answered with 404 at %s if no auth token is configured", async (path) => {
    vi.spyOn(env, "TWILIO_AUTH_TOKEN", "get").mockReturnValue(undefined);
    expect((await callBack(path, { Body: "A" }, "")).status).toBe(404);
  });

  test("is rejected with the signature of another URL", async () => {
    const { number, alerts } = await notifiedPerson("Disk full");
    const numbers = { MessageSid: `SM${"b".repeat(32)}`, From: number, To: env.TWILIO_FROM };
    const form = { ...numbers, Body: `A ${alerts[0].code}` };
    const body = new URLSearchParams(form).toString();
    const { createHmac } = await import("node:crypto");
    const elsewhere = `https://tocsin.test/callbacks/twilio/status/x${Object.keys(form).sort().join("")}`;
    const signature = createHmac("sha1", env.TWILIO_AUTH_TOKEN ?? "").update(elsewhere);
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Twilio-Signature": signature.digest("base64"),
    };
    const reply = await call("POST", "/callbacks/twilio/messages", { body, headers });
    expect(reply.status).toBe(403);
    expect(await statusOf(alerts[0].id)).toBe("open");
  });

  test("is answered with 404 if its method is GET", async () => {
    expect((await call("GET", "/callbacks/twilio/messages")).status).toBe(404);
  });
});
