// The copies of alerts that fill a database.
import { expect, test } from "vitest";
import { identifierOf, prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { type Copy, compileValue, findIdentities } from "../../bench/fill/copier.ts";

const NOW = Date.UTC(2026, 10, 1);
const SPAN = { from: NOW, to: NOW + 10_000 };
const bytes = (fill: number) => new Uint8Array(10).fill(fill);
const alert = identifierOf(NOW + 5, bytes(1));
const team = identifierOf(NOW - 5, bytes(2));
const identities = findIdentities([[alert, `["${team}"]`, 7, null]], SPAN);
const DAY = 86_400_000;
const copy: Copy = { shift: -DAY, name: "9", randomOf: () => bytes(3) };

test("only identifiers made in the span are copied", () => {
  expect([...identities]).toEqual(["01".repeat(10)]);
});

test.each([
  ["an id", alert, identifierOf(NOW + 5 - DAY, bytes(3))],
  ["its other form", prefixIdOf("log", alert), prefixIdOf("log", identifierOf(0, bytes(3)))],
  ["both within text", `${alert}:2 ${team}`, `${identifierOf(NOW + 5 - DAY, bytes(3))}:2 ${team}`],
  ["an instant", NOW + 1, NOW + 1 - DAY],
  ["an instant within JSON", `{"at":${NOW + 1}}`, `{"at":${NOW + 1 - DAY}}`],
  ["a moment", '"2026-11-01T00:00:01.000Z"', '"2026-10-31T00:00:01.000Z"'],
  ["the Id of an event", "original-12", "event-9-12"],
])("%s is replaced", (_, value, expected) => {
  expect(compileValue(value, identities, SPAN)?.(copy)).toBe(expected);
});

test.each([
  ["an id from before", team],
  ["its other form", prefixIdOf("team", team)],
  ["an instant from before", NOW - 1],
  ["a small number", 12],
  ["text", "Disk full on db-17"],
  ["nothing", null],
])("%s stays", (_, value) => {
  expect(compileValue(value, identities, SPAN)).toBeNull();
});
