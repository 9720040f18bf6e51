// The form of an on-call event: when, how often, on which layer, who.
import { TIME_ZONE_NAMES } from "../../../domain/shared/time-zones.ts";
import { CreateEvent } from "../../../features/oncall/events/parameters.ts";
import {
  type DeclaredForm,
  declareForm,
  type FormState,
} from "../../../kernel/console/declared-form.ts";
import { listOf } from "../../../kernel/console/values.ts";
import { asChoices } from "../../choices.ts";
import { WEEKDAYS } from "../../oncall/weekdays.ts";
import { PositionsField, type PositionsProps } from "../rotation/positions-field.tsx";
import { EffectFields } from "../rotation/rotation-fields.tsx";

const UNITS = {
  hourly: "hour(s)",
  daily: "day(s)",
  weekly: "week(s)",
  monthly: "month(s)",
  yearly: "year(s)",
};

type EventFormState = FormState & {
  /** What the field of the people needs. */
  readonly people: Pick<PositionsProps, "names" | "draft" | "members">;
  /** The next handoff in words, if a change of the people may wait for it; null: it may not. */
  readonly effect: { readonly nextHandoff: string | null } | null;
};

const People = ({ values, people, refusal }: EventFormState) => (
  <PositionsField {...people} values={values} refusal={refusal} />
);

const Effect = ({ values, refusal, effect }: EventFormState) =>
  effect && (
    <EffectFields
      {...{ values, refusal, ...effect }}
      help="Of a change of the people, which leaves who was on call. Other changes apply to all shifts."
    />
  );

const Days = ({ values }: EventFormState) => (
  <fieldset class="days">
    <legend>Days (daily and weekly repeats only; none selected means all)</legend>
    {WEEKDAYS.map((name, day) => (
      <label>
        <input
          type="checkbox"
          name="days_of_week[]"
          value={String(day)}
          checked={listOf(values, "days_of_week").includes(String(day))}
        />{" "}
        {name}
      </label>
    ))}
  </fieldset>
);

export const EVENT_FORM: DeclaredForm<EventFormState> = declareForm(CreateEvent, [
  {
    fields: [
      { name: "start_datetime", label: "Start" },
      { name: "end_datetime", label: "End" },
      { name: "time_zone", label: "Time zone", choices: asChoices(TIME_ZONE_NAMES) },
    ],
  },
  {
    name: "layer",
    label: "Layer",
    help: "Layer 1 is notified first. The team's escalation policy decides when the next layer is.",
  },
  { draw: People, parameters: ["account_user_ids", "positions"] },
  {
    legend: "Repeats",
    fields: [
      { name: "repeat", label: "Repeats" },
      {
        fields: [
          { name: "frequency", label: "Every" },
          { name: "frequency_unit", label: "Unit", choiceLabels: UNITS },
          {
            name: "repeat_end_datetime",
            label: "Last day",
            type: "date",
            help: "If empty, the shift repeats without end.",
          },
        ],
      },
      { draw: Days },
      {
        name: "rotation",
        label: "Rotation",
        help: "One position per repeat is on call, in the order above. Without rotation, all are on call together.",
      },
    ],
  },
  { draw: Effect, parameters: ["effective_at"] },
]);
