// Slack: the account's app writes to a person directly. An open alert has the buttons Acknowledge and
// Pass on; whoever presses one has linked their Slack account, as in a channel. The message changes once
// anybody has answered (https://docs.slack.dev/reference/methods/chat.postMessage, …/chat.update: a member's ID
// as the channel of the first; 200 with `{ok, error}`).
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import { valueAt } from "../../domain/shared/json.ts";
import { oneLine } from "../content.ts";
import {
  jsonRequest,
  type Messenger,
  type MessengerContent,
  outcomeOf,
  type ProviderAnswer,
  type ProviderRequest,
} from "../messenger.ts";
import { ACTION_IDS, ALERT_BLOCK, plain } from "./alert-blocks.ts";
import { TEMPORARY_SLACK_ERRORS } from "./api.ts";
import { escapeText } from "./text.ts";

const API = "https://slack.com/api";
const APP_TYPE = "slack_app";
/** Nothing in a text becomes a link or a mention. */
const LITERAL = { parse: "none", link_names: false } as const;

/** The limits of a header and of a section. */
const MAX_HEADER = 150;
const MAX_SECTION = 2_900;

const button = (action_id: string, text: string, more: object = {}) => ({
  ...{ type: "button", action_id, text: plain(text, 75) },
  ...more,
});

function buttonsOf({ asks, recordId, url }: MessengerContent) {
  const answers =
    asks && recordId !== null
      ? [
          button(ACTION_IDS.acknowledge, "Acknowledge", { style: "primary" }),
          button(ACTION_IDS.reject, "Pass on", { style: "danger" }),
        ]
      : [];
  return [...answers, ...(url === null ? [] : [button(ACTION_IDS.open, "Open", { url })])];
}

function blocksOf(content: MessengerContent) {
  const { title, body, recordId } = content;
  const elements = buttonsOf(content);
  return [
    { type: "header", text: plain(title || "Tocsin", MAX_HEADER) },
    ...(body === "" ? [] : [{ type: "section", text: plain(body, MAX_SECTION) }]),
    ...(elements.length === 0
      ? []
      : [{ type: "actions", block_id: `${ALERT_BLOCK}${recordId ?? ""}`, elements }]),
  ];
}

/** A refusal has the status 200, too. */
function readAnswer(answer: ProviderAnswer, now: number) {
  const { status, body } = answer;
  const name = String(valueAt(body, "error") ?? "");
  const error = /^\w{1,60}$/.test(name) ? name : "";
  if (status === 200 && valueAt(body, "ok") !== true) {
    const reason = `Slack answered ${error === "" ? "what is no answer of Slack's" : error}`;
    const isTemporary = error === "" || TEMPORARY_SLACK_ERRORS.has(error);
    return { kind: isTemporary ? "temporary" : "permanent", reason } as const;
  }
  // A message is changed by both.
  const id = `${valueAt(body, "channel")}:${valueAt(body, "ts")}`;
  return outcomeOf("Slack", answer, now, id, { [status]: error || "no reason" });
}

const NO_APP = {
  kind: "permanent",
  reason: "this account has no enabled Slack app integration with a token",
} as const;

const call = (method: string, token: string | undefined, body: unknown): ProviderRequest =>
  jsonRequest("POST", `${API}/${method}`, body, { Authorization: `Bearer ${token}` });

export const slack: Messenger = {
  channel: "slack",
  title: MESSENGER_TITLES.slack,
  about:
    "Your account's Slack app writes to you. To answer by its buttons, link your Slack account: the first press shows how.",
  proof: "code",
  fields: [
    {
      key: "member_id",
      label: "Member ID",
      help: "In Slack: your profile, the menu with three dots, Copy member ID.",
      required: true,
      format: {
        pattern: /^[UW][A-Z0-9]{6,20}$/,
        fault: "must be a member's ID, such as U0123ABCDEF",
      },
    },
  ],
  isSetUp: (env) => Boolean(env.PUBLIC_URL),
  appType: APP_TYPE,
  furtherSettings: async (_, apps) => {
    const secrets = await apps.readSecrets(APP_TYPE, "bot_token");
    if (secrets?.bot_token === undefined) return NO_APP;
    return { kind: "settings", settings: { token: secrets.bot_token } };
  },
  request: (_, { member_id: channel, token }, content) =>
    call("chat.postMessage", token, {
      channel,
      text: escapeText(content.title || "Tocsin"),
      blocks: blocksOf(content),
      ...LITERAL,
      ...{ unfurl_links: false, unfurl_media: false },
    }),
  close: (_, { token }, id, { outcome, title }) => {
    const [channel, ts] = id.split(":");
    const line = oneLine(`${outcome}: ${title}`);
    const blocks = [{ type: "section", text: plain(line, MAX_SECTION) }];
    return call("chat.update", token, { channel, ts, text: escapeText(line), blocks, ...LITERAL });
  },
  read: readAnswer,
};
