// ServiceNow: a business rule or flow that posts an incident's fields.
import { dataOf } from "../reading/additional-data.ts";
import { textAt, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, isUnassigned, readState } from "../sender-type.ts";

const OPEN = ["1", "New", "3", "On Hold"];
const IN_PROGRESS = ["2", "In Progress"];
const CLOSED = ["6", "Resolved", "7", "Closed", "8", "Canceled", "Cancelled"];

/** Severity words by ServiceNow's priority; its label starts with the number. */
const PRIORITIES = new Map([
  ["1", "critical"],
  ["2", "high"],
  ["3", "medium"],
  ["4", "low"],
  ["5", "low"],
]);

export const servicenow = createSenderType({
  name: "servicenow",
  title: "ServiceNow",
  description: "A business rule of ServiceNow that posts incidents.",
  says: ["acknowledge", "resolve"],
  read: (fields, { options }) => {
    const state = textAt(fields, "state") ?? textAt(fields, "incident_state");
    const kind = readState("state", state, {
      create: OPEN,
      acknowledge: isUnassigned(fields, "assigned_to") ? [] : IN_PROGRESS,
      resolve: CLOSED,
      ignore: IN_PROGRESS,
    });
    if (typeof kind !== "string") return kind;
    const number = textAt(fields, "number");
    const title = textAt(fields, "short_description");
    const priority = textAt(fields, "priority") ?? "";
    return {
      kind,
      thirdpartyId: textAt(fields, "sys_id") ?? number,
      title: [number, title].filter(Boolean).join(": ") || null,
      description: textAt(fields, "description"),
      urgency: urgencyOfWord(PRIORITIES.get(priority.slice(0, 1)) ?? priority, options),
      tags: textsOf([fields.category, fields.assignment_group]),
      additionalData: dataOf(fields, "link", "number", "priority", "caller_id", "cmdb_ci"),
    };
  },
});
