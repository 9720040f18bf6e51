// Slack's text: what is escaped in text from others, and plain text from what a person writes
// (https://docs.slack.dev/messaging/formatting-message-text: `&`, `<` and `>` are entities; `<@U…>`,
// `<#C…|name>`, `<!here>`, `<!subteam^S…|@name>`, `<!date^…|text>` and `<https://…|label>` are special).
import { truncateText } from "../outgoing/message-text.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Below Slack's limit of 3,000 characters per block; escaped entities count in full. */
const MAX_BLOCK_TEXT = 2_900;

/** Escapes text from others, so that it makes no link and mentions nobody; truncated to `most`. */
export function escapeText(text: string, most = MAX_BLOCK_TEXT): string {
  let truncated = truncateText(text, most);
  const escapeTruncated = () => truncated.replace(/[&<>]/g, (it) => ENTITIES[it] ?? it);
  while (escapeTruncated().length > most) {
    truncated = truncateText(truncated, Math.floor(truncated.length * 0.8));
  }
  return escapeTruncated();
}

/** An instant as each reader's Slack shows it, by their own clock. */
export function timeText(at: number): string {
  const fallback = `${new Date(at).toISOString().slice(11, 16)} UTC`;
  return `<!date^${Math.floor(at / 1000)}^{time}|${fallback}>`;
}

const PLAIN: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
const withoutEntities = (text: string) => text.replace(/&(amp|lt|gt);/g, (it) => PLAIN[it] ?? it);

/** A special text between `<` and `>`, as people read it. */
function readSpecial(target: string, label: string | undefined): string {
  if (target.startsWith("@")) return label ? `@${label}` : target;
  if (target.startsWith("#")) return label ? `#${label}` : target;
  if (target.startsWith("!")) return label ?? `@${target.slice(1)}`;
  return label === undefined || label === target ? target : `${label} (${target})`;
}

/** What a person wrote, as plain text. */
export function readText(text: string): string {
  const plain = text.replace(
    /<([@#!][^<>|]+|[a-z][a-z\d+.-]*:[^<>|]+)(?:\|([^<>]*))?>/gi,
    (_, target, label) => readSpecial(target, label),
  );
  return withoutEntities(plain).toWellFormed().trim();
}

/** The first person whom a text mentions, by their id; null without one. */
export const readMention = (text: string): string | null =>
  /<@([UW][A-Z0-9]{2,20})(?:\|[^<>]*)?>/.exec(text)?.[1] ?? null;
