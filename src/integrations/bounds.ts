// How much of a sender's text is kept. Whatever is too long is cut and marked, never refused: a page must
// not be lost because a sender is wordy. Lengths are in UTF-16 units, as JavaScript and the API count them.

export const MAX_TITLE = 1_024;
export const MAX_DESCRIPTION = 65_536;
const MAX_IDENTIFIER = 1_000;
export const MAX_TAG = 255;
export const MAX_LABEL = 255;
export const MAX_DATUM = 4_096;
/** The most tags, keys or additional data that one event may carry. */
export const MAX_ITEMS = 100;
/** Of all additional data together, as JSON within JSON, in bytes: D1 takes no row over 2 MB. */
export const MAX_DATA_BYTES = 600_000;
/** Of a sender's free hash, as JSON, in bytes. */
export const MAX_META_BYTES = 65_536;

const MARK = "…";

/** The text, at most `limit` long, ending in `…` if it was cut; never cut inside a surrogate pair. */
export function boundedText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return head(text, limit - MARK.length) + MARK;
}

/** A title that fits, and a description that begins with the whole title where it did not. */
export function boundedWords(
  title: string,
  description: string | null,
): { readonly title: string; readonly description: string | null } {
  const whole = title.trim();
  const words = description?.trim() ? description.trim() : null;
  if (whole.length <= MAX_TITLE) {
    return { title: whole, description: words && boundedText(words, MAX_DESCRIPTION) };
  }
  const both = words ? `${whole}\n\n${words}` : whole;
  return {
    title: boundedText(whole, MAX_TITLE),
    description: boundedText(both, MAX_DESCRIPTION),
  };
}

/**
 * A sender's identifier, at most 1,000 long. A longer one keeps its beginning and a checksum of the whole:
 * long identifiers (an Alertmanager group of every label) differ at their end, and two that became
 * one would swallow a page.
 */
export function boundedIdentifier(identifier: string): string {
  if (identifier.length <= MAX_IDENTIFIER) return identifier;
  const sum = `#${checksum(identifier)}`;
  return head(identifier, MAX_IDENTIFIER - sum.length) + sum;
}

/** Sixteen hexadecimal digits: two 32-bit FNV-1a sums with different starts. Not for secrets. */
function checksum(text: string): string {
  const sums = [0x811c9dc5, 0x9747b28c].map((start) => {
    let sum = start;
    for (let index = 0; index < text.length; index += 1) {
      sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
    }
    return (sum >>> 0).toString(16).padStart(8, "0");
  });
  return sums.join("");
}

function head(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? length - 1 : length);
}
