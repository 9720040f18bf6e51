// The fields of an absence: who, when, and who takes it.
import type { Child } from "hono/jsx";
import type { Instead } from "../../../domain/oncall/absences/absence-record.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import type { FormState } from "../../../kernel/console/declared-form.ts";
import { SelectField, TextArea, TextField } from "../../../kernel/console/form.tsx";
import { PickMany } from "../../../kernel/console/pick-many.tsx";
import { searchField } from "../../../kernel/console/picker-search.ts";
import { fieldText, listOf } from "../../../kernel/console/values.ts";
import { choicesOf, peopleChoices } from "../../choices.ts";
import type { Names } from "../../names.ts";
import { shownField, TIME_FIELDS, wallText } from "./absence-form.ts";

const INSTEAD_WORDS: Readonly<Record<Instead, string>> = {
  nobody_yet: "Nobody yet",
  next_in_line: "The next in line",
  person: "A person",
  empty: "Nobody, on purpose",
  ask: "Ask others",
};

const INSTEAD_HELP: Readonly<Record<Instead, string>> = {
  nobody_yet: "They stay on call, except in rotations in which the next in line takes it.",
  next_in_line: "Of each rotation, in turn order.",
  person: "Is on call instead.",
  empty: "The shifts are left empty.",
  ask: "The first who accepts takes it.",
};

export type AbsenceForm = FormState & {
  readonly names: Names;
  readonly schedules: readonly Schedule[];
  readonly zone: string;
  /** Whether the viewer may enter absences of others, and decide who takes them. */
  readonly mayDecide: boolean;
  /** The people of the rotation that the form is about: they come first. */
  readonly rotation: readonly string[];
};

/** The parameters whose errors the fields show. */
export const ABSENCE_PARAMETERS = [
  ...["account_user_id", "start_datetime", "end_datetime", "covering_account_user_id", "reason"],
  ...["account_user_ids", "in_return.start_datetime", "in_return.end_datetime", "expires_at"],
  ...["schedule_ids"],
];

type TimeProps = {
  readonly of: AbsenceForm;
  readonly name: (typeof TIME_FIELDS)[number];
  readonly label: string;
  readonly help?: string;
  readonly parameter?: string;
  readonly required?: boolean;
};

const TimeField = ({ of: { values, refusal, zone }, name, ...props }: TimeProps) => (
  <TextField
    {...{ ...props, name, refusal, type: "datetime-local" }}
    value={wallText(values, name, zone)}
  />
);

/** One way of who takes it; `children` are shown while it is chosen. */
const Way = ({
  of: { values },
  value,
  children,
}: {
  readonly of: AbsenceForm;
  readonly value: Instead;
  readonly children?: Child;
}) => (
  <div class="way">
    <label>
      <input
        type="radio"
        name="instead"
        value={value}
        checked={fieldText(values, "instead") === value}
      />{" "}
      <strong>{INSTEAD_WORDS[value]}</strong> <span class="help">{INSTEAD_HELP[value]}</span>
    </label>
    {children ? <div class="way-fields">{children}</div> : null}
  </div>
);

/** The people of the rotation first, without whoever is away. */
function othersThan({ names, rotation, values }: AbsenceForm) {
  const away = fieldText(values, "account_user_id");
  const people = peopleChoices(names).filter(({ value }) => value !== away);
  const isNear = ({ value }: { readonly value: string }) => rotation.includes(value);
  return [...people.filter(isNear), ...people.filter((it) => !isNear(it))];
}

const Asking = ({ of }: { readonly of: AbsenceForm }) => {
  const { values, refusal } = of;
  return (
    <>
      <PickMany
        {...{ name: "account_user_ids", label: "Whom to ask", source: "people", refusal }}
        help="Nobody chosen: everybody of the rotation."
        choices={othersThan(of)}
        chosen={listOf(values, "account_user_ids")}
        sought={fieldText(values, searchField("account_user_ids"))}
      />
      <fieldset class="group">
        <legend>In return (a swap)</legend>
        <div class="side-by-side">
          <TimeField
            {...{ of, name: "return_start", label: "I take over from" }}
            parameter="in_return.start_datetime"
          />
          <TimeField
            {...{ of, name: "return_end", label: "until" }}
            parameter="in_return.end_datetime"
            help="Empty: as long as the absence."
          />
        </div>
        <p class="help">Any hours in which those who are asked are on call.</p>
      </fieldset>
      <TimeField
        {...{ of, name: "expires_at", label: "Answer until" }}
        help="Empty: until the hours begin."
      />
    </>
  );
};

const Ways = ({ of }: { readonly of: AbsenceForm }) => {
  const { values, refusal, mayDecide } = of;
  return (
    <fieldset class="ways">
      <legend>Who takes it</legend>
      <Way {...{ of, value: "nobody_yet" }} />
      {mayDecide ? (
        <>
          <Way {...{ of, value: "next_in_line" }} />
          <Way {...{ of, value: "person" }}>
            <SelectField
              {...{ name: "covering_account_user_id", label: "Who", source: "people", refusal }}
              choices={[{ value: "", label: "–" }, ...othersThan(of)]}
              value={fieldText(values, "covering_account_user_id")}
              sought={fieldText(values, searchField("covering_account_user_id"))}
            />
          </Way>
          <Way {...{ of, value: "empty" }} />
        </>
      ) : null}
      <Way {...{ of, value: "ask" }}>
        <Asking of={of} />
      </Way>
    </fieldset>
  );
};

export const AbsenceFields = (of: AbsenceForm) => {
  const { names, schedules, values, refusal, mayDecide } = of;
  const chosen = listOf(values, "schedule_ids");
  return (
    <>
      <input type="hidden" name="event" value={fieldText(values, "event")} />
      {TIME_FIELDS.map((name) => (
        <input
          type="hidden"
          name={shownField(name)}
          value={fieldText(values, shownField(name)) || fieldText(values, name)}
        />
      ))}
      {mayDecide ? (
        <SelectField
          {...{ name: "account_user_id", label: "Who is away", source: "people", refusal }}
          choices={peopleChoices(names)}
          value={fieldText(values, "account_user_id")}
          sought={fieldText(values, searchField("account_user_id"))}
        />
      ) : null}
      <div class="side-by-side">
        <TimeField {...{ of, name: "start_datetime", label: "From", required: true }} />
        <TimeField {...{ of, name: "end_datetime", label: "Until", required: true }} />
      </div>
      <Ways of={of} />
      <TextArea
        {...{ name: "reason", label: "Reason", rows: 2, refusal }}
        value={fieldText(values, "reason")}
        help="Only whoever is away, those who are asked and admins see it."
      />
      <details class="more" open={chosen.length > 0}>
        <summary>Only in some schedules</summary>
        <PickMany
          {...{ name: "schedule_ids", label: "Schedules", source: "schedules", refusal, chosen }}
          choices={choicesOf(schedules)}
          sought={fieldText(values, searchField("schedule_ids"))}
          none="No schedules yet."
        />
      </details>
    </>
  );
};
