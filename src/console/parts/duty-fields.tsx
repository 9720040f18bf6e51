// The fields of an on-call event's form: when, how often, on which layer, who.
import type { Refusal } from "../../domain/refusal.ts";
import { TIME_ZONE_NAMES } from "../../domain/time-zones.ts";
import type { DutyForm } from "../duty-form.ts";
import { WEEKDAYS } from "../duty-words.ts";
import type { Names } from "../names.ts";
import { CheckField, SelectField, TextField } from "./form.tsx";
import { PeopleInTurn } from "./people-field.tsx";

/** The parameters whose fields show what is wrong with them. */
export const DUTY_PARAMETERS = [
  "start_datetime",
  "end_datetime",
  "time_zone",
  "layer",
  "account_user_ids",
  "frequency",
  "frequency_unit",
  "repeat_end_datetime",
];

/** The labels of parameters whose faults no field shows. */
const LABELS: Readonly<Record<string, string>> = {
  start_datetime: "From",
  end_datetime: "Until",
  days_of_week: "Days",
  repeat: "Repeats",
  repeat_end_datetime: "Last day",
  rotation: "Rotation",
  frequency: "Every",
  frequency_unit: "Unit",
  account_user_ids: "People",
};

/** A refusal in the labels of the form, not in the names of the API. */
export function withLabels(refusal: Refusal): Refusal {
  const named = (text: string) =>
    text.replace(
      /\b[a-z]+(?:_[a-z]+)+\b|^(?:repeat|rotation|frequency)\b/g,
      (name) => LABELS[name] ?? name,
    );
  const errors = refusal.errors.map((error) => ({
    ...error,
    // A field's own name is taken off again where it stands below the field.
    message:
      error.field && DUTY_PARAMETERS.includes(error.field) && error.message.startsWith(error.field)
        ? error.field + named(error.message.slice(error.field.length))
        : named(error.message),
  }));
  return { ...refusal, errors };
}

const UNITS = [
  { value: "hourly", label: "hours" },
  { value: "daily", label: "days" },
  { value: "weekly", label: "weeks" },
  { value: "monthly", label: "months" },
  { value: "yearly", label: "years" },
];

type Shown = { readonly form: DutyForm; readonly refusal: Refusal | null };

const When = ({ form, refusal }: Shown) => (
  <div class="side-by-side">
    <TextField
      name="start_datetime"
      label="From"
      type="datetime-local"
      value={form.start}
      refusal={refusal}
      required
    />
    <TextField
      name="end_datetime"
      label="Until"
      type="datetime-local"
      value={form.end}
      refusal={refusal}
      required
    />
    <SelectField
      name="time_zone"
      label="Time zone"
      choices={TIME_ZONE_NAMES.map((name) => ({ value: name, label: name }))}
      value={form.zone}
      refusal={refusal}
    />
  </div>
);

const Repeat = ({ form, refusal }: Shown) => (
  <fieldset class="group">
    <legend>Repeats</legend>
    <CheckField name="repeat" label="Repeats" checked={form.repeat} />
    <div class="side-by-side">
      <TextField
        name="frequency"
        label="Every"
        type="number"
        min={1}
        value={form.frequency}
        refusal={refusal}
      />
      <SelectField
        name="frequency_unit"
        label="Unit"
        choices={UNITS}
        value={form.unit}
        refusal={refusal}
      />
      <TextField
        name="repeat_end_datetime"
        label="Last day"
        type="date"
        value={form.last}
        help="Empty: without end."
        refusal={refusal}
      />
    </div>
    <fieldset class="days">
      <legend>Days (for a repeat in days or weeks; none: all)</legend>
      {WEEKDAYS.map((name, day) => (
        <label>
          <input
            type="checkbox"
            name="days_of_week[]"
            value={String(day)}
            checked={form.days.includes(String(day))}
          />{" "}
          {name}
        </label>
      ))}
    </fieldset>
    <CheckField
      name="rotation"
      label="Rotation"
      checked={form.rotation}
      help="People take turns in the order above, the next one at each repeat. Otherwise all are on call together."
    />
  </fieldset>
);

export const DutyFields = ({ form, refusal, names }: Shown & { readonly names: Names }) => (
  <>
    <When form={form} refusal={refusal} />
    <TextField
      name="layer"
      label="Layer"
      type="number"
      min={1}
      max={100}
      value={form.layer}
      help="Layer 1 is asked first; the team's escalation policy says when the next one is."
      refusal={refusal}
      required
    />
    <PeopleInTurn
      names={names}
      ids={form.people}
      label="People"
      help="In a rotation the same person may stand several times."
      allowsNobody
      refusal={refusal}
    />
    <Repeat form={form} refusal={refusal} />
  </>
);
