// The form of an absence, with what it would do beside it.

import type { Child } from "hono/jsx";
import type { Instead } from "../../../domain/oncall/absences/absence-record.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { AbsenceWithShifts } from "../../../features/oncall/absences/contract.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import {
  Button,
  type FormState,
  SelectField,
  TextArea,
  TextField,
} from "../../../kernel/console/form.tsx";
import { PickMany } from "../../../kernel/console/pick-many.tsx";
import { fieldText, listOf, textOf } from "../../../kernel/console/values.ts";
import { mayDecideAbsences } from "../../access/reach.ts";
import { choicesOf, peopleChoices } from "../../choices.ts";
import type { Visit } from "../../page.ts";
import type { Names, PageProps } from "../../reads.ts";
import { Editor } from "../rotation/editor-page.tsx";
import { absenceValues, blankAbsence, shownField, TIME_FIELDS, wallText } from "./absence-form.ts";
import { absencePath } from "./absence-list.tsx";
import { AwayPlan, type Drawn } from "./away-plan.tsx";

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

type AbsenceForm = FormState & {
  readonly names: Names;
  readonly schedules: readonly Schedule[];
  readonly zone: string;
  /** Whether the viewer may enter absences of others, and decide who takes them. */
  readonly mayDecide: boolean;
  /** The people of the rotation that the form is about: they come first. */
  readonly rotation: readonly string[];
};

/** The parameters whose errors the fields show. */
const ABSENCE_PARAMETERS = [
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

type WayProps = { readonly of: AbsenceForm; readonly value: Instead; readonly children?: Child };

/** One way of who takes it; `children` are shown while it is chosen. */
const Way = ({ of: { values }, value, children }: WayProps) => (
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

const Asking = ({ of }: { readonly of: AbsenceForm }) => (
  <>
    <PickMany
      {...{ of, name: "account_user_ids", label: "Whom to ask", source: "people" }}
      help="Nobody chosen: everybody of the rotation."
      choices={othersThan(of)}
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

const Ways = ({ of }: { readonly of: AbsenceForm }) => {
  const { mayDecide } = of;
  return (
    <fieldset class="ways">
      <legend>Who takes it</legend>
      <Way {...{ of, value: "nobody_yet" }} />
      {mayDecide ? (
        <>
          <Way {...{ of, value: "next_in_line" }} />
          <Way {...{ of, value: "person" }}>
            <SelectField
              {...{ name: "covering_account_user_id", label: "Who", source: "people", of }}
              choices={[{ value: "", label: "–" }, ...othersThan(of)]}
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

const AbsenceFields = (of: AbsenceForm) => {
  const { names, schedules, values, mayDecide } = of;
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
          {...{ name: "account_user_id", label: "Who is away", source: "people", of }}
          choices={peopleChoices(names)}
        />
      ) : null}
      <div class="side-by-side">
        <TimeField {...{ of, name: "start_datetime", label: "From", required: true }} />
        <TimeField {...{ of, name: "end_datetime", label: "Until", required: true }} />
      </div>
      <Ways of={of} />
      <TextArea
        {...{ name: "reason", label: "Reason", rows: 2, of }}
        help="Only whoever is away, those who are asked and admins see it."
      />
      <details class="more" open={chosen.length > 0}>
        <summary>Only in some schedules</summary>
        <PickMany
          {...{ name: "schedule_ids", label: "Schedules", source: "schedules", of }}
          choices={choicesOf(schedules)}
          none="No schedules yet."
        />
      </details>
    </>
  );
};

/** A form that is shown again. */
export type Submitted = { readonly refusal: Refusal | null; readonly drawn: Drawn };

/** The people of the rotation that the form of a new absence is about. */
export async function readRotation({ api, query, form }: Visit): Promise<readonly string[]> {
  const id = query.get("event") ?? textOf(form, "event");
  const event = id === "" ? null : await api.get("/events/:id", { id });
  if (event === null || isRefusal(event)) return [];
  return event.account_user_ids.filter((it) => it !== null);
}

type EditorProps = PageProps<{
  /** Null: a new one. */
  absence: AbsenceWithShifts | null;
  schedules: readonly Schedule[];
  rotation: readonly string[];
  submitted: Submitted | null;
}>;

export const AbsenceEditor = (props: EditorProps) => {
  const { visit, absence, names, schedules, rotation, submitted } = props;
  const { session } = visit;
  const { refusal, drawn } = submitted ?? { refusal: null, drawn: null };
  const stored = absence ? absenceValues(absence) : blankAbsence(visit);
  const state = { values: submitted ? visit.form : stored, refusal, names, schedules, rotation };
  const path = absence ? absencePath(absence.prefix_id) : "/absences";
  const mayDecide = mayDecideAbsences(visit, names);
  return (
    <Editor
      {...{ refusal, to: path, draft: `${path}/draft` }}
      parameters={ABSENCE_PARAMETERS}
      fields={<AbsenceFields {...{ ...state, zone: session.timeZone, mayDecide }} />}
      buttons={<Button>{absence ? "Save changes" : "Save absence"}</Button>}
      drawing={<AwayPlan {...{ visit, names, drawn }} />}
    />
  );
};
