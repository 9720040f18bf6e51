// Healthchecks (healthchecks.io or one's own): its notification for services with this webhook.
import { dataOf } from "../additional-data.ts";
import { tagsOf, textAt } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";

export const healthchecks = sender({
  name: "healthchecks",
  title: "Healthchecks",
  description: "Healthchecks' PagerTree integration, with this integration's URL.",
  says: ["resolve"],
  read: (fields) => {
    const word = textAt(fields, "event_type");
    const kind = kindOf(word, { create: ["trigger"], resolve: ["resolve"] });
    if (kind === null) return notForUs("event_type", word);
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
