// Zendesk: a trigger's webhook whose JSON body has the ticket's placeholders.
import { dataOf } from "../reading/additional-data.ts";
import { tagsOf, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, isUnassigned, readState } from "../sender-type.ts";

export const zendesk = createSenderType({
  name: "zendesk",
  title: "Zendesk",
  description: "A webhook of a Zendesk trigger, for tickets.",
  options: [
    {
      key: "signing_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The webhook's signing secret: requests must then be signed with it.",
    },
  ],
  // developer.zendesk.com: 429 and 503 with a Retry-After below a minute.
  repeats: [409, 429, 503],
  says: ["acknowledge", "resolve"],
  authentication: {
    signature: {
      option: "signing_secret",
      header: "x-zendesk-webhook-signature",
      encoding: "base64",
      timestamp: { headers: ["x-zendesk-webhook-signature-timestamp"], join: "" },
    },
  },
  read: (fields, { options }) => {
    const word = textAt(fields, "event_type");
    const kind = readState("event_type", word, {
      create: ["create"],
      acknowledge: isUnassigned(fields, "assignee_name") ? [] : ["acknowledge"],
      resolve: ["resolve"],
      ignore: ["acknowledge", "comment"],
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: textAt(fields, "id"),
      title: textAt(fields, "title"),
      description: textAt(fields, "description"),
      urgency: urgencyOfWord(textAt(fields, "priority"), options),
      tags: tagsOf(fields.tags),
      additionalData: dataOf(fields, "link", "ticket_type", "via", "assignee_name"),
    };
  },
});
