// A selection of one of many records. With scripts it is a field that searches while somebody types
// (`assets/pickers`); without, a selection of a few beside a search, which shows the form again.
import type { Child } from "hono/jsx";
import type { Choice } from "./choice.ts";
import { listedChoices, SEARCH_BUTTON, searchField } from "./picker-search.ts";
import { type ChoiceSource, choicesPath } from "./sources.ts";

/** The search of a picker without scripts. */
export const PickerSearch = ({
  name,
  label,
  sought,
  form,
}: {
  readonly name: string;
  readonly label: string;
  readonly sought: string;
  readonly form?: string | undefined;
}) => (
  <>
    <input
      type="search"
      name={searchField(name)}
      value={sought}
      form={form}
      aria-label={`Search: ${label}`}
      placeholder="Search by name"
      autocomplete="off"
    />
    <button
      type="submit"
      class="button plain"
      name={SEARCH_BUTTON}
      value={name}
      form={form}
      formnovalidate
    >
      Search
    </button>
  </>
);

export const PickOne = ({
  name,
  label,
  choices,
  value,
  source,
  except,
  sought,
  search = name,
  form,
  described,
  required,
}: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly source: ChoiceSource;
  /** The id of a record that a search does not offer. */
  readonly except?: string | undefined;
  /** The text of a search without scripts. */
  readonly sought: string;
  /** The name of the search, if several fields have the same name. */
  readonly search?: string;
  readonly form?: string | undefined;
  /** Attributes of the selection. */
  readonly described: Readonly<Record<string, string | true | undefined>>;
  readonly required?: boolean | undefined;
}): Child => (
  <div class="picker" data-picker="one" data-from={choicesPath(source, except)} hx-morph-skip>
    <select name={name} form={form} required={required} {...described}>
      {listedChoices(choices, value, sought).map((choice) => (
        <option value={choice.value} selected={choice.value === value}>
          {choice.label}
        </option>
      ))}
    </select>
    <PickerSearch name={search} label={label} sought={sought} form={form} />
  </div>
);
