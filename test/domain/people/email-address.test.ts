import { expect, test } from "vitest";
import { emailAddress } from "../../../src/features/people/users/parameters.ts";

test.each([
  ["Ada@Example.com", "ada@example.com"],
  [" mailto:ada@example.com ", "ada@example.com"],
  ["<ada@example.com>", "ada@example.com"],
  ["\u200bada@example.com\u2069", "ada@example.com"],
])("%j is the address %s", (text, address) => {
  expect(emailAddress.parse(text)).toBe(address);
});

test.each(["", "  ", "ada", "ada@example", "<ada>", "mailto:", "Ada <ada@example.com>", 5, null])(
  "%j is no address",
  (text) => {
    expect(emailAddress.safeParse(text).success).toBe(false);
  },
);
