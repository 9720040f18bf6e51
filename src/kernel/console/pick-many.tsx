// A multiple choice with checkboxes. Of many records only the chosen ones are listed; others are
// added by a search: while somebody types (`assets/pickers`), or without scripts by a button.
import type { Child } from "hono/jsx";
import type { Choice } from "./choice.ts";
import type { FormState } from "./form.tsx";
import { faultText } from "./labels.ts";
import { PickerSearch } from "./pick-one.tsx";
import { FEW_CHOICES, findChoices, searchField } from "./picker-search.ts";
import { type ChoiceSource, choicesPath } from "./sources.ts";
import { fieldText, listOf } from "./values.ts";

type PickManyProps = {
  readonly name: string;
  readonly label: string;
  readonly help?: Child;
  readonly choices: readonly Choice[];
  /** The state of its form, unless what is chosen is given. */
  readonly of?: FormState;
  readonly chosen?: readonly string[];
  /** The text if there are no choices. */
  readonly none?: string;
  /** What a search finds, if there can be many. */
  readonly source?: ChoiceSource | undefined;
  /** Whether the choices are searched also if they are few. */
  readonly searchesFew?: boolean;
};

const Boxes = ({
  name,
  choices,
  chosen,
  children,
}: Pick<PickManyProps, "name" | "choices"> & {
  readonly chosen: readonly string[];
  readonly children?: Child;
}) => (
  <div class="choices">
    {choices.map(({ value, label }) => (
      <label>
        <input type="checkbox" name={`${name}[]`} value={value} checked={chosen.includes(value)} />{" "}
        {label}
      </label>
    ))}
    {children}
  </div>
);

/** The chosen records, and a search for others. */
const Found = (
  props: PickManyProps & {
    readonly source: ChoiceSource;
    readonly chosen: readonly string[];
    /** The text of a search without scripts. */
    readonly sought: string;
  },
) => {
  const { name, label, choices, chosen, source, sought } = props;
  const found = findChoices(choices, sought).filter(({ value }) => !chosen.includes(value));
  const picked = choices.filter(({ value }) => chosen.includes(value));
  return (
    <div data-picker="many" data-from={choicesPath(source)} data-name={`${name}[]`} hx-morph-skip>
      <div class="picker">
        <PickerSearch name={name} label={label} sought={sought} />
      </div>
      {sought !== "" && found.length === 0 ? <p class="soft">Nothing else found.</p> : null}
      <Boxes name={name} choices={[...picked, ...found]} chosen={chosen}>
        {picked.length + found.length === 0 ? (
          <p class="soft" data-none>
            None chosen.
          </p>
        ) : null}
      </Boxes>
    </div>
  );
};

export const PickMany = (props: PickManyProps) => {
  const { name, label, help, choices, of, none, source, searchesFew } = props;
  const { chosen = of ? listOf(of.values, name) : [] } = props;
  const sought = of ? fieldText(of.values, searchField(name)) : "";
  const faults = (of?.refusal?.errors ?? []).filter(({ field }) => field === name);
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
      {source && (searchesFew || choices.length > FEW_CHOICES) ? (
        <Found {...{ ...props, source, chosen, sought }} />
      ) : (
        <Boxes name={name} choices={choices} chosen={chosen}>
          {choices.length === 0 ? <p class="soft">{none ?? "None yet."}</p> : null}
        </Boxes>
      )}
      {faults.length > 0 ? (
        <p class="faults">{faults.map((fault) => faultText(fault, label)).join(" ")}</p>
      ) : null}
    </fieldset>
  );
};
