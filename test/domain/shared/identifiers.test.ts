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
  test("ten zero bytes are sixteen zeros, and fourteen As after the prefix", () => {
    const id = identifierOf(0, new Uint8Array(10));
    expect(id).toBe("00000000000000000000000000");
    expect(prefixIdOf("alert", id)).toBe("alt_AAAAAAAAAAAAAA");
  });

  test("ten full bytes are sixteen Zs, and base64url of ten full bytes", () => {
    const id = identifierOf(0, new Uint8Array(10).fill(255));
    expect(id).toBe(`0000000000${"Z".repeat(16)}`);
    expect(prefixIdOf("team", id)).toBe("tem______________w");
  });

  test("the time part is what the ulid package reads", () => {
    fc.assert(
      fc.property(instants, bytes, (at, random) => {
        expect(decodeTime(identifierOf(at, random))).toBe(at);
      }),
    );
  });

  test("both forms yield the same object name and the same random bits", () => {
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
  ])("%j is no alert's identifier", (text) => {
    expect(parseIdentifier("alert", text)).toBeNull();
  });
});
