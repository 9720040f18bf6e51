// The fields of the form of a rotation.
import type { Child } from "hono/jsx";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { TIME_ZONE_NAMES } from "../../../domain/shared/time-zones.ts";
import type { Choice } from "../../../kernel/console/choice.ts";
import { CheckField, SelectField, TextField } from "../../../kernel/console/form.tsx";
import { fieldText, isTicked, type Values } from "../../../kernel/console/values.ts";
import { asChoices } from "../../choices.ts";
import { EXTEND } from "../events/move-shift.ts";
import { WEEK } from "./hours-fields.tsx";
import { FROM_FIRST_TURN, ON_DATE } from "./rotation-change.ts";

type Shown = { readonly values: Values; readonly refusal: Refusal | null };

const UNITS = [
  { value: "daily", label: "day(s)" },
  { value: "weekly", label: "week(s)" },
  { value: "monthly", label: "month(s)" },
];

const text = ({ values }: Shown, name: string) => fieldText(values, name);

/** How long a turn is, and when it hands off. */
export const TurnFields = (props: Shown & { readonly children?: Child }) => {
  const { refusal } = props;
  return (
    <fieldset class="group turn">
      <legend>Turns</legend>
      <div class="side-by-side tight">
        <TextField
          name="frequency"
          label="Every"
          type="number"
          min={1}
          max={1000}
          required
          value={text(props, "frequency")}
          refusal={refusal}
        />
        <SelectField
          name="frequency_unit"
          label="Unit"
          choices={UNITS}
          value={text(props, "frequency_unit")}
          refusal={refusal}
        />
        <div class="for-weekly">
          <SelectField
            name="handoff_day"
            label="Handoff day"
            choices={WEEK}
            value={text(props, "handoff_day")}
          />
        </div>
        <div class="for-monthly">
          <TextField
            name="handoff_date"
            label="Handoff day of the month"
            type="number"
            min={1}
            max={31}
            value={text(props, "handoff_date")}
          />
        </div>
        <TextField
          name="handoff_time"
          label="Handoff time"
          type="time"
          required
          value={text(props, "handoff_time")}
        />
      </div>
      {props.children}
    </fieldset>
  );
};

export const ZoneField = ({
  name,
  label,
  ...shown
}: Shown & { readonly name: string; readonly label: string }) => (
  <SelectField
    name={name}
    parameter="time_zone"
    label={label}
    choices={asChoices(TIME_ZONE_NAMES)}
    value={text(shown, name)}
    refusal={shown.refusal}
  />
);

export const StartField = (props: Shown) => (
  <TextField
    name="start"
    parameter="effective_at"
    label="Start"
    type="datetime-local"
    help="If empty, the rotation starts now. The first turn ends at the next handoff."
    value={text(props, "start")}
    refusal={props.refusal}
  />
);

/** When a change of a stored rotation takes effect. */
export const EffectFields = ({
  nextHandoff,
  hasFirst,
  help = "Who was on call stays. A change of turns or hours begins with a turn: now means the present one.",
  ...props
}: Shown & {
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
        value={text(props, "effective_at")}
        refusal={props.refusal}
      />
      <div class="for-date">
        <TextField
          name="effective_on"
          label="Time"
          type="datetime-local"
          value={text(props, "effective_on")}
        />
      </div>
    </div>
    <p class="help">{help}</p>
  </fieldset>
);

/** Whether the people of the shift before stay if the first changed one starts later. */
export const ExtendField = ({
  values,
  what,
}: {
  readonly values: Values;
  readonly what: string;
}) => (
  <CheckField
    name={EXTEND}
    label={`Extend the ${what} before`}
    help={`If the first changed ${what} starts later than it did, whoever is on call before it stays until then. Otherwise nobody is on call in between.`}
    checked={isTicked(values, EXTEND)}
  />
);

/** What happens to the hours of people who are away, as all pages say it. */
export const WHEN_AWAY = "When somebody is away";
const WHEN_AWAY_CHOICES: readonly Choice[] = [
  { value: "stay", label: "they stay on call" },
  { value: "next_in_line", label: "the next in line takes it" },
];

/** What most rotations leave as it is. */
export const MoreFields = (props: Shown & { readonly children?: Child }) => {
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
          label="Last day"
          type="date"
          help="If empty, the rotation has no end."
          value={text(props, "repeat_end_datetime")}
          refusal={props.refusal}
        />
        <TextField
          name="priority"
          label="Priority"
          type="number"
          min={0}
          max={100}
          help="In its hours, rotations of lower priority on its layer do not count."
          value={text(props, "priority")}
          refusal={props.refusal}
        />
      </div>
      <SelectField
        {...{ name: "when_away", label: WHEN_AWAY, choices: WHEN_AWAY_CHOICES }}
        value={text(props, "when_away") || "stay"}
        refusal={props.refusal}
        help="Unless somebody says who takes it. If everybody is away, they stay on call."
      />
    </details>
  );
};

export const LayerField = (props: Shown & { readonly help: string }) => (
  <TextField
    name="layer"
    label="Layer"
    type="number"
    min={1}
    max={100}
    required
    help={props.help}
    value={text(props, "layer")}
    refusal={props.refusal}
  />
);
