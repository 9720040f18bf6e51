// The dialogs of Google Chat (https://developers.google.com/workspace/chat/dialogs): each has one
// field, and a button that is named like the one that opens it.
import { selectReceivers } from "../../../db/people/receiver-names.ts";
import { all } from "../../../db/shared/select.ts";
import { ACTION_LABELS } from "../../../integrations/chat/alert-actions.ts";
import { SNOOZE_CHOICES } from "../../../integrations/chat/chat-request.ts";
import {
  actionButton,
  paragraph,
  type Widget,
} from "../../../integrations/chat/google-chat/alert-card.ts";
import type { GoogleDialog } from "../../../integrations/chat/google-chat/read-events.ts";
import { escapeHtml } from "../../../integrations/chat/google-chat/text.ts";
import { truncateText } from "../../../integrations/outgoing/message-text.ts";
import type { ChatRequest } from "../chat-request.ts";

/** The most names that are suggested. */
const MAX_SUGGESTIONS = 100;
const MAX_NAME = 100;

const dialogWith = (title: string, widgets: readonly Widget[]) => ({
  actionResponse: {
    type: "DIALOG",
    dialogAction: { dialog: { body: { header: { title }, sections: [{ widgets }] } } },
  },
});

async function readField({ db, integration }: ChatRequest, dialog: GoogleDialog): Promise<Widget> {
  switch (dialog) {
    case "snooze": {
      const items = SNOOZE_CHOICES.map(([minutes, text], i) => ({
        text,
        value: String(minutes),
        selected: i === 0,
      }));
      return { selectionInput: { name: "value", label: "For how long", type: "DROPDOWN", items } };
    }
    case "hand_off": {
      const receivers = await all(db, selectReceivers(integration.accountId, "", MAX_SUGGESTIONS));
      const items = receivers
        .filter(({ name }) => name !== "")
        .map(({ name }) => ({ text: truncateText(name, MAX_NAME) }));
      const suggested = items.length > 0 && { initialSuggestions: { items } };
      return { textInput: { name: "value", label: "Team or person", ...suggested } };
    }
    case "comment":
      return { textInput: { name: "value", label: "Comment", type: "MULTIPLE_LINE" } };
  }
}

/** The dialog of a button of an alert. */
export async function dialogFor(request: ChatRequest, dialog: GoogleDialog, alertId: string) {
  const buttons = [actionButton(dialog, alertId)];
  return dialogWith(ACTION_LABELS[dialog], [
    await readField(request, dialog),
    { buttonList: { buttons } },
  ]);
}

/** Links in a card are elements. */
const linked = (text: string): Widget =>
  paragraph(escapeHtml(text).replace(/https?:\/\/\S+/g, (url) => `<a href="${url}">${url}</a>`));

/** A dialog that says something in place of asking. */
export const textDialog = (text: string) => dialogWith("Tocsin", [linked(text)]);
