// A notification rule as steps: after how long on which channel, whatever the alert. Rules that say more, such as
// conditions or quiet hours, are not steps.
import { MINUTE, SECOND } from "../../shared/time.ts";
import { parseDuration } from "../rules/duration.ts";
import type { Action, ShownRule } from "./model.ts";
import { readBuilder } from "./rules-text.ts";

export type NotificationStep = {
  /** Ms after the first step. */
  readonly after: number;
  readonly channel: string;
};

const isAlways = ({ conditions, types }: ShownRule): boolean =>
  types === null && conditions.every((it) => it.kind === "always" && it.value);

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(String);

/** How long an action waits, in ms; 0 for the last one, which nothing follows; null if it is more than a step. */
function waitOf(action: Action, isLast: boolean): number | null {
  const { type, channels, timeout, ...others } = action;
  const isPlain = type === "notify" && Object.keys(others).length === 0 && channels !== undefined;
  if (!isPlain || (isLast && timeout !== undefined)) return null;
  return isLast ? 0 : parseDuration(String(timeout ?? ""));
}

/** The steps of a document, in their order; null if it says more than steps can. */
export function readSteps(text: string): readonly NotificationStep[] | null {
  const read = readBuilder(text, "notification_rule");
  const [rule, ...others] = read.kind === "rules" ? read.rules : [];
  if (rule?.kind !== "shown" || others.length > 0 || !isAlways(rule)) return null;
  const steps: NotificationStep[] = [];
  let after = 0;
  for (const [at, action] of rule.actions.entries()) {
    const wait = waitOf(action, at === rule.actions.length - 1);
    if (wait === null) return null;
    steps.push(...textsOf(action.channels).map((channel) => ({ after, channel })));
    after += wait;
  }
  return steps;
}

const durationText = (ms: number) => (ms % MINUTE === 0 ? `${ms / MINUTE}m` : `${ms / SECOND}s`);

/** The document of these steps: those of one time are one action. The earliest step is at once. */
export function writeSteps(steps: readonly NotificationStep[]): string {
  const times = [...new Set(steps.map(({ after }) => after))].toSorted((one, other) => one - other);
  const actions = times.map((time, at) => {
    const channels = steps.filter(({ after }) => after === time).map(({ channel }) => channel);
    const next = times[at + 1];
    const timeout = next === undefined ? "" : `, timeout: ${durationText(next - time)}`;
    return `      - { type: notify, channels: [${[...new Set(channels)].join(", ")}]${timeout} }\n`;
  });
  return `rules:\n  - match: { always: true }\n    actions:\n${actions.join("")}`;
}
