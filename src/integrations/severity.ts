// The words that monitoring tools use for how bad it is, as an alert's urgency. One table for every type; an
// integration's own `severity_map` goes before it.
import { ALERT_URGENCIES, type AlertUrgency } from "../domain/alert.ts";

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

/** The table in a sentence, for people. */
export const SEVERITY_WORDS = ALERT_URGENCIES.filter((urgency) => urgency !== "silent")
  .map((urgency) => `${urgency}: ${WORDS[urgency].join(" ")}`)
  .join("; ");

/** The urgency that a severity word stands for, in any case; null when it is not one we know. */
export function urgencyOfWord(
  word: string | null,
  options: Readonly<Record<string, unknown>> = {},
): AlertUrgency | null {
  const key = word?.trim().toLowerCase() ?? "";
  return mappedBy(options).get(key) ?? URGENCY_OF_WORD.get(key) ?? null;
}

/**
 * The urgency in free text: the whole of it a known word, else the first word in it that begins with one of
 * the four ("P1 - Critical", "Highly important"). `silent` counts only on its own: no phrase may hide a page.
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

/** The worst of several urgencies; null when none is known. */
export function worstUrgency(urgencies: readonly (AlertUrgency | null)[]): AlertUrgency | null {
  return ALERT_URGENCIES.findLast((urgency) => urgencies.includes(urgency)) ?? null;
}

/** What is wrong with a `severity_map` (`warning=low, 5=critical`), else null. */
export function severityMapFault(text: string): string | null {
  for (const pair of pairsOf(text)) {
    const [word, urgency, more] = pair;
    if (!word || more !== undefined) return "must be pairs like warning=low, 5=critical";
    if (!isUrgency(urgency)) return `must map to one of ${ALERT_URGENCIES.join(", ")}`;
  }
  return null;
}

function mappedBy(options: Readonly<Record<string, unknown>>): ReadonlyMap<string, AlertUrgency> {
  const text = options.severity_map;
  if (typeof text !== "string") return new Map();
  const pairs = pairsOf(text).map(([word = "", urgency]) => [word, urgency] as const);
  return new Map(pairs.filter((pair): pair is [string, AlertUrgency] => isUrgency(pair[1])));
}

function pairsOf(text: string): string[][] {
  const pairs = text.split(/[,;\n]/).filter((pair) => pair.trim() !== "");
  return pairs.map((pair) => pair.split("=").map((part) => part.trim().toLowerCase()));
}

const isUrgency = (word: string | undefined): word is AlertUrgency =>
  ALERT_URGENCIES.some((urgency) => urgency === word);
