// Uptime Kuma, its notification provider for services with this webhook: one monitor, or a general message.
import { dataOf, datum } from "../additional-data.ts";
import { listAt, type Payload, payloadAt, textAt, textOf } from "../payload.ts";
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
      thirdpartyId: identityOf(fields),
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

/**
 * The monitor. General messages (of certificates, of a test) all have the same id, and none of them is ever
 * resolved: so each is known by what it says, or the first would swallow every later one.
 */
function identityOf(fields: Payload): string | null {
  const id = textAt(fields, "id");
  const title = textAt(fields, "title");
  return id === "uptime-kuma" && title !== null ? `${id}: ${title}` : id;
}
