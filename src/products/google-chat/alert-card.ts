// Messages in Google Chat, as cards; an alert's has buttons
// (https://developers.google.com/workspace/chat/api/reference/rest/v1/cards).
import { ACTION_LABELS, type AlertAction, alertActionsOf } from "../outgoing/alert-actions.ts";
import { COLOURS, type MessageText } from "../outgoing/message-text.ts";
import { escapeHtml } from "./text.ts";

/** The key of the parameter by which a button names its alert. */
export const ALERT_PARAMETER = "alert";

/** They open a dialog. */
const ASKING: ReadonlySet<AlertAction> = new Set(["snooze", "hand_off", "comment"]);

export type Widget = Readonly<Record<string, unknown>>;

export const paragraph = (text: string): Widget => ({ textParagraph: { text } });

/** A button that calls the app about an alert. */
export const actionButton = (
  action: AlertAction,
  alertId: string,
  more: Readonly<Record<string, string>> = {},
) => ({
  text: ACTION_LABELS[action],
  onClick: {
    action: {
      function: action,
      parameters: [{ key: ALERT_PARAMETER, value: alertId }],
      ...more,
    },
  },
});

/** The buttons of an alert as it is after an event. */
export const alertButtons = (alertId: string, status: unknown) =>
  alertActionsOf(status).map((it) =>
    actionButton(it, alertId, ASKING.has(it) ? { interaction: "OPEN_DIALOG" } : {}),
  );

/** The card of any message. `buttons`: before the one that opens its page. */
export function cardOf(
  { headline, title, text, facts, tone, url }: MessageText,
  buttons: readonly object[] = [],
) {
  const coloured = `<font color="${COLOURS[tone]}"><b>${escapeHtml(headline)}</b></font>`;
  const all = [
    ...buttons,
    ...(url === null ? [] : [{ text: "Open", onClick: { openLink: { url } } }]),
  ];
  const widgets = [
    paragraph(coloured),
    ...(text === null ? [] : [paragraph(escapeHtml(text))]),
    ...facts.map(([topLabel, value]) => ({
      decoratedText: { topLabel, text: escapeHtml(value) },
    })),
    ...(all.length === 0 ? [] : [{ buttonList: { buttons: all } }]),
  ];
  return { header: { title: title || "Alert" }, sections: [{ widgets }] };
}
