// The fields of an on-call event's form: when, how often, on which layer, who.
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { TIME_ZONE_NAMES } from "../../../domain/shared/time-zones.ts";
import type { DutyForm } from "../../oncall/duty-form.ts";
import { WEEKDAYS } from "../../oncall/duty-words.ts";
import type { Names } from "../../shared/names.ts";
import { PeopleInTurn } from "../people/people-field.tsx";
import { CheckField, SelectField, TextField } from "../shared/form.tsx";

/** The parameters whose errors the fields show themselves. */
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

const UNITS = [
  { value: "hourly", label: "hour(s)" },
  { value: "daily", label: "day(s)" },
  { value: "weekly", label: "week(s)" },
  { value: "monthly", label: "month(s)" },
  { value: "yearly", label: "year(s)" },
];

type EventFieldsProps = { readonly form: DutyForm; readonly refusal: Refusal | null };

const TimeFields = ({ form, refusal }: EventFieldsProps) => (
  <div class="side-by-side">
    <TextField
      name="start_datetime"
      label="Start"
      type="datetime-local"
      value={form.start}
      refusal={refusal}
      required
    />
    <TextField
      name="end_datetime"
      label="End"
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

const RepeatFields = ({ form, refusal }: EventFieldsProps) => (
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
        help="If empty, the shift repeats without end."
        refusal={refusal}
      />
    </div>
    <fieldset class="days">
      <legend>Days (daily and weekly repeats only; none selected means all)</legend>
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
      help="One person per repeat is on call, in the order above. Without rotation, all are on call together."
    />
  </fieldset>
);

export const DutyFields = ({
  form,
  refusal,
  names,
}: EventFieldsProps & { readonly names: Names }) => (
  <>
    <TimeFields form={form} refusal={refusal} />
    <TextField
      name="layer"
      label="Layer"
      type="number"
      min={1}
      max={100}
      value={form.layer}
      help="Layer 1 is notified first. The team's escalation policy decides when the next layer is."
      refusal={refusal}
      required
    />
    <PeopleInTurn
      names={names}
      ids={form.people}
      label="People"
      help="A person can appear several times in a rotation."
      allowsNobody
      refusal={refusal}
    />
    <RepeatFields form={form} refusal={refusal} />
  </>
);
