// Maps the severity words of monitoring tools to an alert's urgency: one table for all types. An
// integration's own `severity_map` takes precedence.
import { ALERT_URGENCIES, type AlertUrgency } from "../../domain/alerts/alert.ts";

const WORDS: Readonly<Record<AlertUrgency, readonly string[]>> = {
  silent: ["silent"],
  low: [
    "low",
    "info",
    "information",
    "informational",
    "notice",
    "debug",
    "lowest",
    "p4",
    "p5",
    "sev4",
    "sev5",
  ],
  medium: ["medium", "warning", "warn", "minor", "average", "moderate", "normal", "p3", "sev3"],
  high: ["high", "error", "major", "serious", "p2", "sev2"],
  critical: [
    "critical",
    "crit",
    "page",
    "fatal",
    "emergency",
    "urgent",
    "disaster",
    "highest",
    "blocker",
    "p0",
    "p1",
    "sev0",
    "sev1",
  ],
};

const URGENCY_OF_WORD: ReadonlyMap<string, AlertUrgency> = new Map(
  ALERT_URGENCIES.flatMap((urgency) => WORDS[urgency].map((word) => [word, urgency] as const)),
);

/** The table as text for people, without `silent`. */
export const SEVERITY_WORDS = ALERT_URGENCIES.filter((urgency) => urgency !== "silent")
  .map((urgency) => `${urgency}: ${WORDS[urgency].join(" ")}`)
  .join("; ");

/** The urgency of a severity word, case-insensitively; null if the word is unknown. */
export function urgencyOfWord(
  word: string | null,
  options: Readonly<Record<string, unknown>> = {},
): AlertUrgency | null {
  const key = word?.trim().toLowerCase() ?? "";
  return parseSeverityMap(options).get(key) ?? URGENCY_OF_WORD.get(key) ?? null;
}

/**
 * The urgency in free text: of the whole text if it is a known word, else of the first word that
 * begins with low, medium, high or critical ("P1 - Critical", "Highly important"). `silent` must be
 * the whole text: a phrase must never suppress a page.
 */
export function urgencyInText(
  text: string | null,
  options: Readonly<Record<string, unknown>> = {},
): AlertUrgency | null {
  const whole = urgencyOfWord(text, options);
  if (whole !== null || text === null) return whole;
  const found = /(?<![a-z])(?:low|medium|high|critical)/.exec(text.toLowerCase());
  return urgencyOfWord(found?.[0] ?? null, options);
}

/** The highest of several urgencies; null if none is known. */
export function worstUrgency(urgencies: readonly (AlertUrgency | null)[]): AlertUrgency | null {
  return ALERT_URGENCIES.findLast((urgency) => urgencies.includes(urgency)) ?? null;
}

/** The validation error of a `severity_map` (`warning=low, 5=critical`), or null. */
export function severityMapFault(text: string): string | null {
  for (const pair of parsePairs(text)) {
    const [word, urgency, more] = pair;
    if (!word || more !== undefined) return "must be pairs like warning=low, 5=critical";
    if (!isUrgency(urgency)) return `must map to one of ${ALERT_URGENCIES.join(", ")}`;
  }
  return null;
}

function parseSeverityMap(
  options: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, AlertUrgency> {
  const text = options.severity_map;
  if (typeof text !== "string") return new Map();
  const pairs = parsePairs(text).map(([word = "", urgency]) => [word, urgency] as const);
  return new Map(pairs.filter((pair): pair is [string, AlertUrgency] => isUrgency(pair[1])));
}

function parsePairs(text: string): string[][] {
  const pairs = text.split(/[,;\n]/).filter((pair) => pair.trim() !== "");
  return pairs.map((pair) => pair.split("=").map((part) => part.trim().toLowerCase()));
}

const isUrgency = (word: string | undefined): word is AlertUrgency =>
  ALERT_URGENCIES.some((urgency) => urgency === word);
