// The message of an alert in Mattermost, as a message attachment with buttons
// (https://developers.mattermost.com/integrate/plugins/interactive-messages).
import type { OutgoingMessage } from "../integration-type.ts";
import { ACTION_LABELS, type AlertAction, alertActionsOf } from "../outgoing/alert-actions.ts";
import { SNOOZE_CHOICES } from "../outgoing/chat-request.ts";
import { COLOURS, type MessageText } from "../outgoing/message-text.ts";
import { buttonsToken } from "./action-token.ts";
import { escapeMarkdown } from "./text.ts";

/** What an action is called: letters and digits only. */
export const actionId = (action: AlertAction): string => action.replace("_", "");

const STYLES: Readonly<Partial<Record<AlertAction, string>>> = {
  acknowledge: "primary",
  reject: "danger",
};

type Target = { readonly url: string; readonly token: string; readonly alertId: string };

function elementOf(action: AlertAction, { url, token, alertId }: Target) {
  const id = actionId(action);
  const integration = { url: `${url}/actions`, context: { token, alert: alertId, action: id } };
  const common = { id, name: ACTION_LABELS[action], integration };
  if (action !== "snooze") return { ...common, type: "button", style: STYLES[action] ?? "default" };
  const options = SNOOZE_CHOICES.map(([minutes, label]) => ({
    text: label,
    value: String(minutes),
  }));
  return { ...common, type: "select", options };
}

/** The URL below which an app's requests come to. */
export const callbacksOf = ({ origin, integrationId }: NonNullable<OutgoingMessage["app"]>) =>
  `${origin}/callbacks/mattermost/${integrationId}`;

/** The attachment of any message, without buttons. */
export const attachmentOf = ({ headline, title, text, facts, tone, url }: MessageText) => ({
  fallback: `${headline}: ${title}`,
  color: COLOURS[tone],
  pretext: escapeMarkdown(headline),
  title: escapeMarkdown(title),
  ...(url !== null && { title_link: url }),
  ...(text !== null && { text: escapeMarkdown(text) }),
  fields: facts.map(([label, value]) => ({
    short: true,
    title: label,
    value: escapeMarkdown(value),
  })),
});

/**
 * The buttons of an alert as it is after an event.
 *
 * @param app where presses are sent; null: there are no buttons
 * @param at when the event happened (epoch ms): the post is changed by each, and its token with it
 */
export function alertActions(
  app: OutgoingMessage["app"],
  botToken: string,
  alertId: string,
  status: unknown,
  at: number,
) {
  if (app === null) return [];
  const token = buttonsToken(botToken, { integrationId: app.integrationId, alertId }, at);
  return alertActionsOf(status).map((it) =>
    elementOf(it, { url: callbacksOf(app), token, alertId }),
  );
}
