// Which of an alert's additional data are buttons, and what they are called.
import { expect, test } from "vitest";
import type { AdditionalDatum } from "../../../src/domain/alerts/alert.ts";
import { alertLinks } from "../../../src/domain/alerts/alert-links.ts";
import { integrationTypes } from "../../../src/products/registry.ts";
import { readSent, senderFixtures } from "../../support/integrations/sender-fixtures.ts";

const dataOf = (...pairs: readonly (readonly [string, string])[]): readonly AdditionalDatum[] =>
  pairs.map(([label, value]) => ({ format: "text", label, value }));
const labelsOf = (data: readonly AdditionalDatum[]) => alertLinks(data).map(({ label }) => label);

test.each([
  ["runbook_url", "Runbook"],
  ["runbookUrl", "Runbook"],
  ["playbook", "Runbook"],
  ["dashboard", "Dashboard"],
  ["dashboardURL", "Dashboard"],
  ["panelURL", "Panel"],
  ["silenceURL", "Silence"],
  ["generatorURL", "Source"],
  ["externalURL", "Sender"],
  ["Run book", "Run book"],
  ["incident.html_url", "Incident"],
  ["Übersicht", "Übersicht"],
  ["url", "x.example"],
  ["constructor", "Constructor"],
  ["a".repeat(50), `A${"a".repeat(30)}…`],
])("%s is %s", (name, label) => {
  expect(labelsOf(dataOf([name, "https://x.example/a?b=1"]))).toEqual([label]);
});

test.each([
  "http://10.0.0.1/",
  "http://example.com/",
  "javascript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,x",
  "//x.example/a",
  "https://",
  "https:x.example",
  "https://user:secret@x.example/",
  "see https://x.example/",
  "https://x.example/ and more",
  `https://x.example/${"a".repeat(2_048)}`,
])("%j is no button", (value) => {
  expect(alertLinks(dataOf(["runbook", value]))).toEqual([]);
});

test("what is opened first comes first, each address once, and at most six", () => {
  const data = dataOf(
    ["a", "https://x.example/1"],
    ["generatorURL", "https://x.example/2"],
    ["runbook_url", "https://x.example/3"],
    ["dashboardURL", "https://x.example/4"],
    ["again", "https://x.example/3"],
    ...["b", "c", "d", "e"].map((name) => [name, `https://x.example/${name}`] as const),
  );
  expect(labelsOf(data)).toEqual(["Runbook", "Dashboard", "Source", "A", "B", "C"]);
});

test("the buttons of every sender are named by words", () => {
  for (const type of integrationTypes) {
    const fire = senderFixtures.get(type.name)?.requests.fire;
    if (fire === undefined) continue;
    for (const event of type.translate(readSent(fire), {})) {
      if (event.kind !== "create") continue;
      for (const { label, url } of alertLinks(event.additionalData)) {
        expect([type.name, label]).toEqual([type.name, expect.stringMatching(/^[^_]+$/)]);
        expect(url).toMatch(/^https:\/\//);
      }
    }
  }
});
