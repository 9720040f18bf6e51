// Discord's text: it is Markdown; mentions notify nobody, since every message says so.
import { escapeAround } from "../outgoing/around-links.ts";

/** Escapes text from others, so that it is shown as it is. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_~|>#[\]()<:@-]/g, "\\$&");

/** The same for what is said to a person, but for the links in it. */
export const escapeAroundLinks = (text: string): string => escapeAround(text, escapeMarkdown);

/** An instant as each reader's Discord shows it. */
export const timeText = (at: number): string => `<t:${Math.floor(at / 1000)}:t>`;
