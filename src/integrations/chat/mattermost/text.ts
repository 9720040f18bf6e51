// Mattermost's text: it is Markdown, `@` mentions people and `:` makes emoji.
import { escapeAround } from "../around-links.ts";

/**
 * Escapes text from others: Markdown, and with a zero-width space after each `@` and `:`, mentions and
 * emoji.
 */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_{}[\]()#+\-!|>~<]/g, "\\$&").replace(/[@:]/g, "$&\u200b");

/** Escapes what is said to a person, but for the links in it. */
export const escapeAroundLinks = (text: string): string => escapeAround(text, escapeMarkdown);
