// What each provider's answer to a probe proves: its credentials, its credit, or nothing. Answers are those
// that the providers document; a wrong "refused" would stop the heartbeat of a healthy deployment.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { proveProviders } from "../../../src/features/people/channels/configured-providers.ts";
import { connectionLost, neverAnswers, serveAt } from "../../support/providers/outbound.ts";
import { configure } from "../../support/providers/phone-stand-in.ts";

const HOSTS = {
  resend: "api.resend.com",
  mailgun: "mailgun.test",
  twilio: "twilio.test",
  vonage: "rest.nexmo.com",
  telnyx: "telnyx.test",
} as const;
type Name = keyof typeof HOSTS;
const NAMES = Object.keys(HOSTS) as readonly Name[];

beforeEach(() => {
  configure({
    ...{ RESEND_API_KEY: "re_1", MAILGUN_API_KEY: "key-1", MAILGUN_API: "https://mailgun.test" },
    ...{ VONAGE_API: "", VONAGE_API_KEY: "key", VONAGE_API_SECRET: "secret" },
    ...{ TELNYX_API: "https://telnyx.test", TELNYX_API_KEY: "KEY1" },
  } as Partial<Cloudflare.Env>);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const accepted = (credit: number | null) => ({ kind: "accepted", credit });
const refused = { kind: "refused" };
const unknown = { kind: "unknown" };
const unreachable = { kind: "unreachable" };

/** The answer to each path; to any path if there is one alone. */
type Answers = Readonly<Record<string, readonly [status: number, body: object]>>;

const RESTRICTED = { statusCode: 401, name: "restricted_api_key", message: "only sends" };
const INVALID = { statusCode: 400, name: "validation_error", message: "API key is invalid" };
const balance = (value: string) => ({ available_credit: value, balance: "0.00" });
const twilio = (status: string, left: string): Answers => ({
  [`/2010-04-01/Accounts/AC${"0".repeat(32)}.json`]: [200, { status }],
  [`/2010-04-01/Accounts/AC${"0".repeat(32)}/Balance.json`]: [200, { balance: left }],
});

const rows: readonly (readonly [Name, string, Answers, object])[] = [
  ["resend", "a key of full access", { "/domains": [200, { data: [] }] }, accepted(null)],
  ["resend", "a key that may only send", { "/domains": [401, RESTRICTED] }, accepted(null)],
  ["resend", "an unknown key", { "/domains": [400, INVALID] }, refused],
  ["resend", "a deleted key", { "/domains": [403, { name: "invalid_api_key" }] }, refused],
  [
    "mailgun",
    "a key, and a mail without a sender",
    { "/v3/example.com/messages": [400, { message: "'from' parameter is missing" }] },
    accepted(null),
  ],
  ["mailgun", "a wrong key", { "/v3/example.com/messages": [401, {}] }, refused],
  ["mailgun", "a disabled account", { "/v3/example.com/messages": [403, {}] }, refused],
  ["mailgun", "another account's domain", { "/v3/example.com/messages": [404, {}] }, refused],
  ["twilio", "an account with credit", twilio("active", "12.50"), accepted(12.5)],
  ["twilio", "an account without credit", twilio("active", "-0.02"), accepted(-0.02)],
  ["twilio", "a suspended account", twilio("suspended", "5.00"), refused],
  ["twilio", "a closed account", twilio("closed", "5.00"), refused],
  [
    "twilio",
    "a subaccount, which has no balance of its own",
    {
      ...twilio("active", ""),
      [`/2010-04-01/Accounts/AC${"0".repeat(32)}/Balance.json`]: [404, {}],
    },
    accepted(null),
  ],
  ["twilio", "a wrong token", { "": [401, { code: 20003 }] }, refused],
  ["twilio", "an answer of something else", { "": [404, {}] }, unknown],
  ["vonage", "credit", { "/account/get-balance": [200, { value: 3.14 }] }, accepted(3.14)],
  ["vonage", "no credit", { "/account/get-balance": [200, { value: 0 }] }, accepted(0)],
  [
    "vonage",
    "credit that is refilled",
    { "/account/get-balance": [200, { value: 0, autoReload: true }] },
    accepted(null),
  ],
  ["vonage", "a wrong secret", { "/account/get-balance": [401, {}] }, refused],
  ["vonage", "an account that may not ask", { "/account/get-balance": [403, {}] }, unknown],
  ["telnyx", "credit", { "/v2/balance": [200, { data: balance("300.00") }] }, accepted(300)],
  ["telnyx", "no credit", { "/v2/balance": [200, { data: balance("0.00") }] }, accepted(0)],
  ["telnyx", "a wrong key", { "/v2/balance": [401, {}] }, refused],
  ["telnyx", "a key that may not read the balance", { "/v2/balance": [403, {}] }, unknown],
];

const prove = async (name: Name) => (await proveProviders(env, [name])).get(name);

test.each(rows)("%s: %s", async (name, _, answers, expected) => {
  const asked: string[] = [];
  serveAt(HOSTS[name], ({ url, headers }) => {
    asked.push(headers.get("authorization") ?? "");
    const [status, body] = answers[url.pathname] ?? answers[""] ?? [500, {}];
    return Response.json(body, { status });
  });
  expect(await prove(name)).toEqual(expected);
  expect(asked).not.toEqual([]);
  for (const authorization of asked) expect(authorization).toMatch(/^(?:Bearer|Basic) ./);
});

/** What no answer proves; Vonage's balance is on another host than its messages. */
const silent = (name: Name) => (name === "vonage" ? unknown : unreachable);

test.each(NAMES)("%s: an outage is no refusal", async (name) => {
  for (const status of [408, 429, 500, 502, 503]) {
    serveAt(HOSTS[name], () => new Response("<html>", { status }));
    expect(await prove(name)).toEqual(silent(name));
  }
  serveAt(HOSTS[name], connectionLost);
  expect(await prove(name)).toEqual(silent(name));
  serveAt(HOSTS[name], neverAnswers);
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
  expect(await prove(name)).toEqual(silent(name));
});

test("Cloudflare's binding, and a name of nobody, have nothing to prove", async () => {
  expect([...(await proveProviders(env, ["binding", "slack", "nobody"]))]).toEqual([]);
});
