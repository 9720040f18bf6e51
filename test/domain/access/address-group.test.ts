import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressGroup } from "../../../src/domain/access/address-group.ts";
import { sized } from "../../support/generated/sizes.ts";

describe("addressGroup", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    [" 192.0.2.1 ", "192.0.2.1"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:DB8:0000:0000:ffff:1:2:3", "2001:db8:0:0::/64"],
    ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["::", "0:0:0:0::/64"],
    ["1:2:3", "1:2:3"],
    ["1::2::3", "1::2::3"],
    ["not an address", "not an address"],
    ["", "unknown"],
    [null, "unknown"],
    [undefined, "unknown"],
  ])("counts %j as %j", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  it("is the same for every spelling of every address of a /64, and different for the next /64", () => {
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
        const networks = new Set(spelled.map(addressGroup));
        expect(networks.size).toBe(1);
        const next = [...written.slice(0, 3), (d ^ 1).toString(16), ...written.slice(4)].join(":");
        expect(networks.has(addressGroup(next))).toBe(false);
      }),
      { numRuns: sized(1_000, 100_000) },
    );
  });
});
