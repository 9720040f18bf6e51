// Where a rules document is at fault: the API's messages name line and column, the editor marks them.
import type { Refusal } from "../../domain/shared/refusal.ts";

export type RulesFault = { readonly line: number; readonly column: number; readonly text: string };

/** Without the path to it that a client of the API has use for: who reads this sees the line. */
const textOf = (text: string) => text.replace(/^[:\s]*(?:\([\w[\].]+\):\s*)?/, "");

/** The faults of the parameter `rules` that name a place. */
export function rulesFaults(refusal: Refusal | null): readonly RulesFault[] {
  return (refusal?.errors ?? []).flatMap(({ field, message }) => {
    const [, line, column, text] = /line (\d+), column (\d+)(.*)$/s.exec(message) ?? [];
    if (field !== "rules" || line === undefined) return [];
    return [{ line: Number(line), column: Number(column), text: textOf(text ?? "") }];
  });
}
