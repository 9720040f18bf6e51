// A short list of people. It works without scripts: it always has a few empty positions.
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { faultText } from "../../labels.ts";
import type { Names } from "../../shared/names.ts";

const BLANK_POSITIONS = 3;

export const PeopleInTurn = ({
  names,
  ids,
  label,
  help,
  refusal,
}: {
  readonly names: Names;
  readonly ids: readonly string[];
  readonly label: string;
  readonly help?: string;
  readonly refusal?: Refusal | null;
}) => {
  const faults = (refusal?.errors ?? []).filter(({ field }) => field === "account_user_ids");
  const positions = Array.from({ length: ids.length + BLANK_POSITIONS }, (_, at) => ids[at] ?? "");
  return (
    <fieldset class="places">
      <legend>{label}</legend>
      {help ? <p class="help">{help}</p> : null}
      <ol>
        {positions.map((chosen, at) => (
          <li>
            <select
              name="account_user_ids[]"
              aria-label={`${label}, position ${at + 1}`}
              aria-invalid={faults.length > 0 && at === 0 ? "true" : undefined}
            >
              <option value="">{at < ids.length ? "– remove –" : "– add a person –"}</option>
              {names.people.map((person) => (
                <option value={person.id} selected={person.id === chosen}>
                  {person.user.name}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ol>
      {faults.length > 0 ? (
        <p class="faults">{faults.map((fault) => faultText(fault, label)).join(" ")}</p>
      ) : null}
    </fieldset>
  );
};
