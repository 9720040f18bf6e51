// The message of an alert in Mattermost, as a message attachment with buttons
// (https://developers.mattermost.com/integrate/plugins/interactive-messages).
import type { OutgoingMessage } from "../../integration-type.ts";
import { COLOURS, type MessageText } from "../../outgoing/message-text.ts";
import { SNOOZE_CHOICES } from "../chat-request.ts";
import { actionToken } from "./action-token.ts";
import { escapeMarkdown } from "./text.ts";

/** What the actions of an alert are called: letters and digits only. */
export const ACTIONS = {
  acknowledge: "acknowledge",
  reject: "reject",
  resolve: "resolve",
  snooze: "snooze",
  handOff: "handoff",
  comment: "comment",
} as const;

type Action = (typeof ACTIONS)[keyof typeof ACTIONS];

const LABELS: Readonly<Record<Action, string>> = {
  acknowledge: "Acknowledge",
  reject: "Reject",
  resolve: "Resolve",
  snooze: "Snooze",
  handoff: "Hand off",
  comment: "Comment",
};

const STYLES: Readonly<Partial<Record<Action, string>>> = {
  acknowledge: "primary",
  reject: "danger",
};

const AFTERWARDS: readonly Action[] = ["resolve", "snooze", "handoff", "comment"];

/** What can be done to an alert, by its status (contract 3). */
function actionsOf(status: unknown): readonly Action[] {
  switch (status) {
    case "open":
      return ["acknowledge", "reject", ...AFTERWARDS];
    case "dropped":
      return ["acknowledge", ...AFTERWARDS];
    case "acknowledged":
      return AFTERWARDS;
    case "suppressed":
      return ["acknowledge"];
    case "resolved":
      return ["comment"];
    default:
      return [];
  }
}

type Target = { readonly url: string; readonly token: string; readonly alertId: string };

function elementOf(action: Action, { url, token, alertId }: Target) {
  const integration = { url: `${url}/actions`, context: { token, alert: alertId, action } };
  const common = { id: action, name: LABELS[action], integration };
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
 */
export function alertActions(
  app: OutgoingMessage["app"],
  botToken: string,
  alertId: string,
  status: unknown,
) {
  if (app === null) return [];
  const token = actionToken(botToken, app.integrationId, alertId);
  return actionsOf(status).map((it) => elementOf(it, { url: callbacksOf(app), token, alertId }));
}
