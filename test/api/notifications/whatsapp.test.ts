// WhatsApp by Twilio from end to end: an address is proven, an alert is sent by the approved template,
// and a message that is not delivered leads to the next channel.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { configuredProviders } from "../../../src/features/people/channels/configured-providers.ts";
import { counted } from "../../../src/kernel/metrics/counted.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";
import { freshNumber } from "../../support/people/phones.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { configure } from "../../support/providers/phone-stand-in.ts";
import { callBack, openTwilio, type Twilio, twilioError } from "../../support/providers/twilio.ts";
import { soon } from "../../support/worker/faults.ts";

const FROM = "+14155238886";
const TEMPLATE = "HXb5b62575e6e4ff6129ad7c8efe1f983e";

let account: Account;
let twilio: Twilio;

beforeAll(async () => {
  account = await makeAccount();
});
beforeEach(() => {
  openMailbox();
  twilio = openTwilio();
  configure({ WHATSAPP_FROM: FROM, WHATSAPP_CONTENT_SID: TEMPLATE });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const variablesOf = (form: Readonly<Record<string, string>> | undefined) =>
  JSON.parse(form?.ContentVariables ?? "{}") as Record<string, string>;

/** A person with a confirmed number on WhatsApp and no other channel but e-mail. */
async function makeOwner(): Promise<Colleague & { readonly number: string }> {
  const person = await addColleague(account, "Wanda Whatsapp");
  const number = freshNumber();
  const made = await person.api("POST", "/channel_addresses", {
    channel: "whatsapp",
    settings: { number },
  });
  expect(made.status, made.text).toBe(201);
  const path = `/channel_addresses/${made.body.id}`;
  const sent = await person.api("POST", `${path}/send_code`);
  expect(sent.body.sent, sent.text).toBe(true);
  const code = /^\d{6}/.exec(variablesOf(twilio.taken.at(-1)?.form)[1] ?? "")?.[0];
  const confirmed = await person.api("POST", `${path}/confirm`, { code });
  expect(confirmed.body.confirmed_at, confirmed.text).not.toBeNull();
  await person.api("PUT", `/users/${person.userId}`, { notify_email: false, notify_push: false });
  twilio.taken.length = 0;
  return { ...person, number };
}

async function alertFor({ id }: Colleague, title = "Disk full"): Promise<string> {
  const { body, status, text } = await account.api("POST", "/alerts", {
    ...{ title, urgency: "high", destination_account_user_ids: [id] },
  });
  expect(status, text).toBe(201);
  return body.id;
}

async function shownOf(alertId: string) {
  const { body } = await account.api("GET", `/alerts/${alertId}/notifications`);
  return body.data.map(({ channel, status, reason }: Record<string, string>) => ({
    ...{ channel, status, reason },
  }));
}

const untilShown = (alertId: string, expected: readonly object[]) =>
  vi.waitFor(async () => expect(await shownOf(alertId)).toMatchObject(expected), soon);

test("an alert is sent by the template, with a link, and its delivery is recorded", async () => {
  const wanda = await makeOwner();
  const id = await alertFor(wanda, "Disk\nfull   at once");
  await untilShown(id, [{ channel: "whatsapp", status: "sent" }]);
  const [taken] = twilio.taken;
  expect(taken?.form).toMatchObject({
    ...{ From: `whatsapp:${FROM}`, To: `whatsapp:${wanda.number}`, ContentSid: TEMPLATE },
  });
  const variables = variablesOf(taken?.form);
  expect(variables[1]).toBe("Disk full at once");
  expect(variables[2]).toMatch(/^https:\/\/tocsin\.test\/a\/[\w.-]+$/);
  const delivered = { MessageSid: taken?.sid ?? "", MessageStatus: "delivered" };
  const count = vi.spyOn(counted, "count");
  expect((await callBack(taken?.form.StatusCallback ?? "", delivered)).status).toBe(204);
  await untilShown(id, [{ channel: "whatsapp", status: "delivered" }]);
  const labels = { channel: "whatsapp", provider: "whatsapp", outcome: "delivered" };
  expect(count).toHaveBeenCalledWith("tocsin_delivery_reports_total", labels);
  const path = new URL(variables[2] ?? "").pathname;
  expect((await call("GET", path)).text).toContain("You respond as Wanda Whatsapp.");
});

test("deliveries are expected to be reported only where there are links", () => {
  const reporting = () =>
    configuredProviders(env).find((it) => it.channel === "whatsapp")?.reporting;
  expect(reporting()).toEqual(["whatsapp"]);
  configure({ LINK_SECRET: "" });
  expect(reporting()).toEqual([]);
});

test("a message that is not delivered leads to the next channel", async () => {
  const wanda = await makeOwner();
  const id = await alertFor(wanda);
  await untilShown(id, [{ channel: "whatsapp", status: "sent" }]);
  const [taken] = twilio.taken;
  const failed = { MessageSid: taken?.sid ?? "", MessageStatus: "undelivered", ErrorCode: "63024" };
  await callBack(taken?.form.StatusCallback ?? "", failed);
  await vi.waitFor(async () => {
    const shown = await shownOf(id);
    expect(shown).toContainEqual({
      ...{ channel: "whatsapp", status: "failed" },
      reason: "Twilio: 63024, the number is not on WhatsApp",
    });
    expect(shown).toContainEqual({ channel: "email", status: "sent", reason: null });
  }, soon);
});

test("a refusal fails at once, in Twilio's words, and the address shows it", async () => {
  const wanda = await makeOwner();
  twilio.refusal = twilioError(400, 63007);
  const id = await alertFor(wanda);
  const words = "Twilio: 63007, the sender's number is not on WhatsApp";
  const reason = `WhatsApp by Twilio answered 400: ${words}`;
  await vi.waitFor(async () => {
    expect(await shownOf(id)).toContainEqual({ channel: "whatsapp", status: "failed", reason });
  }, soon);
  const [address] = (await wanda.api("GET", "/channel_addresses")).body.data;
  expect(address).toMatchObject({ failure: reason });
  expect(JSON.stringify(address.failure)).not.toContain(wanda.number);
});

test("numbers are validated, and without a template there is no WhatsApp", async () => {
  const refused = await account.api("POST", "/channel_addresses", {
    ...{ channel: "whatsapp", settings: { number: "0170 1234567" } },
  });
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toMatchObject([{ field: "settings.number" }]);
  vi.restoreAllMocks();
  expect(env.WHATSAPP_CONTENT_SID).toBe("");
  const none = await account.api("POST", "/channel_addresses", {
    ...{ channel: "whatsapp", settings: { number: "+14155550123" } },
  });
  expect(none.status).toBe(409);
});
