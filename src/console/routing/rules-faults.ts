// The lines of a rules document that have errors: the API's messages name line and column, the
// editor marks them.
import type { Refusal } from "../../domain/shared/refusal.ts";

export type RulesFault = { readonly line: number; readonly column: number; readonly text: string };

/** Removes the API path from a message, because the editor shows the line. */
const textOf = (text: string) => text.replace(/^[:\s]*(?:\([\w[\].]+\):\s*)?/, "");

/** The errors of the parameter `rules` that name a line and column. */
export function rulesFaults(refusal: Refusal | null): readonly RulesFault[] {
  return (refusal?.errors ?? []).flatMap(({ field, message }) => {
    const [, line, column, text] = /line (\d+), column (\d+)(.*)$/s.exec(message) ?? [];
    if (field !== "rules" || line === undefined) return [];
    return [{ line: Number(line), column: Number(column), text: textOf(text ?? "") }];
  });
}
