// Healthchecks (healthchecks.io or self-hosted): its notification in the generic webhook's format.
import { dataOf } from "../reading/additional-data.ts";
import { tagsOf, textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const healthchecks = createSenderType({
  name: "healthchecks",
  title: "Healthchecks",
  description: "Healthchecks' PagerTree integration, with this integration's URL.",
  // healthchecks/healthchecks, transports: up to three attempts after any error.
  repeats: ["4xx", "5xx"],
  says: ["resolve"],
  read: (fields) => {
    const word = textAt(fields, "event_type");
    const kind = readState("event_type", word, {
      create: ["trigger"],
      resolve: ["resolve"],
      ignore: ["paused"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: textAt(fields, "incident_key"),
      title: textAt(fields, "title"),
      description: textAt(fields, "description"),
      tags: tagsOf(fields.tags),
      additionalData: dataOf(fields, "client_url", "client"),
    };
  },
});
