import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InboundRequest } from "../../../src/products/integration-type.ts";
import { jsonByteLength } from "../../../src/products/reading/bounded-json.ts";
import {
  isSecretName,
  loggedRequest,
  MAX_LOGGED_BYTES,
} from "../../../src/products/reading/redact.ts";
import { sized } from "../../support/generated/sizes.ts";

const SECRET = "hunter2-b4dc0ffee";

function logged(parts: Partial<InboundRequest>): Record<string, unknown> {
  const request = { method: "POST", url: "/integration/int_x", headers: {}, query: {}, body: null };
  return loggedRequest({ ...request, text: "", ...parts }, "192.0.2.1");
}

describe("secret names", () => {
  const secret =
    "authorization Cookie service-token pagertree-token x-api-key apiKey api_key Token access_token " +
    "client_secret PASSWORD passwd db_password basic_auth_pass pwd sentry-hook-signature " +
    "x-hub-signature-256 credentials cf-webhook-auth proxy-authorization routing_key service_key " +
    "intake_key private-key passphrase Authorisation pushToken set-cookie " +
    "jwt session dsn pem Cf-Access-Jwt-Assertion x-jwt id_jwt idJwt session_id sessionId PHPSESSID JSESSIONID " +
    "sentry_dsn sentryDsn DSN client_pem clientPem pem_file SAMLResponse connection_string connectionString " +
    "sig sid otp csrf x-csrf x-goog-iap-jwt-assertion client_assertion account_key ssh_key client_key";
  test.each(secret.split(" "))("%s", (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  const notSecret =
    "id incident_key dedup_key groupKey author title compare passing path x-forwarded-for " +
    "authMethod basic_auth_user key monkey host temperament design signal side sigma inside resident " +
    "dsnip assign";
  test.each(notSecret.split(" "))("not %s", (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe("a logged request", () => {
  test("contains the request and its origin", () => {
    const body = { event_type: "create", Id: 7, Tags: ["a"], none: null, yes: true };
    const query = { a: ["1", "2"] };
    const headers = { "content-type": "application/json" };
    expect(logged({ url: "/integration/int_x?a=1&a=2", headers, query, body })).toEqual({
      url: "/integration/int_x?a=1&a=2",
      method: "POST",
      headers,
      params: query,
      body,
      remote_ip: "192.0.2.1",
    });
  });

  const places: [string, Partial<InboundRequest>][] = [
    ["a header", { headers: { authorization: `Bearer ${SECRET}`, "service-token": SECRET } }],
    ["the query", { url: `/i?a=1&api_key=${SECRET}`, query: { a: "1", api_key: SECRET } }],
    [
      "the query, with an encoded name",
      { url: `/i?%61pi_key=${SECRET}`, query: { api_key: SECRET } },
    ],
    ["a URL in the query", { url: `/i?u=https%3A%2F%2Fme%3A${SECRET}%40h`, query: {} }],
    ["the body", { body: { token: SECRET } }],
    ["deep in the body", { body: [{ a: [{ Client_Secret: { value: [SECRET] } }] }] }],
    ["a list with a secret name", { query: { token: [SECRET, SECRET] } }],
    ["a URL's credentials", { body: { url: `see https://me:${SECRET}@db.example.org/x` } }],
    ["a URL's password with an @", { body: { url: `postgres://me:a@${SECRET}@db/x` } }],
    ["a URL's parameter", { body: { url: `https://example.org/?x=1&token=${SECRET}&y=2` } }],
    ["a header's URL", { headers: { referer: `https://example.org/?token=${SECRET}` } }],
    ["JSON in a text", { body: { Message: JSON.stringify({ a: [{ password: SECRET }] }) } }],
    [
      "JSON in JSON in a text",
      {
        body: { a: JSON.stringify({ b: JSON.stringify({ token: SECRET }) }) },
      },
    ],
    ["a header of Cloudflare Access", { headers: { "cf-access-jwt-assertion": SECRET } }],
    ["a session in the query", { url: `/i?session=${SECRET}`, query: { session: SECRET } }],
    ["a DSN in the body", { body: { config: { sentry_dsn: SECRET } } }],
    [
      "a JSON Web Token in a text",
      { body: { note: `see eyJhbGciOiJIUzI1NiJ9.${SECRET}.c2ln now` } },
    ],
    ["a JSON Web Token in plain text", { text: `got eyJhbGciOiJIUzI1NiJ9.${SECRET}.c2ln` }],
    [
      "a private key in a text",
      {
        body: { note: `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}\n-----END RSA PRIVATE KEY-----` },
      },
    ],
    ["a truncated private key", { text: `-----BEGIN PRIVATE KEY-----\n${SECRET}` }],
    ["plain text, as an assignment", { text: `session: ${SECRET}\njwt=${SECRET}` }],
    ["broken JSON", { text: `{"a":1,"token": "${SECRET}", "b` }],
    ["broken JSON, truncated in the secret", { text: `{"a":1,"token":"${SECRET}` }],
    ["plain text", { text: `Authorization: Bearer ${SECRET}\nurl=https://me:${SECRET}@h` }],
    ["an unparsed form", { text: `a=1&token=${SECRET}&b=2` }],
    [
      "multipart form data",
      {
        headers: { "content-type": "multipart/form-data; boundary=x" },
        text: `--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n${SECRET}\r\n--x--`,
      },
    ],
    ["JSON too deep to read", { text: `${"[".repeat(70)}"${SECRET}"${"]".repeat(70)}` }],
  ];
  test.each(places)("hides a secret in %s", (_name, parts) => {
    expect(JSON.stringify(logged(parts))).not.toContain(SECRET);
  });

  test("hides only the secret", () => {
    const url = `https://me:${SECRET}@example.org/?x=1&token=${SECRET}&y=2#z`;
    const message = JSON.stringify({ a: 1, token: SECRET });
    expect(logged({ url: "/i?token=x&a=b", body: { url, message, token: null } })).toMatchObject({
      url: "/i?token=***&a=b",
      body: {
        url: "https://***@example.org/?x=1&token=***&y=2#z",
        message: '{"a":1,"token":"***"}',
        token: null,
      },
    });
  });

  test("leaves a text without a secret unchanged", () => {
    const body = { Message: '{ "n" : 12345678901234567890 }', mail: "me@example.org" };
    expect(logged({ body }).body).toEqual(body);
  });

  test("keeps the text only of a body that could not be parsed", () => {
    expect(logged({ text: "3 disks full" }).body).toBe("3 disks full");
    expect(logged({ text: '{"a":1}', body: { a: 1 } }).body).toEqual({ a: 1 });
    expect(logged({ text: "null" }).body).toBeNull();
    expect(logged({ text: "" }).body).toBeNull();
  });
});

describe("the size of a logged request", () => {
  test("cuts and marks one long text and keeps everything else", () => {
    const body = { a: "x".repeat(1_000_000), b: "kept", c: { d: "kept" } };
    const log = logged({ body });
    expect(log.body).toMatchObject({ b: "kept", c: { d: "kept" } });
    expect((log.body as { a: string }).a).toMatch(/^x+… \[cut: 1000000 characters\]$/);
    expect((log.body as { a: string }).a.length).toBeGreaterThan(60_000);
  });

  const letters = ["x", "é", "🔥", "\u0001", '"'];
  const large: [string, unknown][] = [
    ["a list of numbers", Array.from({ length: 400_000 }, (_, index) => index)],
    ["a list of texts", Array.from({ length: 2_000 }, () => "x".repeat(500))],
    ["many keys", Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`k${i}`, i]))],
    ["many empty lists", Array.from({ length: 300_000 }, () => [])],
    ["a long key", { ["k".repeat(1_000_000)]: 1 }],
    [
      "branches",
      Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => [{ a: [1] }])),
    ],
    ...letters.map((letter): [string, unknown] => [`a text of ${letter}`, letter.repeat(500_000)]),
  ];
  test.each(large)("is limited for %s", (_name, body) => {
    const log = logged({ body, headers: { "user-agent": "kept" } });
    expect(jsonByteLength(log)).toBeLessThanOrEqual(MAX_LOGGED_BYTES);
    expect(jsonByteLength(log)).toBeGreaterThan(200);
    expect(log).toMatchObject({ method: "POST", headers: { "user-agent": "kept" } });
  });

  test("includes the number of list items left out", () => {
    const { body } = logged({ body: Array.from({ length: 400_000 }, () => 1) });
    const items = body as unknown[];
    expect(items.at(-1)).toBe(`${400_000 - items.length + 1} more left out`);
  });
});

test("never throws for any request", () => {
  const texts = fc.oneof(fc.json(), fc.string(), fc.webUrl());
  fc.assert(
    fc.property(fc.jsonValue(), texts, fc.dictionary(fc.string(), texts), (body, text, headers) => {
      const log = logged({ body, text, headers, url: `/i?${text}` });
      expect(Object.keys(log)).toHaveLength(6);
    }),
    { numRuns: sized(100, 10_000) },
  );
});
