// Size limits for what a sender provides. Excess is truncated and marked, never refused: a long
// text must not lose a page. Lengths are in UTF-16 code units, as in JavaScript and the API.

export const MAX_TITLE = 1_024;
export const MAX_DESCRIPTION = 65_536;
const MAX_IDENTIFIER = 1_000;
export const MAX_TAG = 255;
export const MAX_MEMBER = 200;
export const MAX_LABEL = 255;
export const MAX_DATUM = 4_096;
/** The maximum number of tags, keys or additional data per event. */
export const MAX_ITEMS = 100;
/** All additional data of an event, in bytes, as JSON nested in JSON. D1 limits a row to 2 MB. */
export const MAX_DATA_BYTES = 600_000;
/** A sender's `meta`, as JSON, in bytes. */
export const MAX_META_BYTES = 65_536;

const MARK = "…";

/** Truncates a text to `limit`, ending in `…`. Never splits a surrogate pair. */
export function boundText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return head(text, limit - MARK.length) + MARK;
}

/** Truncates title and description. The description of a cut title starts with the whole title. */
export function boundTexts(
  title: string,
  description: string | null,
): { readonly title: string; readonly description: string | null } {
  const whole = title.trim();
  const text = description?.trim() ? description.trim() : null;
  if (whole.length <= MAX_TITLE) {
    return { title: whole, description: text && boundText(text, MAX_DESCRIPTION) };
  }
  const both = text ? `${whole}\n\n${text}` : whole;
  return {
    title: boundText(whole, MAX_TITLE),
    description: boundText(both, MAX_DESCRIPTION),
  };
}

/**
 * Limits a sender's identifier; a longer one keeps its start and a checksum of the
 * whole. Long identifiers (an Alertmanager group key with every label) often differ only at the
 * end, and a collision would suppress a page.
 */
export function boundIdentifier(identifier: string, limit = MAX_IDENTIFIER): string {
  if (identifier.length <= limit) return identifier;
  const sum = `#${checksum(identifier)}`;
  return head(identifier, limit - sum.length) + sum;
}

/** Sixteen hexadecimal digits: two 32-bit FNV-1a hashes with different seeds. Not cryptographic. */
export function checksum(text: string): string {
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
