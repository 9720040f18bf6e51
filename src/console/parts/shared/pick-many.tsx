// A multiple choice with checkboxes.
import type { Child } from "hono/jsx";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { faultText } from "../../labels.ts";
import type { Choice } from "./form.tsx";

export const PickMany = ({
  name,
  label,
  help,
  choices,
  chosen,
  refusal,
  none,
}: {
  readonly name: string;
  readonly label: string;
  readonly help?: Child;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly refusal?: Refusal | null;
  /** The text if there are no choices. */
  readonly none?: string;
}) => {
  const faults = (refusal?.errors ?? []).filter(({ field }) => field === name);
  return (
    <fieldset class="pick-many" aria-invalid={faults.length > 0 ? "true" : undefined}>
      <legend>{label}</legend>
      {help ? <p class="help">{help}</p> : null}
      {/* Submits an empty list if nothing is ticked. */}
      <input type="hidden" name={`${name}[]`} value="" />
      {/* Preserves stored values that are not offered any more. */}
      {chosen
        .filter((value) => !choices.some((choice) => choice.value === value))
        .map((value) => (
          <input type="hidden" name={`${name}[]`} value={value} />
        ))}
      <div class="choices">
        {choices.map(({ value, label: text }) => (
          <label>
            <input
              type="checkbox"
              name={`${name}[]`}
              value={value}
              checked={chosen.includes(value)}
            />{" "}
            {text}
          </label>
        ))}
        {choices.length === 0 ? <p class="soft">{none ?? "None yet."}</p> : null}
      </div>
      {faults.length > 0 ? (
        <p class="faults">{faults.map((fault) => faultText(fault, label)).join(" ")}</p>
      ) : null}
    </fieldset>
  );
};
