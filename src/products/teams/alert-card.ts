// Messages in Microsoft Teams, as adaptive cards; an alert's has actions
// (https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/universal-actions-for-adaptive-cards).
// Text from others is in rich text runs, which are not Markdown; facts are, so it is escaped there.
import { ACTION_LABELS, type AlertAction, alertActionsOf } from "../outgoing/alert-actions.ts";
import { SNOOZE_CHOICES } from "../outgoing/chat-request.ts";
import type { MessageText, MessageTone } from "../outgoing/message-text.ts";

// Teams' text: facts of cards are Markdown; messages can be plain.

/** Escapes text from others. */
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]()#+\-!<>~]/g, "\\$&");

/** Adaptive cards have semantic styles instead of colours. */
const STYLES: Readonly<Record<MessageTone, string>> = {
  critical: "attention",
  high: "attention",
  medium: "warning",
  low: "accent",
  acknowledged: "warning",
  resolved: "good",
  quiet: "emphasis",
};

const SCHEMA = "http://adaptivecards.io/schemas/adaptive-card.json";
const CONTENT_TYPE = "application/vnd.microsoft.card.adaptive";

/** A text from others, as it is. */
const literal = (text: string, more: object = {}) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text, ...more }],
});

/** The longest comment. */
const MAX_COMMENT = 3_000;
const MAX_NAME = 100;

/** An action that calls the app about an alert. */
const execute = (action: AlertAction, alertId: string, more: object = {}) => ({
  type: "Action.Execute",
  title: ACTION_LABELS[action],
  verb: action,
  data: { alert: alertId },
  ...more,
});

const FIELDS: Readonly<Partial<Record<AlertAction, object>>> = {
  snooze: {
    type: "Input.ChoiceSet",
    label: "For how long",
    value: String(SNOOZE_CHOICES[0]?.[0]),
    choices: SNOOZE_CHOICES.map(([minutes, title]) => ({ title, value: String(minutes) })),
  },
  hand_off: { type: "Input.Text", label: "Team or person", maxLength: MAX_NAME },
  comment: { type: "Input.Text", label: "Comment", isMultiline: true, maxLength: MAX_COMMENT },
};

/** Inputs of one card have different ids. */
export const inputId = (action: string): string => `${action}_value`;

const STYLED: Readonly<Partial<Record<AlertAction, object>>> = {
  acknowledge: { style: "positive" },
  reject: { style: "destructive" },
};

/** What can be done to an alert: at once, or by a field that a button shows. */
export type CardActions = {
  readonly answers: readonly object[];
  readonly asking: readonly object[];
};

const NONE: CardActions = { answers: [], asking: [] };

function askingAction(action: AlertAction, field: object, alertId: string) {
  const required = { id: inputId(action), isRequired: true, errorMessage: "Required." };
  return {
    type: "Action.ShowCard",
    title: ACTION_LABELS[action],
    card: {
      type: "AdaptiveCard",
      body: [{ ...field, ...required }],
      actions: [execute(action, alertId)],
    },
  };
}

/** The actions of an alert as it is after an event. */
export function alertCardActions(alertId: string, status: unknown): CardActions {
  const actions = alertActionsOf(status);
  return {
    answers: actions
      .filter((it) => FIELDS[it] === undefined)
      .map((it) => execute(it, alertId, STYLED[it])),
    asking: actions.flatMap((it) => {
      const field = FIELDS[it];
      return field === undefined ? [] : [askingAction(it, field, alertId)];
    }),
  };
}

/** The attachment of any message. Teams shows at most six actions in a row, so they are in two. */
export function cardAttachment(
  { headline, title, text, facts, tone, url }: MessageText,
  { answers, asking }: CardActions = NONE,
) {
  const head = {
    type: "Container",
    style: STYLES[tone],
    bleed: true,
    items: [literal(headline, { weight: "Bolder" })],
  };
  const content = {
    $schema: SCHEMA,
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      head,
      literal(title || "Alert", { size: "Large", weight: "Bolder" }),
      ...(text === null ? [] : [literal(text)]),
      {
        type: "FactSet",
        facts: facts.map(([label, value]) => ({ title: label, value: escapeMarkdown(value) })),
      },
      ...(answers.length === 0 ? [] : [{ type: "ActionSet", actions: answers }]),
    ],
    actions: [...asking, ...(url === null ? [] : [{ type: "Action.OpenUrl", title: "Open", url }])],
  };
  return { contentType: CONTENT_TYPE, contentUrl: null, content };
}

/**
 * The attachment of a notification to one person.
 *
 * @param alertId the alert that it asks to answer; null: it asks for nothing
 */
export function answerCard(
  title: string,
  text: string,
  url: string | null,
  alertId: string | null,
) {
  const answers = (["acknowledge", "reject"] as const).map((it) =>
    execute(it, alertId ?? "", STYLED[it]),
  );
  const content = {
    $schema: SCHEMA,
    type: "AdaptiveCard",
    version: "1.4",
    body: [literal(title, { weight: "Bolder" }), ...(text === "" ? [] : [literal(text)])],
    actions: [
      ...(alertId === null ? [] : answers),
      ...(url === null ? [] : [{ type: "Action.OpenUrl", title: "Open", url }]),
    ],
  };
  return { contentType: CONTENT_TYPE, contentUrl: null, content };
}
