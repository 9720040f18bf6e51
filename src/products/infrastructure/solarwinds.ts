// SolarWinds Orion: the HTTP actions of an alert's trigger and reset.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const solarwinds = createSenderType({
  name: "solarwinds",
  title: "SolarWinds",
  description: "HTTP actions of SolarWinds Orion.",
  says: ["acknowledge", "resolve"],
  read: (fields, { options }) => {
    const word = textAt(fields, "ActionType");
    const kind = readState("ActionType", word, {
      create: ["create"],
      acknowledge: ["acknowledge"],
      resolve: ["resolve"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      // AlertID identifies the definition, which alerts of several nodes share: used only as a
      // fallback.
      thirdpartyId: textAt(fields, "AlertObjectID") ?? textAt(fields, "AlertID"),
      title: textAt(fields, "AlertMessage"),
      description: textAt(fields, "AlertDescription"),
      urgency: urgencyOfWord(textAt(fields, "Severity"), options),
      additionalData: dataOf(fields, "AlertDetailsUrl", "NodeName"),
    };
  },
});
