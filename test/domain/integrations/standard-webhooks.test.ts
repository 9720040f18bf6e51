// Signatures of Standard Webhooks, compared with the library of the standard's own.
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { isSignedWebhook, signWebhook } from "../../../src/products/standard-webhooks.ts";

const SECRET = `whsec_${Buffer.from("only these tests know it").toString("base64")}`;
const SECONDS = Math.floor(Date.now() / 1000);
const NOW = SECONDS * 1000 + 999;
const sign = (secret = SECRET) => signWebhook(secret, "msg_1", SECONDS, "{}");

test("a signature is that of the library", () => {
  const key = fc.uint8Array({ minLength: 1, maxLength: 80 });
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(key, text, text, (bytes, id, body) => {
      const encoded = Buffer.from(bytes).toString("base64");
      for (const secret of [encoded, `whsec_${encoded}`]) {
        const theirs = new Webhook(secret).sign(id, new Date(NOW), body);
        expect(signWebhook(secret, id, SECONDS, body)).toBe(theirs);
      }
    }),
  );
});

test.each(["", "whsec_", "whsec_*", "not base64", "a===", "\u0000"])(
  "the secret %j is refused, and nothing is signed with it",
  (secret) => {
    expect(() => new Webhook(secret)).toThrow();
    expect(() => sign(secret)).toThrow();
    expect(isSignedWebhook(secret, headers({}), "{}", NOW)).toBe(false);
  },
);

const headers = (more: object) => ({
  id: "msg_1",
  timestamp: String(SECONDS),
  signature: sign(),
  ...more,
});

describe("a request", () => {
  test.each([
    ["as it was sent", {}, true],
    ["with other signatures beside", { signature: `v1,x v1a,y ${sign()}` }, true],
    ["300 s old", { at: NOW + 300_000 }, true],
    ["from 300 s ahead", { at: NOW - 300_000 }, true],
    ["301 s old", { at: NOW + 301_000 }, false],
    ["from 301 s ahead", { at: NOW - 301_000 }, false],
    ["of another id", { id: "msg_2" }, false],
    ["without an id", { id: "" }, false],
    ["of another time", { timestamp: String(SECONDS + 1) }, false],
    ["without a time", { timestamp: "" }, false],
    ["of a time that is none", { timestamp: `${SECONDS}s` }, false],
    ["without a signature", { signature: "" }, false],
    ["of another version", { signature: sign().replace("v1", "v2") }, false],
    ["with a part of the signature", { signature: sign().slice(0, -4) }, false],
    ["of another body", { body: "{} " }, false],
    ["by another key", { signature: sign(`whsec_${btoa("somebody else's")}`) }, false],
  ])("%s", (_, more, expected) => {
    const { at = NOW, body = "{}", ...sent } = more as { at?: number; body?: string };
    expect(isSignedWebhook(SECRET, headers(sent), body, at)).toBe(expected);
  });
});
