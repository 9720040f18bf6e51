// Slack, by an incoming webhook: a coloured attachment of blocks. `&`, `<` and `>` are all that can make a link or a
// mention there, so nobody's text can call a channel.

import type { Outgoing } from "../integration-type.ts";
import { EVENTS_OF_CHATS, isFaultOfMessage, outgoingType } from "../outgoing.ts";
import { COLOURS, shortened, wordsOf } from "../outgoing-words.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** A block's text may have 3,000 characters, entities counted as they are written. */
const MOST_IN_BLOCK = 2_900;

function escaped(text: string, most = MOST_IN_BLOCK): string {
  let kept = shortened(text, most);
  const written = () => kept.replace(/[&<>]/g, (it) => ENTITIES[it] ?? it);
  while (written().length > most) kept = shortened(kept, Math.floor(kept.length * 0.8));
  return written();
}

const announce: Outgoing["announce"] = (told, _, secrets) => {
  const words = wordsOf(told);
  const { headline, title, text, facts, url } = words;
  const markdown = (said: string) => ({ type: "mrkdwn", text: said });
  const named = `*${escaped(headline, 600)}*\n${escaped(title, 1_200)}`;
  const fields = facts.map(([label, value]) => markdown(`*${label}*\n${escaped(value, 1_900)}`));
  const button = {
    type: "button",
    text: { type: "plain_text", text: "Open" },
    url,
  };
  const blocks = [
    { type: "section", text: markdown(named) },
    ...(text === null ? [] : [{ type: "section", text: markdown(escaped(text)) }]),
    ...(fields.length === 0 ? [] : [{ type: "section", fields }]),
    ...(url === null ? [] : [{ type: "actions", elements: [button] }]),
  ];
  const body = {
    text: escaped(`${headline}: ${title}`),
    attachments: [{ color: COLOURS[words.tone], blocks }],
  };
  return { url: secrets.webhook_url ?? "", body };
};

export const slack = outgoingType({
  name: "slack",
  title: "Slack",
  description: "Notifies a Slack channel of alerts, comments and shifts, with an incoming webhook.",
  options: [
    {
      key: "webhook_url",
      type: "secret",
      required: true,
      default: null,
      help: "The incoming webhook's URL: https://hooks.slack.com/services/…",
    },
  ],
  outgoing: {
    events: EVENTS_OF_CHATS,
    addressOption: "webhook_url",
    signs: false,
    announce,
    // 403 action_prohibited and 404 channel_not_found may be mended; an invalid payload stays one.
    refuses: isFaultOfMessage,
  },
});
