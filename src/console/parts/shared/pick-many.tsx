// Several of many, each with a box to tick.
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
  readonly help?: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly refusal?: Refusal | null;
  /** What is said where there is nothing to choose from. */
  readonly none?: string;
}) => {
  const faults = (refusal?.errors ?? []).filter(({ field }) => field === name);
  return (
    <fieldset class="pick-many" aria-invalid={faults.length > 0 ? "true" : undefined}>
      <legend>{label}</legend>
      {help ? <p class="help">{help}</p> : null}
      {/* So that a list from which everything was taken is sent as an empty one. */}
      <input type="hidden" name={`${name}[]`} value="" />
      {/* Chosen before, and no choice any more: it stays until somebody takes it out. */}
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

/** Records as choices, by their names. */
export const choicesOf = (
  records: readonly { readonly id: string; readonly name: string }[],
): readonly Choice[] => records.map(({ id, name }) => ({ value: id, label: name }));
