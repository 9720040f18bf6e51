// How a person is notified of their own shifts: the panel of the settings.

import {
  MAX_REMINDERS,
  REMINDER_CHANNELS,
  type ShiftReminder,
} from "../../domain/oncall/notices/reminders.ts";
import { WEEKDAYS } from "../../domain/oncall/notices/weekly.ts";
import { channelWord } from "../../domain/people/messengers.ts";
import { capitalized } from "../../domain/shared/words.ts";
import { UpdateUser } from "../../features/people/users/parameters.ts";
import { declareForm } from "../../kernel/console/declared-form.ts";
import {
  Button,
  Form,
  type FormState,
  SelectField,
  TextField,
} from "../../kernel/console/form.tsx";
import { FormFields } from "../../kernel/console/form-fields.tsx";
import { fieldText, type Values } from "../../kernel/console/values.ts";
import type { PanelProps } from "./reach-panels.tsx";

/** The units of a reminder, in minutes, longest first. */
const UNITS = [
  { minutes: 1_440, value: "days" },
  { minutes: 60, value: "hours" },
  { minutes: 1, value: "minutes" },
] as const;

const nameOf = (row: number, part: "length" | "unit" | "channel") => `reminder_${row}_${part}`;

/** The largest unit in which a time is a whole number. */
function inUnits(minutes: number): { readonly length: number; readonly unit: string } {
  const unit = UNITS.find((it) => minutes > 0 && minutes % it.minutes === 0) ?? UNITS[2];
  return { length: minutes / unit.minutes, unit: unit.value };
}

type ReminderRowProps = { readonly row: number; readonly reminder: ShiftReminder | undefined };

const ReminderRow = ({ row, reminder }: ReminderRowProps) => {
  const { length, unit } =
    reminder === undefined ? { length: "", unit: "minutes" } : inUnits(reminder.minutes_before);
  const which = `reminder ${row + 1}`;
  return (
    <div class="side-by-side">
      <TextField
        name={nameOf(row, "length")}
        label={`Time before, ${which}`}
        type="number"
        min={0}
        value={String(length)}
      />
      <SelectField
        name={nameOf(row, "unit")}
        label={`Unit, ${which}`}
        choices={UNITS.map(({ value }) => ({ value, label: value }))}
        value={unit}
      />
      <SelectField
        name={nameOf(row, "channel")}
        label={`Channel, ${which}`}
        choices={[
          { value: "", label: "your usual channels" },
          ...REMINDER_CHANNELS.map((value) => ({ value, label: channelWord(value) })),
        ]}
        value={reminder?.channel ?? ""}
      />
    </div>
  );
};

/** The rows of the reminders that there are, and one for another. */
const ReminderRows = ({ values }: FormState) => {
  const reminders = (values.shift_reminders ?? []) as readonly ShiftReminder[];
  const rows = Math.min(reminders.length + 1, MAX_REMINDERS);
  return (
    <fieldset class="group">
      <legend>Reminders before each of your shifts begins</legend>
      {Array.from({ length: rows }, (_, row) => (
        <ReminderRow row={row} reminder={reminders[row]} />
      ))}
      <p class="help">Leave the time empty to remove a reminder.</p>
    </fieldset>
  );
};

/** A length that is not a number is sent as it was entered: the API names what is wrong with it. */
function readReminders(form: Values): Values {
  const rows = Array.from({ length: MAX_REMINDERS }, (_, row) => row).flatMap((row) => {
    const length = fieldText(form, nameOf(row, "length")).trim();
    const unit = UNITS.find(({ value }) => value === fieldText(form, nameOf(row, "unit")));
    if (length === "") return [];
    const minutes = /^\d+$/.test(length) ? Number(length) * (unit?.minutes ?? 1) : length;
    return [{ minutes_before: minutes, channel: fieldText(form, nameOf(row, "channel")) || null }];
  });
  return { shift_reminders: rows };
}

/** What a person is told of their own shifts. */
export const SHIFTS = declareForm(UpdateUser, [
  { name: "shift_notices", label: "When somebody else puts you on a shift, or takes you off one" },
  {
    draw: (state) => <ReminderRows {...state} />,
    parameters: ["shift_reminders"],
    body: readReminders,
  },
  {
    legend: "A list of your shifts of the coming week",
    fields: [
      {
        fields: [
          {
            name: "shift_digest_day",
            label: "Day",
            choices: [
              { value: "", label: "never" },
              ...WEEKDAYS.map((value) => ({ value, label: capitalized(value) })),
            ],
          },
          { name: "shift_digest_time_of_day", label: "Time", type: "time" },
        ],
      },
    ],
  },
]);

export const ShiftSettings = ({ me }: PanelProps) => (
  <Form to="/settings/shifts" kind="fields">
    <FormFields form={SHIFTS} state={{ values: me.person.user, refusal: null }} />
    <Button tone="plain">Save shift notifications</Button>
  </Form>
);
