// The message of an alert in Slack, as Block Kit blocks (https://docs.slack.dev/reference/block-kit/blocks).
// Text from others is in plain or rich text, which is literal: it has no markup, links or mentions.
import type {
  ActionsBlock,
  Button,
  KnownBlock,
  RichTextElement,
  RichTextSection,
} from "@slack/types";
import { SNOOZE_CHOICES } from "../outgoing/chat-request.ts";
import { type MessageText, type MessageTone, truncateText } from "../outgoing/message-text.ts";

/** The limits of a header and of a section. */
const MAX_HEADER = 150;
const MAX_SECTION = 3_000;

/** What the actions of an alert are called; `alert:<id>` is the id of their block. */
export const ALERT_BLOCK = "alert:";
export const ACTION_IDS = {
  acknowledge: "acknowledge",
  reject: "reject",
  resolve: "resolve",
  snooze: "snooze",
  handOff: "hand_off",
  open: "open",
} as const;

const SYMBOLS: Readonly<Record<MessageTone, string>> = {
  critical: "red_circle",
  high: "red_circle",
  medium: "large_orange_circle",
  low: "large_blue_circle",
  acknowledged: "large_yellow_circle",
  resolved: "large_green_circle",
  quiet: "white_circle",
};

/** A literal text: it has no markup, links or mentions. */
export const plain = (text: string, most = MAX_SECTION) =>
  ({ type: "plain_text", text: truncateText(text, most), emoji: false }) as const;

/** A block of literal text. */
export const textBlock = (text: string): KnownBlock => ({ type: "section", text: plain(text) });

const literal = (text: string, bold = false): RichTextElement => ({
  type: "text",
  text,
  ...(bold && { style: { bold } }),
});

/** An instant as each reader's Slack shows it. */
const dateOf = (at: number): RichTextElement => ({
  type: "date",
  timestamp: Math.floor(at / 1000),
  format: "{date_short_pretty} {time}",
  fallback: `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`,
});

const section = (...elements: RichTextElement[]): RichTextSection => ({
  type: "rich_text_section",
  elements,
});

type Element = ActionsBlock["elements"][number];

const button = (
  action: keyof typeof ACTION_IDS,
  text: string,
  style: "primary" | "danger" | null = null,
): Button => ({
  type: "button",
  action_id: ACTION_IDS[action],
  text: plain(text, 75),
  ...(style && { style }),
});

const snoozeMenu: Element = {
  type: "static_select",
  action_id: ACTION_IDS.snooze,
  placeholder: plain("Snooze", 150),
  options: SNOOZE_CHOICES.map(([minutes, label]) => ({
    text: plain(label, 75),
    value: String(minutes),
  })),
};

/** Slack asks us for the choices that match what the person types. */
const handOffMenu: Element = {
  type: "external_select",
  action_id: ACTION_IDS.handOff,
  placeholder: plain("Hand off to", 150),
  min_query_length: 0,
  confirm: {
    title: plain("Hand off", 100),
    text: plain("The team or person is notified now.", 300),
    confirm: plain("Hand off", 30),
    deny: plain("Cancel", 30),
  },
};

/** What can be done to an alert, by its status (contract 3). */
function actionsOf(status: unknown): Element[] {
  const acknowledge = button("acknowledge", "Acknowledge", "primary");
  const resolve = button("resolve", "Resolve");
  switch (status) {
    case "open":
      return [acknowledge, button("reject", "Pass on", "danger"), resolve, snoozeMenu, handOffMenu];
    case "dropped":
      return [acknowledge, resolve, snoozeMenu, handOffMenu];
    case "acknowledged":
      return [resolve, snoozeMenu, handOffMenu];
    case "suppressed":
      return [acknowledge];
    default:
      return [];
  }
}

const openLink = (url: string): Button => ({ ...button("open", "Open"), url });

type AlertMessage = {
  readonly text: MessageText;
  readonly alertId: string;
  readonly status: unknown;
  readonly isDeleted: boolean;
  readonly at: number;
};

/** The blocks of an alert's message as it is after an event. */
export function alertBlocks(message: AlertMessage): KnownBlock[] {
  const { text, alertId, status, isDeleted, at } = message;
  const { headline, title, facts, tone, url } = text;
  const actions = [
    ...(isDeleted ? [] : actionsOf(status)),
    ...(url === null || isDeleted ? [] : [openLink(url)]),
  ];
  const factLines = facts.flatMap(([label, value]) => [
    literal(`\n${label}: `, true),
    literal(value || "–"),
  ]);
  const state = [
    { type: "emoji", name: SYMBOLS[tone] } as const,
    literal(` ${headline} `, true),
    dateOf(at),
  ];
  return [
    { type: "header", text: plain(title || "Alert", MAX_HEADER) },
    { type: "rich_text", elements: [section(...state, ...factLines)] },
    ...(text.text === null ? [] : [textBlock(text.text)]),
    ...(actions.length === 0
      ? []
      : [
          {
            type: "actions",
            block_id: `${ALERT_BLOCK}${alertId}`,
            elements: actions,
          } satisfies ActionsBlock,
        ]),
  ];
}
