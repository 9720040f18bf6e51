// Auvik's webhook notification channel: triggered and cleared alerts.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const auvik = createSenderType({
  name: "auvik",
  title: "Auvik",
  description: "A webhook notification channel of Auvik.",
  says: ["resolve"],
  read: (fields, { options }) => {
    const status = textAt(fields, "alertStatus") ?? textAt(fields, "alertStatusString");
    const kind = readState("alertStatus", status, {
      create: ["0", "Triggered"],
      resolve: ["1", "Cleared"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const severity = textAt(fields, "alertSeverityString");
    return {
      kind,
      thirdpartyId: textAt(fields, "correlationId") ?? textAt(fields, "alertId"),
      title: textAt(fields, "alertName") ?? textAt(fields, "subject"),
      description: textAt(fields, "alertDescription"),
      // Auvik has a severity above critical (emergency), so its critical is high.
      urgency:
        severity?.toLowerCase() === "critical" && !("severity_map" in options)
          ? "high"
          : urgencyOfWord(severity, options),
      additionalData: dataOf(
        fields,
        "link",
        "entityName",
        "entityType",
        "companyName",
        "alertSeverityString",
        "date",
      ),
    };
  },
});
