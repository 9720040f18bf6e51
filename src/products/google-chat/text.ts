// Google Chat's text: cards render some HTML tags; messages have markup of their own
// (https://developers.google.com/workspace/chat/format-messages).
import { escapeAround } from "../outgoing/around-links.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Escapes text from others for a card. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (it) => ENTITIES[it] ?? it);

/**
 * Text from others for a message, which has no escapes: with a zero-width space after each character
 * that starts markup, a mention or a link.
 */
export const withoutMarkup = (text: string): string => text.replace(/[*_~`<]/g, "$&\u200b");

/** The same for what is said to a person, but for the links in it. */
export const withoutMarkupAroundLinks = (text: string): string => escapeAround(text, withoutMarkup);
