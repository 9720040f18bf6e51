// What a story says of a change, as a table.
import { expect, test } from "vitest";
import { describeChanges } from "../../../src/domain/alerts/content-changes.ts";

const before = {
  title: "Disk full",
  description: null,
  urgency: "high",
  tags: ["db"],
  meta: { incident: false, incident_severity: null, incident_message: null, shop: 1 },
  additionalData: [],
} as const;
const incident = { ...before.meta, incident: true, incident_severity: "SEV-2" };

test.each([
  ["nothing given", {}, "nothing"],
  ["the same again", { ...before, tags: ["db"], meta: { ...before.meta } }, "nothing"],
  ["title", { title: "Disk fuller" }, "title (was “Disk full”)"],
  ["description", { description: "It smokes." }, "description"],
  ["urgency, tags", { urgency: "critical", tags: [] }, "urgency (high → critical), tags"],
  ["flag", { meta: incident }, "incident (SEV-2)"],
  ["flag without severity", { meta: { ...before.meta, incident: true } }, "incident (SEV-UNKNOWN)"],
  [
    "message, rest",
    { meta: { ...incident, incident_message: "Ships are lost", shop: 2 } },
    "incident (SEV-2), incident message, meta",
  ],
] as const)("%s", (_, changes, said) => {
  expect(describeChanges(before, changes)).toBe(said);
});

test("of an incident", () => {
  const flagged = { ...before, meta: incident };
  const meta = { ...incident, incident_severity: "SEV-1" };
  expect(describeChanges(flagged, { meta })).toBe("incident severity (SEV-2 → SEV-1)");
  expect(describeChanges(flagged, { meta: before.meta })).toBe("no incident any more");
});

test("a long title is cut, and not in half of a letter", () => {
  const title = `${"x".repeat(119)}😀 and more`;
  const said = describeChanges({ ...before, title }, { title: "Short" });
  expect(said).toBe(`title (was “${"x".repeat(119)}\ufffd…”)`);
});
