// A push, and a step of a rule that is left out once the push was shown (contract 6): by the word of the browser, or of a
// provider.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { actionLink, signedLink } from "../../../src/kernel/links.ts";
import { makeRuled, type Ruled, runNextTimer, timersOf } from "../../support/alerts/ruled.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { type Browser, openBrowser, openPushService } from "../../support/providers/push.ts";
import { callBack, openTwilio, type Twilio } from "../../support/providers/twilio.ts";
import { soon } from "../../support/worker/faults.ts";

const RULES = `rules:
  - match: { always: true }
    actions:
      - { type: notify, channels: [push], timeout: 30s }
      - { type: notify, channels: [sms], unless_delivered: true, timeout: 30s }
      - { type: notify, channels: [voice], unless_delivered: true }
`;

let account: Account;
let twilio: Twilio;
let service: ReturnType<typeof openPushService>;
let ida: Ruled;
let browser: Browser;

beforeEach(async () => {
  openMailbox();
  twilio = openTwilio();
  service = openPushService();
  account = await makeAccount("Ada Admin");
  ida = await makeRuled(account, "Ida", RULES);
  browser = openBrowser();
  const path = "/api/v4/push_subscriptions";
  const made = await call("POST", path, { key: ida.key, body: browser.subscription });
  expect(made.status, made.text).toBe(201);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Pages Ida by push; the alert, and the address at which her browser confirms it. */
async function page(): Promise<{ readonly id: string; readonly receipt: string }> {
  const made = await account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_account_user_ids: [ida.accountUserId],
  });
  const { id } = made.body;
  await vi.waitFor(async () => expect(await shown(id)).toEqual(["push sent"]), soon);
  await vi.waitFor(async () => expect(await timersOf(ida)).toHaveLength(2), soon);
  const [message] = service.taken;
  const { notification } = browser.read(message?.body ?? new Uint8Array()) as {
    readonly notification: { readonly data: { readonly receipt: string } };
  };
  return { id, receipt: notification.data.receipt };
}

async function notificationsOf(id: string): Promise<Record<string, any>[]> {
  return (await account.api("GET", `/alerts/${id}/notifications`)).body.data;
}

const shown = async (id: string): Promise<string[]> =>
  (await notificationsOf(id)).map(({ channel, status }) => `${channel} ${status}`).sort();

const confirm = (url: string) => call("POST", new URL(url).pathname, {});

test("a message that the browser has shown is delivered, and the steps after it are left out", async () => {
  const { id, receipt } = await page();
  expect((await confirm(receipt)).status).toBe(204);
  expect((await confirm(receipt)).status).toBe(204);
  const [push] = await notificationsOf(id);
  expect(push).toMatchObject({ status: "delivered", delivered_at: expect.any(String) });
  await runNextTimer(ida);
  await vi.waitFor(
    async () => expect(await shown(id)).toEqual(["push delivered", "sms skipped"]),
    soon,
  );
  await runNextTimer(ida);
  const all = ["push delivered", "sms skipped", "voice skipped"];
  await vi.waitFor(async () => expect(await shown(id)).toEqual(all), soon);
  expect(twilio.taken).toEqual([]);
  const reasons = (await notificationsOf(id)).map(({ reason }) => reason).filter(Boolean);
  expect(new Set(reasons)).toEqual(new Set(["a message before it was delivered"]));
});

test("a push that nobody has shown is followed by an SMS, and its report spares the call", async () => {
  const { id } = await page();
  await runNextTimer(ida);
  await vi.waitFor(async () => expect(await shown(id)).toEqual(["push sent", "sms sent"]), soon);
  const [sms] = twilio.taken;
  const reported = { MessageSid: sms?.sid ?? "", MessageStatus: "delivered" };
  expect((await callBack(sms?.form.StatusCallback ?? "", reported)).status).toBe(204);
  await runNextTimer(ida);
  const all = ["push sent", "sms delivered", "voice skipped"];
  await vi.waitFor(async () => expect(await shown(id)).toEqual(all), soon);
  expect(twilio.taken).toHaveLength(1);
});

test("without any word the call follows the SMS", async () => {
  const { id } = await page();
  await runNextTimer(ida);
  await vi.waitFor(async () => expect(await shown(id)).toContain("sms sent"), soon);
  await runNextTimer(ida);
  await vi.waitFor(async () => expect(await shown(id)).toContain("voice sent"), soon);
  expect(twilio.taken.map(({ resource }) => resource)).toEqual(["Messages", "Calls"]);
});

test("a person without a browser gets the SMS at once", async () => {
  const otto = await makeRuled(account, "Otto", RULES);
  const made = await account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_account_user_ids: [otto.accountUserId],
  });
  await vi.waitFor(async () => expect(await shown(made.body.id)).toEqual(["sms sent"]), soon);
});

test("the preview says which steps depend on a delivery", async () => {
  const { body } = await account.api("POST", "/alerts/preview", {
    title: "Disk full",
    urgency: "high",
    destination_account_user_ids: [ida.accountUserId],
    at: "2031-03-01T09:00:00Z",
  });
  const shownPages = body.pages.map((it: Record<string, string>) => [
    `${it.channel} ${(Date.parse(it.at ?? "") - Date.parse("2031-03-01T09:00:00Z")) / 1_000}`,
    it.reason,
  ]);
  const condition = "only if no message before it was delivered";
  expect(shownPages).toEqual([
    ["push 0", null],
    ["sms 30", condition],
    ["voice 60", condition],
    ["voice 120", "the call is repeated once, if it is made"],
  ]);
});

describe("a confirmation", () => {
  const forged = async (purpose: string, id: string) => {
    const subject = { acc: account.accountId, rec: id, sub: ida.accountUserId };
    const url = await signedLink(
      env,
      "/callbacks/push/",
      { aud: purpose, ...subject },
      Date.now() + 60_000,
    );
    return url ?? "";
  };

  test("with another link's token, a changed or an expired one is refused", async () => {
    const { id, receipt } = await page();
    const [push] = await notificationsOf(id);
    const subject = { accountId: account.accountId, accountUserId: ida.accountUserId };
    const alertLink = await actionLink(
      env,
      { purpose: "alert", recordId: id, ...subject },
      Date.now(),
    );
    const expired = await signedLink(
      env,
      "/callbacks/push/",
      { aud: "push_receipt", acc: account.accountId, rec: push?.id, sub: ida.accountUserId },
      Date.now() - 60_000,
    );
    const urls = [
      `https://tocsin.test/callbacks/push/${alertLink?.split("/").at(-1)}`,
      `${receipt.slice(0, -3)}abc`,
      expired ?? "",
      await forged("alert", push?.id),
    ];
    for (const url of urls) expect((await confirm(url)).status).toBe(403);
    expect(await shown(id)).toEqual(["push sent"]);
  });

  test("is of one push only, and changes no other notification", async () => {
    const { id } = await page();
    await runNextTimer(ida);
    await vi.waitFor(async () => expect(await shown(id)).toContain("sms sent"), soon);
    const sms = (await notificationsOf(id)).find(({ channel }) => channel === "sms");
    expect((await confirm(await forged("push_receipt", sms?.id))).status).toBe(204);
    expect((await confirm(await forged("push_receipt", id))).status).toBe(204);
    expect(await shown(id)).toEqual(["push sent", "sms sent"]);
  });
});
