// The control of a selection: of a few choices, or a search among many records.
import type { Choice } from "./choice.ts";
import { PickOne } from "./pick-one.tsx";
import { FEW_OPTIONS } from "./picker-search.ts";
import type { ChoiceSource } from "./sources.ts";

type Value = string | readonly string[] | null;

/** Adds a stored value that is not offered any more, so that saving the form preserves it. */
const withStored = (choices: readonly Choice[], value: Value): readonly Choice[] => {
  const stored = typeof value === "string" ? value : value?.length ? null : "";
  if (stored === null || choices.some((choice) => choice.value === stored)) return choices;
  return [{ value: stored, label: stored === "" ? "– none –" : stored }, ...choices];
};

type SelectProps = {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: Value;
  /** What a search finds, if there can be many choices. */
  readonly source?: ChoiceSource | undefined;
  /** The id of a record that the search does not offer. */
  readonly except?: string | undefined;
  /** The text of a search without scripts. */
  readonly sought?: string;
  /** The name of the search, if several fields have the same name. */
  readonly search?: string;
  readonly described: Readonly<Record<string, string | true | undefined>>;
  readonly form?: string;
  readonly required?: boolean;
  readonly multiple?: boolean;
  readonly size?: number;
};

export const Select = (props: SelectProps) => {
  const { label, choices, value, source, except, sought = "", search, described, ...input } = props;
  const offered = withStored(choices, value);
  if (source && choices.length > FEW_OPTIONS && !Array.isArray(value)) {
    const { name, form, required } = input;
    return (
      <PickOne
        {...{ name, label, source, except, sought, search, described, form, required }}
        choices={offered}
        value={typeof value === "string" ? value : ""}
      />
    );
  }
  const isChosen = (choice: string) =>
    Array.isArray(value) ? value.includes(choice) : choice === (value ?? "");
  return (
    <select {...input} {...described}>
      {offered.map((choice) => (
        // What must be chosen is no choice itself: the blank one is only what the field shows before.
        <option
          value={choice.value}
          selected={isChosen(choice.value)}
          hidden={input.required && choice.value === ""}
        >
          {choice.label}
        </option>
      ))}
    </select>
  );
};
