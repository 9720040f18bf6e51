// The dialogs of Google Chat (https://developers.google.com/workspace/chat/dialogs): each has one
// field, and a button that is named like the one that opens it.
import { all } from "../../../kernel/db/select.ts";
import { actionButton, paragraph, type Widget } from "../../../products/google-chat/alert-card.ts";
import type { GoogleDialog } from "../../../products/google-chat/read-events.ts";
import { escapeHtml } from "../../../products/google-chat/text.ts";
import { ACTION_LABELS } from "../../../products/outgoing/alert-actions.ts";
import { SNOOZE_CHOICES } from "../../../products/outgoing/chat-request.ts";
import { truncateText } from "../../../products/outgoing/message-text.ts";
import { selectReceivers } from "../../people/account-users/receiver-names.ts";
import type { ChatRequest } from "./chat-request.ts";

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
