// Uptime Kuma, its notification provider for services with this webhook: one monitor, or a general message.
import { dataOf, datum } from "../additional-data.ts";
import { listAt, payloadAt, textAt, textOf } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";
import { urgencyOfWord } from "../severity.ts";

export const uptimeKuma = sender({
  name: "uptime_kuma",
  title: "Uptime Kuma",
  description: "Uptime Kuma's PagerTree notification, with this integration's URL.",
  says: ["resolve"],
  read: (fields, { options }) => {
    const word = textAt(fields, "event_type");
    const kind = kindOf(word, { create: ["create"], resolve: ["resolve"] });
    if (kind === null) return notForUs("event_type", word);
    const monitor = payloadAt(fields, "monitor");
    const tags = listAt(monitor, "tags").map((tag) => textOf(textAt(tag, "name") ?? tag));
    return {
      kind,
      thirdpartyId: textAt(fields, "id"),
      title: textAt(fields, "title"),
      description: textAt(fields, "heartbeat", "msg"),
      urgency: urgencyOfWord(textAt(fields, "urgency"), options),
      tags: tags.filter((tag) => tag !== null),
      additionalData: [
        ...dataOf(monitor, "url", "method"),
        ...datum("time", textAt(fields, "heartbeat", "time")),
      ],
    };
  },
});
