// Mattermost's text: it is Markdown, `@` mentions people and `:` makes emoji. Neither can be escaped
// by a backslash, so that a zero-width space divides them; it stands nowhere else, because it would
// be copied with an address or a command.
import { escapeAround } from "../outgoing/around-links.ts";

/** What Mattermost reads as a mention: an `@` that does not follow a part of a word. */
const MENTION = /(?<![\p{L}\p{N}._+-])@(?=[\p{L}\p{N}_])/gu;

/**
 * The first colon of an emoji, `:fire:` or `:D`. Of the names in digits only two are emoji: `9100`
 * is a port, and `30` a minute.
 */
const EMOJI = /:(?=(?:100|1234|[\w+-]*[a-z_+-][\w+-]*):)|(?<=^|\s):(?=-?[a-z|@*$&](?:\s|$))/gi;

/** Escapes text from others: nothing in it is Markdown, a mention or an emoji. URLs stay whole. */
export const escapeMarkdown = (text: string): string =>
  escapeAround(text.replace(URLS, escapeUrl), (part) =>
    part
      .replace(MENTION, "@\u200b")
      .replace(EMOJI, ":\u200b")
      .replace(/[\\`*_{}[\]()#+\-!|>~<]/g, "\\$&"),
  );

const URLS = /https?:\/\/\S+/g;

/** The same URL in characters that end no link and mention nobody. */
const escapeUrl = (url: string): string =>
  url.replace(MENTION, "%40").replace(/[`|<>[\]\\]/g, encodeURIComponent);
