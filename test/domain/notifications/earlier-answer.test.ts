// What is said to whoever answers an alert a second time: a confirmation to whoever gave the same answer
// before, and to anybody else who was first and when.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Command, CommandAuthor, Outcome } from "../../../src/domain/alerts/commands.ts";
import { explainAnswer } from "../../../src/domain/alerts/earlier-answer.ts";
import type { Refusal } from "../../../src/domain/shared/refusal.ts";
import { formatInstant, withLocalTimes } from "../../../src/domain/shared/time.ts";
import { sized } from "../../support/generated/sizes.ts";
import { by, type History, MINUTE, made, SENDER, T0, team } from "../alerts/alert-makers.ts";

const TEAMS = [
  team("t", ["ann bob", "cid"], { repeat: 1 }),
  team("u", ["dan", "ann"], { members: ["dan", "zoe"] }),
];

const TYPES = ["acknowledge", "reject", "resolve"] as const;
type Type = (typeof TYPES)[number];

const VERBS = { acknowledge: "Acknowledged", reject: "Passed on", resolve: "Resolved" } as const;

const answer = (type: Type, author: CommandAuthor & { accountUserId: string }): Command => ({
  type,
  by: author,
});

/** The refusal as people are told of it; null if the command was not refused. */
function told(it: History, command: Command, outcome: Outcome): Refusal | null {
  if (outcome.kind !== "refused" || !("by" in command)) return null;
  return explainAnswer(outcome.refusal, command, it.alert, it.log);
}

function give(it: History, type: Type, person: string, minute: number): Refusal | null {
  const command = answer(type, by(person));
  return told(it, command, it.do(command, minute));
}

const at = (minute: number) => formatInstant(T0 + minute * MINUTE);

test.each(TYPES)("the same answer again (%s) is confirmed with its time", (type) => {
  const it = made(TEAMS);
  expect(give(it, type, "ann", 1)).toBeNull();
  const again = give(it, type, "ann", 2);
  expect(again).toMatchObject({
    reason: "conflict",
    done: `${VERBS[type]}, already by you at ${at(1)}`,
  });
  expect(again?.errors[0]?.message).toMatch(/^the alert is \w+/);
  expect(again?.errors[0]?.message).toContain(`${VERBS[type]} by ANN`);
  expect(again?.errors[0]?.message.endsWith(` at ${at(1)}`)).toBe(true);
  expect(it.log.filter(({ message }) => message.startsWith(VERBS[type]))).toHaveLength(1);
});

test.each([
  ["acknowledge", "bob"],
  ["resolve", "zoe"],
] as const)("another person's same answer (%s) is told who was first and when", (type, other) => {
  const it = made([team("t", ["ann bob"])]);
  give(it, type, "ann", 1);
  const late = give(it, type, other, 2);
  expect(late?.done).toBeUndefined();
  expect(late?.errors[0]?.message).toMatch(/^the alert is (acknowledged|resolved); only an/);
  expect(late?.errors[0]?.message).toMatch(
    new RegExp(`\\. ${VERBS[type]} by ANN.* at ${at(1).replaceAll(".", "\\.")}$`),
  );
});

test("an answer that another step has taken back is not confirmed", () => {
  const it = made([team("t", ["ann bob"])]);
  give(it, "acknowledge", "ann", 1);
  it.do({ type: "undo", areOthersNotified: true, by: by("ann") }, 1);
  give(it, "acknowledge", "bob", 2);
  expect(give(it, "acknowledge", "ann", 3)?.errors[0]?.message).toContain("Acknowledged by BOB");
  expect(give(it, "acknowledge", "ann", 3)?.done).toBeUndefined();
  give(it, "resolve", "bob", 4);
  expect(give(it, "acknowledge", "bob", 5)?.done).toBeUndefined();
  expect(give(it, "acknowledge", "bob", 5)?.errors[0]?.message).toContain("Resolved by BOB");
});

test("a namesake's answer is not one's own, and a sender has none", () => {
  const it = made([team("t", ["ann bob"])]);
  const pat = (id: string) => ({ accountUserId: id, name: "PAT" });
  it.do(answer("acknowledge", pat("ann")), 1);
  const other = answer("acknowledge", pat("bob"));
  expect(told(it, other, it.do(other, 2))?.done).toBeUndefined();
  const same = answer("acknowledge", pat("ann"));
  expect(told(it, same, it.do(same, 2))?.done).toContain("already by you");
  const machine: Command = { type: "acknowledge", by: { ...SENDER, name: "PAT" } };
  expect(told(it, machine, it.do(machine, 3))?.done).toBeUndefined();
});

const person = fc.constantFrom("ann", "bob", "cid", "dan", "zoe");
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom(...TYPES), person)
        .map(([type, who]) => answer(type, by(who))),
    },
    {
      weight: 1,
      arbitrary: person.map(
        (who): Command => ({ type: "undo", areOthersNotified: true, by: by(who) }),
      ),
    },
    {
      weight: 1,
      arbitrary: person.map(
        (who): Command => ({ type: "reopen", retiredBefore: null, by: by(who) }),
      ),
    },
    {
      weight: 1,
      arbitrary: person.map(
        (who): Command => ({ type: "snooze", until: T0 + 90 * MINUTE, by: by(who) }),
      ),
    },
    { weight: 2, arbitrary: fc.constant<Command>({ type: "tick" }) },
  ),
  { minLength: 3, maxLength: 25 },
);

test("after any history, who repeats their answer is confirmed, and nobody is without having given it", () => {
  const seen = { confirmed: 0, told: 0 };
  fc.assert(
    fc.property(steps, (commands) => {
      const it = made(TEAMS);
      commands.forEach((command, i) => {
        const minute = 3 * i + 1;
        const outcome = it.do(command, minute);
        const isAnswer = TYPES.some((type) => type === command.type) && "by" in command;
        if (!isAnswer) return;
        const refusal = told(it, command, outcome);
        const name = command.by.name;
        const verb = VERBS[command.type as Type];
        if (outcome.kind === "changed") {
          const again = told(it, command, it.do(command, minute));
          if (again !== null) expect(again.done).toBe(`${verb}, already by you at ${at(minute)}`);
          seen.confirmed += again === null ? 0 : 1;
          return;
        }
        if (refusal?.done === undefined) return;
        seen.told += 1;
        const instant = refusal.done.slice(-24);
        const index = it.log.findLastIndex(
          (entry) =>
            formatInstant(entry.at) === instant && entry.message.startsWith(`${verb} by ${name}`),
        );
        expect(index).toBeGreaterThanOrEqual(0);
        const undone = it.log
          .slice(index + 1)
          .filter(({ message }) => message.includes(`undone by ${name}`) && verb !== "Passed on");
        expect(undone).toEqual([]);
      });
    }),
    { numRuns: sized(300, 10_000) },
  );
  expect(seen.confirmed).toBeGreaterThan(50);
  expect(seen.told).toBeGreaterThan(10);
});

test.each([
  ["Europe/Berlin", "Acknowledged, already by you at 10:01"],
  ["UTC", "Acknowledged, already by you at 09:01"],
  ["Pacific/Kiritimati", "Acknowledged, already by you at 23:01"],
])("instants are shown on the person's clock: %s", (zone, expected) => {
  const words = `Acknowledged, already by you at ${at(1)}`;
  expect(withLocalTimes(words, zone, T0 + 2 * MINUTE)).toBe(expected);
  expect(withLocalTimes(`At ${at(-1440)}.`, "UTC", T0)).toBe("At 2026-01-04 09:00.");
});
