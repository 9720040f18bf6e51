// Authentication of inbound requests: the token in every place where senders can put it, and signatures.
import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { PreviousSecret } from "../../../src/domain/integrations/integration-configuration.ts";
import {
  isAuthentic as isAuthenticAt,
  isIntakeKey,
  type PresentedCredentials,
  type StoredCredentials,
} from "../../../src/products/authentication.ts";
import type { Authentication } from "../../../src/products/integration-type.ts";
import { integrationTypes } from "../../../src/products/registry.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const known = { tokenSha256: hash("s3cret"), secrets: {} };
const NOW = 1_772_357_400_000;
const isAuthentic = (
  stored: StoredCredentials,
  request: PresentedCredentials,
  how?: Authentication,
) => isAuthenticAt(stored, request, NOW, how);
const body = new TextEncoder().encode('{"a":1}');

const presented = (headers: Record<string, string> = {}, query = "", fields = {}) => ({
  url: new URL(`https://tocsin.example.org/integration/int_x${query}`),
  headers: new Headers(headers),
  body,
  fields: () => fields,
});

describe("the token", () => {
  const basic = (text: string) => `Basic ${btoa(text)}`;
  type Place = readonly [name: string, headers: Record<string, string>, query: string];
  const placesOf = (token: string): readonly Place[] => [
    ["the service-token header", { "service-token": token }, ""],
    ["the pagertree-token header", { "pagertree-token": token }, ""],
    ["Authorization with the Bearer scheme", { authorization: `Bearer ${token}` }, ""],
    ["Authorization with any scheme", { authorization: `GenieKey ${token}` }, ""],
    ["Authorization without a scheme", { authorization: token }, ""],
    ["the password of basic authentication", { authorization: basic(`tocsin:${token}`) }, ""],
    ["the user name of basic authentication", { authorization: basic(`${token}:`) }, ""],
    ["the query", {}, `?token=${token}`],
  ];
  test.each(placesOf("s3cret"))("is accepted in %s", (_name, headers, query) => {
    expect(isAuthentic(known, presented(headers, query))).toBe(true);
  });
  test.each(placesOf("s3cretx"))("is rejected in %s if it is wrong", (_name, headers, query) => {
    expect(isAuthentic(known, presented(headers, query))).toBe(false);
  });

  test("is required only if it is set", () => {
    expect(isAuthentic(known, presented())).toBe(false);
    expect(isAuthentic({ tokenSha256: null, secrets: {} }, presented())).toBe(true);
  });

  test("is accepted in a header or field of its type, and not in those of other types", () => {
    const own: Authentication = { tokenHeaders: ["cf-webhook-auth"], tokenField: "token" };
    expect(isAuthentic(known, presented({ "cf-webhook-auth": "s3cret" }), own)).toBe(true);
    expect(isAuthentic(known, presented({}, "", { token: "s3cret" }), own)).toBe(true);
    expect(isAuthentic(known, presented({ "cf-webhook-auth": "s3cret" }))).toBe(false);
    expect(isAuthentic(known, presented({}, "", { token: "s3cret" }))).toBe(false);
  });
});

describe("a bare id, which needs a proof,", () => {
  const isProven = (stored: StoredCredentials, headers: Record<string, string> = {}) =>
    isAuthenticAt(stored, presented(headers), NOW, how, true);
  const how: Authentication = {
    signature: { option: "secret", header: "x-signature", encoding: "hex" },
  };
  const open = { tokenSha256: null, secrets: {} };

  test("is proven by the token, where it may stand", () => {
    expect(isProven(known, { "service-token": "s3cret" })).toBe(true);
    expect(isProven(known, { authorization: `Basic ${btoa("x:s3cret")}` })).toBe(true);
    expect(isProven(known, { "service-token": "other" })).toBe(false);
  });

  test("is proven by the signature", () => {
    const signed = { ...open, secrets: { secret: "key" } };
    const hmac = createHmac("sha256", "key").update(body).digest("hex");
    expect(isProven(signed, { "x-signature": hmac })).toBe(true);
    expect(isProven(signed, { "x-signature": hmac.replace(/^./, "g") })).toBe(false);
    expect(isProven(signed)).toBe(false);
  });

  test("is not proven where neither is set, or was not before a rotation", () => {
    expect(isProven(open)).toBe(false);
    expect(isProven(open, { "service-token": "any", "x-signature": "any" })).toBe(false);
    const first = { ...known, previousToken: { sha256: null, until: NOW + 1 } };
    expect(isProven(first)).toBe(false);
    expect(isAuthenticAt(first, presented(), NOW, how)).toBe(true);
    expect(isProven(first, { "service-token": "s3cret" })).toBe(true);
  });
});

describe("after a rotation", () => {
  const previousToken = { sha256: hash("0ld"), until: NOW };
  const isAccepted = (
    token: string | null,
    now: number,
    previous: PreviousSecret = previousToken,
  ) => {
    const request = presented(token === null ? {} : { "service-token": token });
    return isAuthenticAt({ ...known, previousToken: previous }, request, now);
  };

  test("accepts the previous token until it expires, and the new one always", () => {
    expect(isAccepted("0ld", NOW - 1)).toBe(true);
    expect(isAccepted("0ld", NOW)).toBe(false);
    expect(isAccepted("s3cret", NOW - 1)).toBe(true);
    expect(isAccepted("s3cret", NOW)).toBe(true);
    expect(isAccepted("other", NOW - 1)).toBe(false);
    expect(isAccepted(null, NOW - 1)).toBe(false);
  });

  test("accepts requests without a token until then if none was required before", () => {
    const none = { sha256: null, until: NOW };
    expect(isAccepted(null, NOW - 1, none)).toBe(true);
    expect(isAccepted(null, NOW, none)).toBe(false);
  });

  test("accepts the previous intake key until it expires", () => {
    const [old, current] = ["ab".repeat(16), "cd".repeat(16)];
    const keys = { intakeKey: current, previousIntakeKey: { sha256: hash(old), until: NOW } };
    expect(isIntakeKey(old.toUpperCase(), keys, NOW - 1)).toBe(true);
    expect(isIntakeKey(old, keys, NOW)).toBe(false);
    expect(isIntakeKey(current.toUpperCase(), keys, NOW)).toBe(true);
    expect(isIntakeKey("ef".repeat(16), keys, NOW - 1)).toBe(false);
    expect(isIntakeKey(old, { intakeKey: current }, NOW - 1)).toBe(false);
  });
});

describe("signatures", () => {
  const signing = integrationTypes.filter((type) => type.authentication?.signature);
  test("use a secret option of their integration type", () => {
    expect(signing.length).toBeGreaterThan(4);
    for (const { options, authentication } of signing) {
      const option = options.find(({ key }) => key === authentication?.signature?.option);
      expect(option?.type).toBe("secret");
    }
  });

  test.each(signing.map((type) => [type.name, type] as const))(
    "are verified for %s",
    (_name, { authentication }) => {
      const signature = authentication?.signature;
      if (!signature) throw new Error("no signature");
      const { option, header, encoding, prefix = "", timestamp } = signature;
      const secrets = { [option]: "k3y" };
      const at = timestamp ? "1772357400" : "";
      const signed = createHmac("sha256", "k3y")
        .update(`${at}${timestamp?.join ?? ""}`)
        .update(body);
      const headers = {
        [header]: prefix + signed.digest(encoding),
        ...(timestamp && { [timestamp.headers.at(-1) ?? ""]: at }),
      };
      const stored = { tokenSha256: null, secrets };
      const isAccepted = (given: Record<string, string>) =>
        isAuthentic(stored, presented(given), authentication);
      expect(isAccepted(headers)).toBe(true);
      expect(isAccepted({})).toBe(false);
      expect(isAccepted({ ...headers, [header]: `${prefix}AAAA` })).toBe(false);
      for (const name of timestamp?.headers ?? []) {
        expect(isAccepted({ ...headers, [name]: "1772357401" })).toBe(false);
      }
      const tampered = { ...presented(headers), body: new TextEncoder().encode('{"a":2}') };
      expect(isAuthentic(stored, tampered, authentication)).toBe(false);
      expect(isAuthentic({ tokenSha256: null, secrets: {} }, presented(), authentication)).toBe(
        true,
      );
    },
  );

  test("may have a timestamp header of any name if the sender lets users choose it", () => {
    const signature = { option: "secret", header: "x-signature", encoding: "hex" } as const;
    const timestamp = { headers: ["x-timestamp"], join: ":", anyName: true };
    const hmac = createHmac("sha256", "k3y").update("1772357400:").update(body).digest("hex");
    const stored = { tokenSha256: null, secrets: { secret: "k3y" } };
    const isAccepted = (given: Record<string, string>, how: Authentication["signature"]) =>
      isAuthentic(stored, presented({ "x-signature": hmac, ...given }), { signature: how });
    const sent = { "content-length": "7", "x-sent-at": "1772357400" };
    expect(isAccepted(sent, { ...signature, timestamp })).toBe(true);
    expect(isAccepted({ ...sent, "x-timestamp": "1" }, { ...signature, timestamp })).toBe(false);
    expect(isAccepted({ "x-sent-at": "1772357401" }, { ...signature, timestamp })).toBe(false);
    expect(isAccepted({}, { ...signature, timestamp })).toBe(false);
    expect(isAccepted(sent, { ...signature, timestamp: { ...timestamp, anyName: false } })).toBe(
      false,
    );
  });
});
