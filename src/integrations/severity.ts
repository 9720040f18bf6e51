// The words that monitoring tools use for how bad it is, as an alert's urgency. One table for every type.
import { ALERT_URGENCIES, type AlertUrgency } from "../domain/alert.ts";

const URGENCY_OF_WORD: Readonly<Record<string, AlertUrgency>> = {
  silent: "silent",
  low: "low",
  info: "low",
  information: "low",
  informational: "low",
  medium: "medium",
  warning: "medium",
  warn: "medium",
  high: "high",
  error: "high",
  critical: "critical",
  page: "critical",
  fatal: "critical",
  emergency: "critical",
};

/** The urgency that a severity word stands for, in any case; null when it is not one we know. */
export function urgencyOfWord(word: string | null): AlertUrgency | null {
  const key = word?.trim().toLowerCase() ?? "";
  return Object.hasOwn(URGENCY_OF_WORD, key) ? (URGENCY_OF_WORD[key] ?? null) : null;
}

/**
 * The urgency in free text: the whole of it a known word, else the first word in it that begins with one of
 * the four ("P1 - Critical", "Highest"). `silent` counts only on its own: no phrase may hide a page.
 */
export function urgencyInText(text: string | null): AlertUrgency | null {
  const whole = urgencyOfWord(text);
  if (whole !== null || text === null) return whole;
  const found = /(?<![a-z])(?:low|medium|high|critical)/.exec(text.toLowerCase());
  return urgencyOfWord(found?.[0] ?? null);
}

/** The worst of several urgencies; null when none is known. */
export function worstUrgency(urgencies: readonly (AlertUrgency | null)[]): AlertUrgency | null {
  return ALERT_URGENCIES.findLast((urgency) => urgencies.includes(urgency)) ?? null;
}
