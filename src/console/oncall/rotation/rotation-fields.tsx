// The fields of the form of a rotation.

import type { Child } from "hono/jsx";
import { TIME_ZONE_NAMES } from "../../../domain/shared/time-zones.ts";
import type { Choice } from "../../../kernel/console/choice.ts";
import {
  CheckField,
  type FormState,
  SelectField,
  TextField,
} from "../../../kernel/console/form.tsx";
import { fieldText } from "../../../kernel/console/values.ts";
import { asChoices } from "../../choices.ts";
import { EXTEND } from "../events/event-form.ts";
import { HoursFields, type PartProps, WEEK } from "./hours-fields.tsx";
import { PositionsField, type PositionsProps } from "./positions-field.tsx";
import { REGION_HOURS, regionField, regionHoursFields } from "./regions.ts";
import { FROM_FIRST_TURN, ON_DATE } from "./rotation-change.ts";

const UNITS = [
  { value: "daily", label: "day(s)" },
  { value: "weekly", label: "week(s)" },
  { value: "monthly", label: "month(s)" },
];

const text = ({ values }: FormState, name: string) => fieldText(values, name);

/** How long a turn is, and when it hands off. */
export const TurnFields = (props: FormState & { readonly children?: Child }) => (
  <fieldset class="group turn">
    <legend>Turns</legend>
    <div class="side-by-side tight">
      <TextField
        name="frequency"
        of={props}
        label="Every"
        type="number"
        min={1}
        max={1000}
        required
      />
      <SelectField name="frequency_unit" of={props} label="Unit" choices={UNITS} />
      <div class="for-weekly">
        <SelectField name="handoff_day" of={props} label="Handoff day" choices={WEEK} />
      </div>
      <div class="for-monthly">
        <TextField
          name="handoff_date"
          of={props}
          label="Handoff day of the month"
          type="number"
          min={1}
          max={31}
        />
      </div>
      <TextField name="handoff_time" of={props} label="Handoff time" type="time" required />
    </div>
    {props.children}
  </fieldset>
);

type ZoneFieldProps = FormState & { readonly name: string; readonly label: string };

export const ZoneField = ({ name, label, ...shown }: ZoneFieldProps) => (
  <SelectField
    name={name}
    of={shown}
    parameter="time_zone"
    label={label}
    choices={asChoices(TIME_ZONE_NAMES)}
  />
);

export const StartField = (props: FormState) => (
  <TextField
    name="start"
    of={props}
    parameter="effective_at"
    label="Start"
    type="datetime-local"
    help="If empty, the rotation starts now. The first turn ends at the next handoff."
  />
);

/** When a change of a stored rotation takes effect. */
export const EffectFields = ({
  nextHandoff,
  hasFirst,
  help = "Who was on call stays. A change of turns or hours begins with a turn: now means the present one.",
  ...props
}: FormState & {
  /** The time of the next handoff, if there is one. */
  readonly nextHandoff: string | null;
  /** Whether everything may change from the first turn on. */
  readonly hasFirst?: boolean;
  readonly help?: string;
}) => (
  <fieldset class="group effect">
    <legend>Change</legend>
    <div class="side-by-side">
      <SelectField
        name="effective_at"
        of={props}
        label="Takes effect"
        choices={[
          {
            value: "next_handoff",
            label: `At the next handoff${nextHandoff === null ? "" : `, ${nextHandoff}`}`,
          },
          { value: "now", label: "Now" },
          { value: "after_full_rotation", label: "When everybody had their turn" },
          { value: ON_DATE, label: "At a time" },
          ...(hasFirst
            ? [{ value: FROM_FIRST_TURN, label: "From the first turn on: changes the past" }]
            : []),
        ]}
      />
      <div class="for-date">
        <TextField name="effective_on" of={props} label="Time" type="datetime-local" />
      </div>
    </div>
    <p class="help">{help}</p>
  </fieldset>
);

/** Whether the people of the shift before stay if the first changed one starts later. */
export const ExtendField = ({ of, what }: { readonly of: FormState; readonly what: string }) => (
  <CheckField
    name={EXTEND}
    of={of}
    label={`Extend the ${what} before`}
    help={`If the first changed ${what} starts later than it did, whoever is on call before it stays until then. Otherwise nobody is on call in between.`}
  />
);

/** What happens to the hours of people who are away, as all pages say it. */
export const WHEN_AWAY = "When somebody is away";
const WHEN_AWAY_CHOICES: readonly Choice[] = [
  { value: "stay", label: "they stay on call" },
  { value: "next_in_line", label: "the next in line takes it" },
];

/** What most rotations leave as it is. */
export const MoreFields = (props: FormState & { readonly children?: Child }) => {
  const givesToNext = text(props, "when_away") === "next_in_line";
  const isUsed =
    givesToNext || Number(text(props, "priority")) > 0 || text(props, "repeat_end_datetime") !== "";
  return (
    <details class="more" open={isUsed || props.refusal !== null}>
      <summary>More</summary>
      {props.children}
      <div class="side-by-side">
        <TextField
          name="repeat_end_datetime"
          of={props}
          label="Last day"
          type="date"
          help="If empty, the rotation has no end."
        />
        <TextField
          name="priority"
          of={props}
          label="Priority"
          type="number"
          min={0}
          max={100}
          help="In its hours, rotations of lower priority on its step do not count."
        />
      </div>
      <SelectField
        {...{ name: "when_away", label: WHEN_AWAY, choices: WHEN_AWAY_CHOICES }}
        of={props}
        otherwise="stay"
        help="Unless somebody says who takes it. If everybody is away, they stay on call."
      />
    </details>
  );
};

export const LayerField = (props: FormState & { readonly help: string }) => (
  <TextField
    name="layer"
    of={props}
    label="Step"
    type="number"
    min={1}
    max={100}
    required
    help={props.help}
  />
);

/** The fields of a region that follows the sun: its clock, and its hours of the day. */
export const RegionFields = ({ part, ...shown }: PartProps) => {
  const names = regionHoursFields(part);
  return (
    <>
      <ZoneField {...shown} name={regionField(part)} label="Time zone" />
      <div class="hours">
        <SelectField
          name={names.hours}
          parameter="restrictions"
          label="Hours on call"
          choices={REGION_HOURS}
          of={shown}
          otherwise="share"
        />
        <div class="own-hours">
          <p class="help">On the region's own clock, every day.</p>
          <div class="side-by-side tight">
            <TextField name={names.from} label="From" type="time" of={shown} otherwise="09:00" />
            <TextField name={names.until} label="Until" type="time" of={shown} otherwise="17:00" />
          </div>
        </div>
      </div>
    </>
  );
};

/** The parameters whose errors the fields of a rotation show themselves. */
export const ROTATION_PARAMETERS = [
  ...["account_user_ids", "positions", "frequency", "frequency_unit", "time_zone", "effective_at"],
  ...["restrictions", "layer", "priority", "when_away", "repeat_end_datetime"],
];

/** The state of the form of an event, whether of a rotation or not. */
export type EventFormState = FormState & {
  /** What the field of the people needs. */
  readonly people: Pick<PositionsProps, "names" | "draft" | "members">;
  /** The next handoff in words, if a change of the people may wait for it; null: it may not. */
  readonly effect: { readonly nextHandoff: string | null } | null;
};

export const RotationFields = ({ people, effect, ...fields }: EventFormState) => (
  <>
    <PositionsField {...people} {...fields} />
    <HoursFields {...fields} part={0} />
    <TurnFields {...fields}>
      <ZoneField {...fields} name="time_zone" label="Time zone" />
    </TurnFields>
    <MoreFields {...fields}>
      <LayerField {...fields} help="Step 1 is notified first." />
    </MoreFields>
    {effect ? <EffectFields {...fields} {...effect} hasFirst /> : null}
  </>
);
