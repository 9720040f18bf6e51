// Mattermost's outgoing webhook: a message that starts with a trigger word in a channel creates an
// alert.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { urgencyInText } from "../reading/severity.ts";
import { createSenderType, missingField } from "../sender-type.ts";

export const mattermostOutgoingWebhook = createSenderType({
  name: "mattermost_outgoing_webhook",
  title: "Mattermost outgoing webhook",
  description:
    "An outgoing webhook of Mattermost: messages with words that you choose open an alert.",
  // mattermost/mattermost: one attempt.
  repeats: [],
  says: [],
  authentication: { tokenField: "token" },
  read: (message, { options }) => {
    const text = textAt(message, "text");
    if (text === null) return missingField("text");
    const [channel, time] = [textAt(message, "channel_id"), textAt(message, "timestamp")];
    return {
      kind: "create",
      thirdpartyId: channel && time && `${channel}.${time}`,
      title: text,
      urgency: urgencyInText(text, options),
      additionalData: dataOf(message, "trigger_word", "channel_name", "user_name"),
    };
  },
});
