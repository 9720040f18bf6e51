import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  networkOf,
  pausesByCount,
  retryDelayMs,
} from "../../../src/domain/access/sign-in-limits.ts";
import { sized } from "../../support/generated/sizes.ts";

describe("the network of an address", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["here", "here"],
    ["1:2", "1:2"],
    ["1::2::3", "1::2::3"],
  ])("%s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test("is the same for every spelling of every address of a /64, and another for the next", () => {
    const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, groups, ([a = 0, b = 0, c = 0, d = 0], [, , , , ...rest]) => {
        const whole = [a | 1, b, c, d, ...rest];
        const written = whole.map((it) => it.toString(16));
        const spelled = [
          written.join(":"),
          written
            .map((it) => it.padStart(4, "0"))
            .join(":")
            .toUpperCase(),
          [...written.slice(0, 4), "", "1"].join(":"),
        ];
        const networks = new Set(spelled.map(networkOf));
        expect(networks.size).toBe(1);
        const next = [...written.slice(0, 3), (d ^ 1).toString(16), ...written.slice(4)].join(":");
        expect(networks.has(networkOf(next))).toBe(false);
      }),
      { numRuns: sized(1_000, 100_000) },
    );
  });
});

describe("the wait before the next try", () => {
  test("is never longer than half a minute, whatever was attempted", () => {
    for (const pauses of Object.values(pausesByCount)) {
      expect(Math.max(...pauses)).toBeLessThan(28_000);
      expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
    }
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.nat(500),
        fc.nat(20),
        fc.nat(60_000),
        (mine, others, nth, ago) => {
          const now = 1_800_000_000_000;
          const wait = retryDelayMs({ mine, anybody: mine + others, latest: now - ago }, nth, now);
          expect(wait).toBeGreaterThan(0);
          expect(wait).toBeLessThan(28_000);
        },
      ),
      { numRuns: sized(1_000, 20_000) },
    );
  });
});
