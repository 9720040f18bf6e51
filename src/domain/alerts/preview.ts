// Simulates an alert: runs its steps in order, each at the instant it would be due. Stores and
// sends nothing. Asynchronous only because the facts at each instant are loaded by the caller.

import type { Refusal } from "../shared/refusal.ts";
import { type Alert, type LogEntry, nextStepAt, type Page } from "./alert.ts";
import type { AlertDraft, Command, CommandContext, Outcome } from "./commands.ts";
import { transition } from "./transition.ts";

/** Limit on the steps of one preview: more than any policy needs. */
const MAX_STEPS = 250;

type Known = Pick<CommandContext, "facts" | "routers" | "firsts">;
type Needs = Extract<Outcome, { kind: "needs" }>;

export type Preview = {
  readonly alert: Alert;
  readonly log: readonly LogEntry[];
  readonly pages: readonly Page[];
  /** False if the step limit was reached. */
  readonly complete: boolean;
};

/**
 * Simulates an alert from its creation to its end with no answers.
 *
 * @param at when it would be created (epoch ms)
 * @param loadFacts loads missing facts at an instant; called until a step needs no more
 */
export async function preview(
  draft: AlertDraft,
  at: number,
  newId: (now: number) => string,
  loadFacts: (needs: Needs, known: Known, now: number) => Promise<Known>,
): Promise<Preview | Refusal> {
  let alert: Alert | null = null;
  const log: LogEntry[] = [];
  const pages: Page[] = [];
  let command: Command = { type: "create", draft, sequences: [] };
  let now = at;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const outcome = await decide(alert, command, now);
    if (outcome.kind === "refused") return outcome.refusal;
    if (outcome.kind === "unchanged") throw new Error("a preview's step was not due");
    alert = outcome.alert;
    log.push(...outcome.log);
    pages.push(...outcome.pages);
    const next = nextStepAt(alert);
    if (next === null) return { alert, log, pages, complete: true };
    now = next;
    command = { type: "tick" };
  }
  return { alert: alert as Alert, log, pages, complete: false };

  async function decide(state: Alert | null, nextCommand: Command, instant: number) {
    let known: Known = { facts: new Map(), routers: null, firsts: new Map() };
    for (;;) {
      const window = { until: null, log: draft.log };
      const ids = { newId: () => newId(instant), hasClaimed: false };
      const context = { ...known, ...ids, now: instant, window };
      const outcome = transition(state, nextCommand, context);
      if (outcome.kind !== "needs") return outcome;
      known = await loadFacts(outcome, known, instant);
    }
  }
}
