// Azure Monitor's action groups, with the common alert schema turned on.

import { dataOf, datum } from "../additional-data.ts";
import { payloadAt, textAt } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";
import { urgencyOfWord } from "../severity.ts";

export const azureMonitor = sender({
  name: "azure_monitor",
  title: "Azure Monitor",
  description: "A webhook of an Azure action group, with the common alert schema enabled.",
  says: ["resolve"],
  read: (fields, { options }) => {
    const essentials = payloadAt(fields, "data", "essentials");
    const condition = textAt(essentials, "monitorCondition");
    const kind = kindOf(condition, { create: ["Fired"], resolve: ["Resolved"] });
    if (kind === null) return notForUs("data.essentials.monitorCondition", condition);
    return {
      kind,
      thirdpartyId: textAt(essentials, "alertId"),
      title: textAt(essentials, "alertRule"),
      description: textAt(essentials, "description"),
      urgency: urgencyOfWord(textAt(essentials, "severity"), options),
      additionalData: [
        ...dataOf(essentials, "monitoringService", "alertRule", "severity", "firedDateTime"),
        ...datum("alertTargetID", textAt(essentials, "alertTargetIDs", 0)),
      ],
    };
  },
});
