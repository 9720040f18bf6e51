// The message of an alert in Discord: an embed, and buttons with a menu
// (https://docs.discord.com/developers/components/reference).
import { ACTION_LABELS, type AlertAction, alertActionsOf } from "../outgoing/alert-actions.ts";
import { SNOOZE_CHOICES } from "../outgoing/chat-request.ts";
import { COLOURS, type MessageText, truncateText } from "../outgoing/message-text.ts";
import { escapeMarkdown } from "./text.ts";

const ROW = 1;
const BUTTON = 2;
const MENU = 3;

const [PRIMARY, SECONDARY, DANGER] = [1, 2, 4];
const STYLES: Readonly<Partial<Record<AlertAction, number>>> = {
  acknowledge: PRIMARY,
  reject: DANGER,
};

/** The rows of an alert's components; each is named `<action>:<id of the alert>`. */
export function alertComponents(alertId: string, status: unknown): readonly object[] {
  const actions = alertActionsOf(status);
  const buttons = actions
    .filter((it) => it !== "snooze")
    .map((it) => ({
      type: BUTTON,
      style: STYLES[it] ?? SECONDARY,
      label: ACTION_LABELS[it],
      custom_id: `${it}:${alertId}`,
    }));
  const options = SNOOZE_CHOICES.map(([minutes, label]) => ({ label, value: String(minutes) }));
  const custom_id = `snooze:${alertId}`;
  const menu = { type: MENU, custom_id, placeholder: ACTION_LABELS.snooze, options };
  return [
    ...(buttons.length === 0 ? [] : [{ type: ROW, components: buttons }]),
    ...(actions.includes("snooze") ? [{ type: ROW, components: [menu] }] : []),
  ];
}

/** The limits of an embed, with room for escapes: each may double a character. */
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 4_096;
const MAX_VALUE = 1_024;

/** Escapes and truncates, whichever characters are escaped. */
function within(text: string, most: number): string {
  let whole = truncateText(text, most);
  while (escapeMarkdown(whole).length > most) {
    whole = truncateText(whole, Math.floor(whole.length * 0.8));
  }
  return escapeMarkdown(whole);
}

/** The embed of any message. `at`: epoch ms. */
export const embedOf = ({ headline, title, text, facts, tone, url }: MessageText, at: number) => ({
  title: within(title || "Alert", MAX_TITLE),
  ...(url !== null && { url }),
  description: within(text === null ? headline : `${headline}\n${text}`, MAX_DESCRIPTION),
  color: Number.parseInt(COLOURS[tone].slice(1), 16),
  fields: facts.map(([name, value]) => ({
    ...{ name, inline: true },
    value: within(value || "–", MAX_VALUE),
  })),
  timestamp: new Date(at).toISOString(),
});

/** The name of an alert's thread: plain text, at most a hundred characters. */
export const threadName = (title: string): string => truncateText(title || "Alert", 100);
