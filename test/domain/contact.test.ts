// On which channel a person is reached: nobody is silently unreachable.
import { describe, expect, test } from "vitest";
import { type Channel, planContacts, type Reachable } from "../../src/domain/contact.ts";

const ann: Reachable = {
  accountUserId: "ann",
  name: "Ann",
  active: true,
  emails: ["ann@example.com", "ann.old@example.com"],
};

const rows: readonly [string, Reachable | null, readonly Channel[], string][] = [
  ["the first address is the one", ann, ["email"], "email ann@example.com"],
  ["an address goes before the log", ann, ["email", "log"], "email ann@example.com"],
  ["no address: the log, where there is one", { ...ann, emails: [] }, ["email", "log"], "log Ann"],
  ["e-mail not set up: the log", ann, ["log"], "log Ann"],
  ["no address at all", { ...ann, emails: [] }, ["email"], "has no usable address"],
  ["no channel at all", ann, [], "has an address, but its channel is not set up"],
  ["nobody there", null, ["email", "log"], "is no longer in the account"],
  [
    "a membership that is not active",
    { ...ann, active: false },
    ["email", "log"],
    "is no longer in the account",
  ],
];

describe("contacts of a person", () => {
  test.each(rows)("%s", (_, person, channels, expected) => {
    const plan = planContacts(person, new Set(channels));
    const told =
      plan.kind === "unreachable"
        ? plan.reason
        : plan.contacts.map(({ channel, to }) => `${channel} ${to}`).join(", ");
    expect(told).toBe(expected);
  });
});
