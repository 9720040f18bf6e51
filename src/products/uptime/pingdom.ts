// Pingdom's webhooks: uptime checks (UP, DOWN) and transaction checks (SUCCESS, FAILING).
import { dataOf } from "../reading/additional-data.ts";
import { payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const pingdom = createSenderType({
  name: "pingdom",
  title: "Pingdom",
  description: "A webhook integration of Pingdom: uptime and transaction checks.",
  says: ["resolve"],
  read: (check, { options }) => {
    const state = textAt(check, "current_state");
    const kind = readState("current_state", state, {
      create: ["DOWN", "FAILING"],
      resolve: ["UP", "SUCCESS"],
      ignore: ["PAUSED"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const mapped = options.severity_map ? textAt(check, "importance_level") : null;
    return {
      kind,
      thirdpartyId: textAt(check, "check_id"),
      title: `${textAt(check, "check_name") ?? "Pingdom check"} ${state}`,
      description: textAt(check, "long_description") ?? textAt(check, "description"),
      urgency: urgencyOfWord(mapped, options),
      tags: textsOf(check.tags),
      additionalData: [
        ...dataOf(payloadAt(check, "check_params"), "full_url"),
        ...dataOf(check, "importance_level", "custom_message"),
      ],
    };
  },
});
