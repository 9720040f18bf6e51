// Web Push encryption, checked with the example of RFC 8291 and with an independent decoder.
import { createECDH, randomBytes } from "node:crypto";
import fc from "fast-check";
import { decrypt } from "http_ece";
import { describe, expect, test } from "vitest";
import {
  arePushKeys,
  encryptPush,
  MAX_PUSH_BYTES,
} from "../../../src/features/people/push-subscriptions/push-encryption.ts";
import { sized } from "../../support/generated/sizes.ts";

/** The example of RFC 8291, section 5 and appendix A. */
const EXAMPLE = {
  text: "When I grow up, I want to be a watermelon",
  keys: {
    p256dh:
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
  privateKey: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

const bytes = (text: string) => Buffer.from(text, "base64url");

function receiver() {
  const privateKey = createECDH("prime256v1");
  privateKey.generateKeys();
  const authSecret = randomBytes(16).toString("base64url");
  const keys = { p256dh: privateKey.getPublicKey().toString("base64url"), auth: authSecret };
  const read = (body: Uint8Array) =>
    decrypt(Buffer.from(body), { version: "aes128gcm", privateKey, authSecret }).toString("utf8");
  return { keys, read };
}

describe("a pushed message", () => {
  test("equals the example byte for byte", () => {
    const chosen = { salt: bytes(EXAMPLE.salt), privateKey: bytes(EXAMPLE.privateKey) };
    const body = encryptPush(EXAMPLE.text, EXAMPLE.keys, chosen);
    expect(Buffer.from(body).toString("base64url")).toBe(EXAMPLE.body);
  });

  test("is decrypted by an independent decoder, only with its receiver's keys", () => {
    const { keys, read } = receiver();
    const stranger = receiver();
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 900 }), (text) => {
        const body = encryptPush(text, keys);
        expect(read(body)).toBe(text);
        expect(() => stranger.read(body)).toThrow();
      }),
      { numRuns: sized(30, 600) },
    );
  });

  test("is encrypted differently each time", () => {
    const { keys } = receiver();
    const [one, other] = [encryptPush("same", keys), encryptPush("same", keys)];
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(false);
  });

  test("has at most the 4096 bytes that push services accept", () => {
    const { keys, read } = receiver();
    const longest = "x".repeat(MAX_PUSH_BYTES);
    const body = encryptPush(longest, keys);
    expect(body.length).toBe(4096);
    expect(read(body)).toBe(longest);
    expect(() => encryptPush(`${longest}x`, keys)).toThrow("too long");
  });
});

describe("a browser's keys", () => {
  const { p256dh, auth } = EXAMPLE.keys;
  test.each([
    ["the example's", { p256dh, auth }, true],
    ["padded base64", { p256dh: `${p256dh}=`.replaceAll("_", "/"), auth: `${auth}==` }, true],
    ["not a point on the curve", { p256dh: `${p256dh.slice(0, -4)}AAAA`, auth }, false],
    ["a short point", { p256dh: p256dh.slice(0, -4), auth }, false],
    ["a private key", { p256dh: EXAMPLE.privateKey, auth }, false],
    ["a short secret", { p256dh, auth: auth.slice(0, -2) }, false],
    ["no base64 at all", { p256dh: "?", auth: "?" }, false],
  ])("%s", (_, keys, are) => {
    expect(arePushKeys(keys)).toBe(are);
  });
});
