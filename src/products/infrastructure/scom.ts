// System Center Operations Manager: a command channel whose script posts an alert's properties.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

/** Severity words by SCOM's numbers. */
const SEVERITIES = new Map([
  ["0", "info"],
  ["1", "warning"],
  ["2", "critical"],
]);

/** States that SCOM has between new and closed: somebody is at work. */
const BETWEEN = [
  ...["Awaiting Evidence", "247", "Assigned to Engineering", "248", "Scheduled", "250"],
  ...["Resolved", "254"],
];

export const scom = createSenderType({
  name: "scom",
  title: "Microsoft SCOM",
  description: "A command channel of SCOM that runs a script.",
  says: ["acknowledge", "resolve"],
  read: (fields, { options }) => {
    const state = textAt(fields, "resolutionState");
    const kind = readState("resolutionState", state, {
      create: ["New", "0"],
      acknowledge: ["Acknowledged", "249"],
      resolve: ["Closed", "255"],
      ignore: BETWEEN,
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const severity = textAt(fields, "severity") ?? "";
    return {
      kind,
      thirdpartyId: textAt(fields, "alertId"),
      title: textAt(fields, "alertName"),
      description: textAt(fields, "alertDescription"),
      urgency: urgencyOfWord(SEVERITIES.get(severity) ?? severity, options),
      additionalData: dataOf(fields, "managedEntitySource", "category", "timeRaised", "priority"),
    };
  },
});
