import { describe, expect, it } from "vitest";
import { addressGroup } from "../../../src/domain/access/address-group.ts";

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
    ["1:2:3", "1:2:3"],
    ["1::2::3", "1::2::3"],
    ["not an address", "not an address"],
    ["", "unknown"],
    [null, "unknown"],
    [undefined, "unknown"],
  ])("counts %j as %j", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
