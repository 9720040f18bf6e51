// How the timeline describes a change of content.
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
  ["the same values", { ...before, tags: ["db"], meta: { ...before.meta } }, "nothing"],
  ["title", { title: "Disk fuller" }, "title (was “Disk full”)"],
  ["description", { description: "It smokes." }, "description"],
  ["urgency, tags", { urgency: "critical", tags: [] }, "urgency (high → critical), tags"],
  ["incident", { meta: incident }, "incident (SEV-2)"],
  [
    "incident without severity",
    { meta: { ...before.meta, incident: true } },
    "incident (SEV-UNKNOWN)",
  ],
  [
    "incident message, other meta",
    { meta: { ...incident, incident_message: "Ships are lost", shop: 2 } },
    "incident (SEV-2), incident message, meta",
  ],
] as const)("%s", (_, changes, expected) => {
  expect(describeChanges(before, changes)).toBe(expected);
});

test("describes changes of an incident", () => {
  const flagged = { ...before, meta: incident };
  const meta = { ...incident, incident_severity: "SEV-1" };
  expect(describeChanges(flagged, { meta })).toBe("incident severity (SEV-2 → SEV-1)");
  expect(describeChanges(flagged, { meta: before.meta })).toBe("no incident any more");
});

test("cuts a long title and leaves no lone surrogate", () => {
  const title = `${"x".repeat(119)}😀 and more`;
  const description = describeChanges({ ...before, title }, { title: "Short" });
  expect(description).toBe(`title (was “${"x".repeat(119)}\ufffd…”)`);
});
