// The hours of the week in which a rotation is served: a preset, a span of the week, or windows.
import { type FormState, SelectField, TextField } from "../../../kernel/console/form.tsx";
import { listOf } from "../../../kernel/console/values.ts";
import { WEEKDAYS } from "../weekdays.ts";
import { HOURS, hoursField, spanFields, spanIn, windowFields, windowsShown } from "./hours.ts";

export type PartProps = FormState & {
  /** The part of the form; 0 if it has only one. */
  readonly part: number;
};

/** Monday first. */
const DAYS_IN_ORDER = [1, 2, 3, 4, 5, 6, 0];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
export const WEEK = DAYS_IN_ORDER.map((day) => ({ value: String(day), label: DAYS[day] ?? "" }));

type DayBoxesProps = Pick<FormState, "values"> & {
  readonly name: string;
  readonly days: readonly number[];
};

/** A checkbox for each of some days of the week, by their short names. */
export const DayBoxes = ({ name, days, values }: DayBoxesProps) => (
  <>
    {days.map((day) => (
      <label>
        <input
          type="checkbox"
          name={`${name}[]`}
          value={String(day)}
          checked={listOf(values, name).includes(String(day))}
        />{" "}
        {WEEKDAYS[day]}
      </label>
    ))}
  </>
);

const Window = (props: PartProps & { readonly at: number }) => {
  const { values, part, at } = props;
  const names = windowFields(part, at);
  const clock = { pattern: "([01]\\d|2[0-4]):[0-5]\\d", maxlength: 5, placeholder: "09:00" };
  return (
    <fieldset class="window">
      <legend class="unseen">Window {at + 1}</legend>
      <div class="days">
        <DayBoxes name={names.days} days={DAYS_IN_ORDER} values={values} />
      </div>
      <div class="side-by-side tight">
        <TextField of={props} name={names.from} label="From" {...clock} />
        <TextField of={props} name={names.until} label="Until" {...clock} />
      </div>
    </fieldset>
  );
};

/** From a weekday and time to another. */
const SpanFields = ({ values, part }: PartProps) => {
  const names = spanFields(part);
  const span = spanIn(values, part);
  return (
    <div class="side-by-side tight span-hours">
      <SelectField
        name={names.fromDay}
        label="From day"
        choices={WEEK}
        value={String(span.fromDay)}
      />
      <TextField name={names.from} label="From time" type="time" value={span.from} />
      <SelectField
        name={names.untilDay}
        label="Until day"
        choices={WEEK}
        value={String(span.untilDay)}
      />
      <TextField name={names.until} label="Until time" type="time" value={span.until} />
    </div>
  );
};

/** The hours of the turn that are served. */
export const HoursFields = (props: PartProps) => {
  const { values, part } = props;
  return (
    <div class="hours">
      <SelectField
        name={hoursField(part)}
        parameter="restrictions"
        label="Hours on call"
        choices={HOURS}
        of={props}
        otherwise="whole"
      />
      <SpanFields {...props} />
      <div class="own-hours">
        <p class="help">
          No day selected means every day. A window that ends before it starts ends on the next day.
        </p>
        {Array.from({ length: windowsShown(values, part) }, (_, at) => (
          <Window {...props} at={at} />
        ))}
      </div>
    </div>
  );
};
