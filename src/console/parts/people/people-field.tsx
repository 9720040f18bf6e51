// A short list of people. It works without scripts: it always has a few empty positions.
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Choice } from "../../forms/choice.ts";
import { peopleChoices } from "../../forms/choices.ts";
import { faultText } from "../../labels.ts";
import { searchField } from "../../pickers/picker-search.ts";
import type { Names } from "../../shared/names.ts";
import { fieldText, type Values } from "../../shared/values.ts";
import { Select } from "../pickers/select.tsx";

const BLANK_POSITIONS = 3;

type PositionProps = {
  /** Of the search: all positions have the name `account_user_ids[]`. */
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string;
  readonly isInvalid: boolean;
  readonly values: Values;
};

const Position = ({ name, label, choices, chosen, isInvalid, values }: PositionProps) => {
  const attributes = {
    "aria-label": label,
    ...(isInvalid && { "aria-invalid": "true" }),
  };
  return (
    <Select
      {...{ name: "account_user_ids[]", search: name, label, choices, value: chosen }}
      source="people"
      sought={fieldText(values, searchField(name))}
      described={attributes}
    />
  );
};

export const PeopleInTurn = ({
  names,
  values,
  ids,
  label,
  help,
  refusal,
}: {
  readonly names: Names;
  /** The form, with the texts of searches. */
  readonly values: Values;
  readonly ids: readonly string[];
  readonly label: string;
  readonly help?: string;
  readonly refusal?: Refusal | null;
}) => {
  const faults = (refusal?.errors ?? []).filter(({ field }) => field === "account_user_ids");
  const people = peopleChoices(names);
  const positions = Array.from({ length: ids.length + BLANK_POSITIONS }, (_, at) => ids[at] ?? "");
  return (
    <fieldset class="places">
      <legend>{label}</legend>
      {help ? <p class="help">{help}</p> : null}
      <ol>
        {positions.map((chosen, at) => (
          <li>
            <Position
              name={`account_user_ids_${at}`}
              label={`${label}, position ${at + 1}`}
              choices={[
                { value: "", label: at < ids.length ? "– remove –" : "– add a person –" },
                ...people,
              ]}
              chosen={chosen}
              isInvalid={faults.length > 0 && at === 0}
              values={values}
            />
          </li>
        ))}
      </ol>
      {faults.length > 0 ? (
        <p class="faults">{faults.map((fault) => faultText(fault, label)).join(" ")}</p>
      ) : null}
    </fieldset>
  );
};
