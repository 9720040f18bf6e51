// The credentials that a deployment issues: each is recognized, and nothing else.
import { describe, expect, test } from "vitest";
import { identifierOf, prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import {
  addressOf,
  checkApiKey,
  checkSecret,
  inboxOfAddress,
  inboxOfKey,
  MAX_ADDRESS_VERSION,
  newApiKey,
  newIntakeKey,
  newSecret,
} from "../../../src/kernel/credentials.ts";
import { randomGenerator, sized } from "../../support/generated/sizes.ts";

const SECRET = "only the tests sign with this";
const OTHER = "another deployment's";
const random = randomGenerator();
const COUNT = sized(20, 500);

const newIntegration = () => {
  const bytes = Uint8Array.from({ length: 10 }, () => Math.floor(random() * 256));
  const id = identifierOf(Date.UTC(2026, 0, 1), bytes);
  return { id, prefixId: prefixIdOf("integration", id) };
};

/** Every text that differs in one character, and some of another length. */
function mutationsOf(text: string, alphabet: string): readonly string[] {
  const changed = [...text].map((character, at) => {
    const others = [...alphabet].filter((it) => it !== character);
    const other = others[Math.floor(random() * others.length)] ?? "";
    return text.slice(0, at) + other + text.slice(at + 1);
  });
  return [...changed, text.slice(1), text.slice(0, -1), `${text}A`, `A${text}`, ""];
}

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

describe.each(["api_key", "session", "feed"] as const)("a secret of the kind %s", (kind) => {
  test("is issued, and no other text is", () => {
    for (let i = 0; i < COUNT; i += 1) {
      const secret = newSecret(SECRET, kind);
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(checkSecret(SECRET, kind, secret)).toBe("issued");
      expect(checkSecret(OTHER, kind, secret)).toBe("wrong");
      for (const changed of mutationsOf(secret, BASE64URL)) {
        expect(checkSecret(SECRET, kind, changed)).not.toBe("issued");
      }
      for (const other of ["api_key", "session", "feed"] as const) {
        const expected = other === kind ? "issued" : "wrong";
        expect(checkSecret(SECRET, other, secret)).toBe(expected);
      }
    }
  });

  test("without a deployment's secret is known by a look-up only", () => {
    const secret = newSecret(undefined, kind);
    expect(secret).toMatch(/^0[\w-]{42}$/);
    expect(checkSecret(undefined, kind, secret)).toBe("unproven");
    // `npm run setup` makes API keys so.
    const expected = kind === "api_key" ? "unproven" : "wrong";
    expect(checkSecret(SECRET, kind, secret)).toBe(expected);
  });
});

test("an API key begins with a prefix by which it is found in texts", () => {
  const { key } = newApiKey(SECRET);
  expect(key).toMatch(/^tocsin_[\w-]{43}$/);
  expect(checkApiKey(SECRET, key)).toBe("issued");
  expect(checkApiKey(SECRET, key.slice("tocsin_".length))).toBe("wrong");
  expect(checkApiKey(SECRET, "tocsin_x")).toBe("wrong");
});

test("an intake key names its inbox, in any case, and no other text does", () => {
  for (let i = 0; i < COUNT; i += 1) {
    const { id, prefixId } = newIntegration();
    const key = newIntakeKey(SECRET, id);
    expect(key).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
    const named = { name: prefixId, provenance: "issued" };
    expect(inboxOfKey(SECRET, key)).toEqual(named);
    expect(inboxOfKey(SECRET, key.toUpperCase())).toEqual(named);
    expect(inboxOfKey(OTHER, key)).toBeNull();
    expect(inboxOfKey(undefined, key)).toEqual({ name: prefixId, provenance: "unproven" });
    for (const changed of mutationsOf(key, DIGITS)) {
      expect(inboxOfKey(SECRET, changed)).toBeNull();
    }
    expect(newIntakeKey(SECRET, id)).not.toBe(key);
  }
});

test("an address names its inbox and its version, and no other text does", () => {
  for (const version of [1, 2, 63, 64, 4_095, 4_096, MAX_ADDRESS_VERSION]) {
    const { id, prefixId } = newIntegration();
    const address = addressOf(SECRET, prefixId, version);
    expect(address).toMatch(/^[\w-]{41}$/);
    expect(address).not.toContain(id);
    expect(inboxOfAddress(SECRET, address)).toEqual({ name: prefixId, version });
    expect(inboxOfAddress(OTHER, address)).toBeNull();
    expect(inboxOfAddress(undefined, address)).toBeNull();
    for (const changed of mutationsOf(address, BASE64URL)) {
      expect(inboxOfAddress(SECRET, changed)).toBeNull();
    }
    for (const known of [id, prefixId]) expect(inboxOfAddress(SECRET, known)).toBeNull();
  }
});

test("without a deployment's secret the address is the id", () => {
  const { prefixId } = newIntegration();
  expect(addressOf(undefined, prefixId, 1)).toBe(prefixId);
});
