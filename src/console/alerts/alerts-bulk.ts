// Acknowledges or resolves several alerts at once, from their list: the selected ones, or all that
// match.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { refusalText } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf, textsOf } from "../../kernel/console/values.ts";
import { action, type ConsolePage, type Visit } from "../page.ts";
import { backToAlerts } from "./back-to-alerts.ts";
import { answerMatching } from "./bulk-operation.tsx";

const MAX_AT_ONCE = 100;

const WORDS = { acknowledge: "acknowledged", resolve: "resolved" } as const;

function flashOf(
  kind: keyof typeof WORDS,
  answers: readonly (unknown | Refusal)[],
): { readonly tone: "good" | "bad"; readonly text: string } {
  const refused = answers.filter(isRefusal);
  const count = answers.length - refused.length;
  const good = `${count} ${count === 1 ? "alert" : "alerts"} ${WORDS[kind]}.`;
  if (refused.length === 0) return { tone: "good", text: good };
  const reasons = [...new Set(refused.map(refusalText))].slice(0, 3).join(" ");
  return { tone: "bad", text: `${good} ${refused.length} not ${WORDS[kind]}: ${reasons}` };
}

/** Acknowledges or resolves the selected alerts, and says how many it did and why not the others. */
async function bulk(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const to = backToAlerts(form, "/alerts");
  const ids = textsOf(form, "ids").slice(0, MAX_AT_ONCE);
  const kind = textOf(form, "do") === "resolve" ? "resolve" : "acknowledge";
  if (textOf(form, "matching") === "true") return answerMatching(visit, kind);
  if (ids.length === 0) {
    return { kind: "goto", to, flash: { tone: "bad", text: "Select at least one alert." } };
  }
  const answers = await Promise.all(ids.map((id) => api.post(`/alerts/:id/${kind}`, { id })));
  return { kind: "goto", to, flash: flashOf(kind, answers) };
}

export const alertsBulk: readonly ConsolePage[] = [action("/alerts/bulk", bulk)];
