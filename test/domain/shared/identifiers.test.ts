import fc from "fast-check";
import { decodeTime } from "ulid";
import { describe, expect, test } from "vitest";
import {
  identifierOf,
  objectNameOf,
  parseIdentifier,
  prefixIdOf,
  randomHexOf,
} from "../../../src/domain/shared/identifiers.ts";

const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
const instants = fc.integer({ min: 0, max: 4_102_444_800_000 });

describe("identifiers", () => {
  test("encode ten zero bytes as sixteen zeros, and as fourteen As after the prefix", () => {
    const id = identifierOf(0, new Uint8Array(10));
    expect(id).toBe("00000000000000000000000000");
    expect(prefixIdOf("alert", id)).toBe("alt_AAAAAAAAAAAAAA");
  });

  test("encode ten 255 bytes as sixteen Zs, and in base64url after the prefix", () => {
    const id = identifierOf(0, new Uint8Array(10).fill(255));
    expect(id).toBe(`0000000000${"Z".repeat(16)}`);
    expect(prefixIdOf("team", id)).toBe("tem______________w");
  });

  test("have a time part that the ulid package reads", () => {
    fc.assert(
      fc.property(instants, bytes, (at, random) => {
        expect(decodeTime(identifierOf(at, random))).toBe(at);
      }),
    );
  });

  test("have the same object name and random bits in both forms", () => {
    fc.assert(
      fc.property(instants, bytes, (at, random) => {
        const id = identifierOf(at, random);
        const prefixId = prefixIdOf("integration", id);
        expect(prefixId.slice(4)).toBe(Buffer.from(random).toString("base64url"));
        const byId = parseIdentifier("integration", id);
        const byPrefix = parseIdentifier("integration", prefixId);
        expect(byId && objectNameOf("integration", byId)).toBe(prefixId);
        expect(byPrefix && objectNameOf("integration", byPrefix)).toBe(prefixId);
        const hex = Buffer.from(random).toString("hex");
        expect(byId && randomHexOf(byId)).toBe(hex);
        expect(byPrefix && randomHexOf(byPrefix)).toBe(hex);
      }),
    );
  });

  test.each([
    "",
    "x",
    "alt_",
    "tem_AAAAAAAAAAAAAA",
    "alt_AAAAAAAAAAAAAB",
    "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "0000000000000000000000000U",
  ])("%j is not an alert identifier", (text) => {
    expect(parseIdentifier("alert", text)).toBeNull();
  });
});
