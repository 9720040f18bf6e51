// Who a request is from: the token wherever senders can put it, and signatures as senders make them.
import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { PreviousSecret } from "../../../src/domain/integrations/integration-configuration.ts";
import {
  isAuthentic as isAuthenticAt,
  isIntakeKey,
  type PresentedCredentials,
  type StoredCredentials,
} from "../../../src/integrations/credentials/authentication.ts";
import type { Authentication } from "../../../src/integrations/integration-type.ts";
import { integrationTypes } from "../../../src/integrations/registry.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const known = { tokenSha256: hash("s3cret"), secrets: {} };
const NOW = 1_772_357_400_000;
const isAuthentic = (told: StoredCredentials, given: PresentedCredentials, how?: Authentication) =>
  isAuthenticAt(told, given, NOW, how);
const body = new TextEncoder().encode('{"a":1}');

const presented = (headers: Record<string, string> = {}, query = "", fields = {}) => ({
  url: new URL(`https://tocsin.example.org/integration/int_x${query}`),
  headers: new Headers(headers),
  body,
  fields: () => fields,
});

describe("the token", () => {
  const basic = (text: string) => `Basic ${btoa(text)}`;
  const places: [string, Record<string, string>, string][] = [
    ["service-token", { "service-token": "s3cret" }, ""],
    ["pagertree-token", { "pagertree-token": "s3cret" }, ""],
    ["a bearer", { authorization: "Bearer s3cret" }, ""],
    ["any scheme", { authorization: "GenieKey s3cret" }, ""],
    ["no scheme", { authorization: "s3cret" }, ""],
    ["basic auth, the password", { authorization: basic("tocsin:s3cret") }, ""],
    ["basic auth, the name", { authorization: basic("s3cret:") }, ""],
    ["the query", {}, "?token=s3cret"],
  ];
  test.each(places)("in %s", (_place, headers, query) => {
    expect(isAuthentic(known, presented(headers, query))).toBe(true);
    const wrong = Object.entries(headers).map(([name, value]) => [name, `${value}x`]);
    const other = presented(Object.fromEntries(wrong), query && `${query}x`);
    expect(isAuthentic(known, other)).toBe(headers.authorization?.startsWith("Basic") ?? false);
  });

  test("is asked for only if it is set", () => {
    expect(isAuthentic(known, presented())).toBe(false);
    expect(isAuthentic({ tokenSha256: null, secrets: {} }, presented())).toBe(true);
  });

  test("in a header or field of the type's own, and in no other type's", () => {
    const own: Authentication = { tokenHeaders: ["cf-webhook-auth"], tokenField: "token" };
    expect(isAuthentic(known, presented({ "cf-webhook-auth": "s3cret" }), own)).toBe(true);
    expect(isAuthentic(known, presented({}, "", { token: "s3cret" }), own)).toBe(true);
    expect(isAuthentic(known, presented({ "cf-webhook-auth": "s3cret" }))).toBe(false);
    expect(isAuthentic(known, presented({}, "", { token: "s3cret" }))).toBe(false);
  });
});

describe("after a rotation", () => {
  const previousToken = { sha256: hash("0ld"), until: NOW };
  const judge = (token: string | null, now: number, previous: PreviousSecret = previousToken) => {
    const given = presented(token === null ? {} : { "service-token": token });
    return isAuthenticAt({ ...known, previousToken: previous }, given, now);
  };

  test("the token before is accepted until its time, and the new one always", () => {
    expect(judge("0ld", NOW - 1)).toBe(true);
    expect(judge("0ld", NOW)).toBe(false);
    expect(judge("s3cret", NOW - 1)).toBe(true);
    expect(judge("s3cret", NOW)).toBe(true);
    expect(judge("other", NOW - 1)).toBe(false);
    expect(judge(null, NOW - 1)).toBe(false);
  });

  test("requests without a token are accepted for as long, where none was asked for before", () => {
    const none = { sha256: null, until: NOW };
    expect(judge(null, NOW - 1, none)).toBe(true);
    expect(judge(null, NOW, none)).toBe(false);
  });

  test("so is the intake key", () => {
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
  test("some types have one, each by a secret option of its own", () => {
    expect(signing.length).toBeGreaterThan(4);
    for (const { options, authentication } of signing) {
      const option = options.find(({ key }) => key === authentication?.signature?.option);
      expect(option?.type).toBe("secret");
    }
  });

  test.each(signing.map((type) => [type.name, type] as const))(
    "%s",
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
      const told = { tokenSha256: null, secrets };
      const judge = (given: Record<string, string>) =>
        isAuthentic(told, presented(given), authentication);
      expect(judge(headers)).toBe(true);
      expect(judge({})).toBe(false);
      expect(judge({ ...headers, [header]: `${prefix}AAAA` })).toBe(false);
      for (const name of timestamp?.headers ?? []) {
        expect(judge({ ...headers, [name]: "1772357401" })).toBe(false);
      }
      const tampered = { ...presented(headers), body: new TextEncoder().encode('{"a":2}') };
      expect(isAuthentic(told, tampered, authentication)).toBe(false);
      expect(isAuthentic({ tokenSha256: null, secrets: {} }, presented(), authentication)).toBe(
        true,
      );
    },
  );

  test("with a timestamp header of whatever name the user gave it, where the sender lets them", () => {
    const signature = { option: "secret", header: "x-signature", encoding: "hex" } as const;
    const timestamp = { headers: ["x-timestamp"], join: ":", anyName: true };
    const hmac = createHmac("sha256", "k3y").update("1772357400:").update(body).digest("hex");
    const told = { tokenSha256: null, secrets: { secret: "k3y" } };
    const judge = (given: Record<string, string>, how: Authentication["signature"]) =>
      isAuthentic(told, presented({ "x-signature": hmac, ...given }), { signature: how });
    const sent = { "content-length": "7", "x-sent-at": "1772357400" };
    expect(judge(sent, { ...signature, timestamp })).toBe(true);
    expect(judge({ ...sent, "x-timestamp": "1" }, { ...signature, timestamp })).toBe(false);
    expect(judge({ "x-sent-at": "1772357401" }, { ...signature, timestamp })).toBe(false);
    expect(judge({}, { ...signature, timestamp })).toBe(false);
    expect(judge(sent, { ...signature, timestamp: { ...timestamp, anyName: false } })).toBe(false);
  });
});
