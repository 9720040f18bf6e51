// The groups of a page of alerts.
import { expect, test } from "vitest";
import { type Grouping, groupAlerts, groupingOf } from "../../../src/console/alerts/alerts.tsx";
import type { Alert } from "../../../src/features/alerts/alerts/contract.ts";

const alert = (title: string, source_type: string | null, source_id: string | null, to: string) =>
  ({ title, source_type, source_id, to }) as unknown as Alert;

const ALERTS = [
  alert("Disk full", "Integration", "prometheus", "Web"),
  alert("Slow", null, null, ""),
  alert("Disk full", "Integration", "datadog", "Web, Data"),
  alert("Slow", "AccountUser", "ada", "Web"),
  alert("Disk full", "Integration", "prometheus", ""),
];

test.each([
  [
    "team",
    [
      ["Web", [0, 3]],
      ["Nobody", [1, 4]],
      ["Web, Data", [2]],
    ],
  ],
  [
    "source",
    [
      ["Prometheus", [0, 4]],
      ["People and the API", [1, 3]],
      ["Datadog", [2]],
    ],
  ],
  [
    "title",
    [
      ["Disk full", [0, 2, 4]],
      ["Slow", [1, 3]],
    ],
  ],
] as const)("by %s, in the order of the list", (grouping: Grouping, expected) => {
  const nameOf = (id: string) => `${id[0]?.toUpperCase()}${id.slice(1)}`;
  const destinationsOf = (it: Alert) => (it as unknown as { to: string }).to;
  const groups = groupAlerts(ALERTS, grouping, nameOf, destinationsOf);
  expect(groups.map(({ name, alerts }) => [name, alerts.map((it) => ALERTS.indexOf(it))])).toEqual(
    expected,
  );
});

test.each([
  ["?group=team", "team"],
  ["?group=source", "source"],
  ["?group=constructor", null],
  ["", null],
])("the query %s groups by %s", (query, expected) => {
  expect(groupingOf(new URL(`https://tocsin.test/alerts${query}`))).toBe(expected);
});
