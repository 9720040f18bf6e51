// The steps of a notification rule in its form: after how many minutes, on which channel, with buttons that add, remove
// and move one. Rules with conditions, quiet hours or repeats are edited as rules.

import { channelWord } from "../../domain/people/messengers.ts";
import {
  type NotificationStep,
  readSteps,
  writeSteps,
} from "../../domain/routing/builder/notification-steps.ts";
import { MINUTE } from "../../domain/shared/time.ts";
import { EnterSaves, RowsButton, RowTools } from "../../kernel/console/form-rows.tsx";
import { ROW_BUTTON } from "../../kernel/console/picker-search.ts";
import { fieldText, textOf, type Values } from "../../kernel/console/values.ts";

/** The button that goes on to the editor of rules. */
const AS_RULES = "rules";

/** How much later than the last one a new step is. */
const NEXT_AFTER = 5 * MINUTE;

const sentSteps = (steps: object): readonly NotificationStep[] =>
  Object.values(steps).map((row: Values) => ({
    after: Math.round(Number(fieldText(row, "after") || 0) * MINUTE),
    channel: fieldText(row, "channel"),
  }));

/** By time, from the first one. */
function byTime(steps: readonly NotificationStep[]): readonly NotificationStep[] {
  const sorted = steps.toSorted((one, other) => one.after - other.after);
  const start = sorted[0]?.after ?? 0;
  return sorted.map((step) => ({ ...step, after: step.after - start }));
}

/** Adds, removes or moves a step: `add sms`, `remove 2`, `up 2`; a moved one takes the time of the one before it. */
export function changedSteps(
  steps: readonly NotificationStep[],
  change: string,
): readonly NotificationStep[] {
  const [what, argument = ""] = change.split(" ");
  const last = steps.at(-1);
  if (what === "add")
    return [...steps, { after: last ? last.after + NEXT_AFTER : 0, channel: argument }];
  const at = Number(argument);
  const [before, step] = [steps[at - 1], steps[at]];
  if (!step) return steps;
  if (what === "remove") return steps.toSpliced(at, 1);
  if (what !== "up" || !before) return steps;
  return steps
    .with(at - 1, { ...before, channel: step.channel })
    .with(at, { ...step, channel: before.channel });
}

const isSame = (steps: readonly NotificationStep[], text: string): boolean => {
  const stored = readSteps(text);
  return stored !== null && writeSteps(stored) === writeSteps(steps);
};

/** The rules that a form means: as they are stored, where its steps are the same. */
export function rulesOf(form: Values): string {
  const text = fieldText(form, "rules").replaceAll("\r\n", "\n");
  if (form.steps === undefined) return text;
  const steps = byTime(sentSteps(form.steps as object));
  return isSame(steps, text) ? text : writeSteps(steps);
}

/** The steps to show; null: the rules are edited as rules. */
export function stepsOf(values: Values): readonly NotificationStep[] | null {
  const change = textOf(values, ROW_BUTTON);
  if (change === AS_RULES) return null;
  const steps = values.steps
    ? byTime(sentSteps(values.steps as object))
    : readSteps(fieldText(values, "rules"));
  return steps && byTime(changedSteps(steps, change));
}

type NotificationStepsProps = {
  readonly to: string;
  readonly steps: readonly NotificationStep[];
  /** The document as it is stored. */
  readonly rules: string;
  /** The channels that the people of the rule have. */
  readonly channels: readonly string[];
};

export const NotificationSteps = ({ to, steps, rules, channels }: NotificationStepsProps) => {
  const path = `${to}#steps`;
  const offered = [...new Set([...channels, ...steps.map(({ channel }) => channel)])];
  const unused = offered.find((channel) => !steps.some((step) => step.channel === channel));
  return (
    <fieldset class="group" id="steps">
      <legend>Steps</legend>
      <p class="help">
        Each step notifies on its channel, unless the alert has been answered before.
      </p>
      <EnterSaves />
      <input type="hidden" name="rules" value={rules} />
      <ol class="stack">
        {steps.map(({ after, channel }, at) => (
          <li class="layer-row">
            {at === 0 ? (
              <>
                <span class="word">at once, by</span>
                <input type="hidden" name="steps[0][after]" value="0" />
              </>
            ) : (
              <label>
                <span class="word">after</span>
                <input
                  aria-label={`Step ${at + 1}: minutes`}
                  type="number"
                  min={0}
                  step="any"
                  required
                  name={`steps[${at}][after]`}
                  value={String(after / MINUTE)}
                />
                <span class="word">min, by</span>
              </label>
            )}
            <select name={`steps[${at}][channel]`} aria-label={`Step ${at + 1}: channel`}>
              {offered.map((value) => (
                <option value={value} selected={value === channel}>
                  {channelWord(value)}
                </option>
              ))}
            </select>
            <RowTools
              {...{ to: path, row: at }}
              up={at === 0 ? null : `Move step ${at + 1} up`}
              remove={steps.length === 1 ? null : `Remove step ${at + 1}`}
            />
          </li>
        ))}
      </ol>
      <div class="buttons">
        <RowsButton to={path} change={`add ${unused ?? offered[0] ?? "email"}`}>
          Add step
        </RowsButton>
        <RowsButton to={path} change={AS_RULES}>
          Add conditions
        </RowsButton>
      </div>
    </fieldset>
  );
};
