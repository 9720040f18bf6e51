// Formats structured details as text: one `key: value` line per value, nested objects and lists
// indented below their key. Bounded in lines, depth and length.
import { isJsonObject } from "../../domain/shared/json.ts";
import { boundText } from "./bounds.ts";
import { textOf } from "./payload.ts";

const MAX_LINES = 100;
const MAX_DEPTH = 4;
const MAX_KEY = 100;
const MAX_VALUE = 2_000;

/** Formats a value as lines; a text stays as it is; null if there is nothing to show. */
export function formatLines(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return textOf(value);
  // One line more than the limit shows whether any were dropped.
  const lines = [...linesOf(value, 0, MAX_LINES + 1)];
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), "…"] : lines;
  return shown.join("\n") || null;
}

function linesOf(value: object, depth: number, most: number): string[] {
  const isList = Array.isArray(value);
  const indent = "  ".repeat(depth);
  const lines: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (lines.length >= most) break;
    const name = isList ? "-" : `${boundText(key, MAX_KEY)}:`;
    const isNested = isJsonObject(inner) || (Array.isArray(inner) && inner.some(isStructured));
    if (isNested && depth < MAX_DEPTH && textOf(inner) !== null) {
      lines.push(`${indent}${name}`, ...linesOf(inner, depth + 1, most - lines.length - 1));
    } else {
      const text = scalarText(inner, indent);
      if (text !== null) lines.push(`${indent}${name} ${text}`);
    }
  }
  return lines;
}

const isStructured = (value: unknown): boolean => typeof value === "object" && value !== null;

/** A value as text for its key's line; further lines of a multi-line text are indented. */
function scalarText(value: unknown, indent: string): string | null {
  const isFlat = Array.isArray(value) && !value.some(isStructured);
  const text = isFlat
    ? value
        .slice(0, MAX_LINES)
        .flatMap((one) => textOf(one) ?? [])
        .join(", ")
    : textOf(value);
  return text ? boundText(text, MAX_VALUE).replaceAll("\n", `\n${indent}  `) : null;
}
