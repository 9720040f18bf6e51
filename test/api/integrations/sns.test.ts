// AWS SNS: messages are accepted only if AWS signed them, from one topic, recent, and once each. A subscription is
// confirmed only at a host of SNS.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { CERTIFICATE, CERTIFICATE_URL, snsMessage, TOPIC } from "../../support/integrations/sns.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let path: string;
let fetched: string[];
beforeEach(async () => {
  account = await makeAccount();
  path = await make();
  fetched = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = String(input);
    fetched.push(url);
    return new Response(url === CERTIFICATE_URL ? CERTIFICATE : "<ConfirmSubscriptionResponse/>");
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function make(options: object = {}): Promise<string> {
  const { body, status, text } = await account.api("POST", "/integrations", {
    name: "CloudWatch",
    urgency: "high",
    integration_type_id: "aws_cloudwatch",
    account_user_ids: [account.accountUserId],
    ...options,
  });
  if (status !== 201) throw new Error(text);
  return new URL(body.url).pathname;
}

const alarm = (state: "ALARM" | "OK") =>
  JSON.stringify({ AlarmName: "db-cpu", NewStateValue: state, NewStateReason: "97 > 90" });
const send = (message: object, to = path) =>
  call("POST", to, {
    body: JSON.stringify(message),
    headers: { "content-type": "text/plain; charset=UTF-8" },
  });
const alerts = async () => (await account.api("GET", "/alerts")).body.data;

test.each(["1", "2"] as const)(
  "ALARM opens an alert and OK resolves it: signature version %s",
  async (version) => {
    expect((await send(snsMessage({ Message: alarm("ALARM") }, { version }))).status).toBe(200);
    const expected = { title: "db-cpu", thirdparty_id: `${TOPIC}:db-cpu`, status: "open" };
    await vi.waitFor(async () => expect(await alerts()).toMatchObject([expected]), soon);
    expect((await send(snsMessage({ Message: alarm("OK") }, { version }))).status).toBe(200);
    await vi.waitFor(
      async () => expect(await alerts()).toMatchObject([{ status: "resolved" }]),
      soon,
    );
  },
);

test("forged messages are rejected: key, text, certificate host, age, topic, no signature", async () => {
  const genuine = snsMessage({ Message: alarm("ALARM") });
  expect((await send(genuine)).status).toBe(200);
  const hosts = [
    "https://sns.eu-central-1.amazonaws.com.example.org/x.pem",
    "https://sns.x.s3.amazonaws.com/x.pem",
    "http://sns.eu-central-1.amazonaws.com/x.pem",
    "https://sns.eu-central-1.amazonaws.com:8443/x.pem",
    "https://sns.eu-central-1.amazonaws.com/x",
    "not a URL",
  ];
  const old = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const forgeries = [
    snsMessage({ Message: alarm("ALARM") }, { forged: true }),
    { ...snsMessage({ Message: alarm("ALARM") }), Message: alarm("OK") },
    ...hosts.map((SigningCertURL) => snsMessage({ Message: alarm("ALARM"), SigningCertURL })),
    snsMessage({ Message: alarm("ALARM"), Timestamp: old }),
    snsMessage({ Message: alarm("ALARM"), TopicArn: `${TOPIC}2` }),
    { ...genuine, Signature: "" },
    JSON.parse(alarm("ALARM")),
  ];
  for (const forgery of forgeries) expect((await send(forgery)).status).toBe(401);
  expect(new Set(fetched)).toEqual(new Set(fetched.length > 0 ? [CERTIFICATE_URL] : []));
  await vi.waitFor(async () => expect(await alerts()).toMatchObject([{ dedup_count: 0 }]), soon);
});

test("a replayed message is ignored", async () => {
  const message = snsMessage({ Message: alarm("ALARM") });
  await send(message);
  await send(snsMessage({ Message: alarm("OK") }));
  await vi.waitFor(
    async () => expect(await alerts()).toMatchObject([{ status: "resolved" }]),
    soon,
  );
  expect((await send(message)).status).toBe(200);
  await vi.waitFor(async () => {
    const { text } = await account.api("GET", "/logs");
    expect(text).toContain("taken before");
  }, soon);
  expect(await alerts()).toHaveLength(1);
});

test("a subscription is confirmed only at a host of SNS", async () => {
  const confirmation = (SubscribeURL: string) =>
    snsMessage({ Type: "SubscriptionConfirmation", Message: "m", Token: "t", SubscribeURL });
  const url = "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
  expect((await send(confirmation("https://example.org/?Action=ConfirmSubscription"))).status).toBe(
    401,
  );
  expect(fetched).not.toContain("https://example.org/?Action=ConfirmSubscription");
  expect((await send(confirmation(url))).status).toBe(200);
  expect(fetched).toContain(url);
  expect(await alerts()).toEqual([]);
});

test("an unsigned message is accepted with the integration's token", async () => {
  const open = await make({ option_token: "s3cret" });
  expect((await send(JSON.parse(alarm("ALARM")), open)).status).toBe(401);
  expect((await send(JSON.parse(alarm("ALARM")), `${open}?token=s3cret`)).status).toBe(200);
});
