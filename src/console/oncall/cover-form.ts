// The form of a cover: its fields, and the body that it submits. Times are on the viewer's clock.
import type { Cover } from "../../contract/oncall/covers/cover.ts";
import { CreateCover } from "../../contract/oncall/covers/cover-parameters.ts";
import type { Schedule } from "../../contract/oncall/schedule.ts";
import { formatInstant, parseInstant, parseWallClock } from "../../domain/shared/time.ts";
import { choicesOf, peopleChoices } from "../forms/choices.ts";
import { type DeclaredForm, declareForm, type FormState } from "../forms/declared-form.ts";
import type { Names } from "../shared/names.ts";
import { fieldText, type Values } from "../shared/values.ts";
import { wallOf } from "./on-call-window.ts";

export type CoverFormState = FormState & {
  readonly names: Names;
  readonly schedules: readonly Schedule[];
  readonly zone: string;
};

export const COVERED_BY_LABELS = {
  person: "A person",
  next_in_line: "The next in line of each rotation",
  nobody: "Nobody",
} as const;

/** An instant in the format of a `datetime-local` field. */
const wallClock = (name: "start_datetime" | "end_datetime") => (values: Values) => {
  const at = parseInstant(fieldText(values, name));
  return at === null ? fieldText(values, name) : wallOf(at, fieldText(values, "zone"));
};

export const COVER_FORM: DeclaredForm<CoverFormState> = declareForm(CreateCover, [
  {
    name: "account_user_id",
    label: "Who is away",
    choices: ({ names }) => peopleChoices(names),
    source: "people",
  },
  {
    fields: [
      { name: "start_datetime", label: "From", text: wallClock("start_datetime") },
      { name: "end_datetime", label: "Until", text: wallClock("end_datetime") },
    ],
  },
  {
    fields: [
      { name: "covered_by", label: "Covered by", choiceLabels: COVERED_BY_LABELS },
      {
        name: "covering_account_user_id",
        label: "Who covers",
        help: "Only if a person covers.",
        choices: ({ names }) => [{ value: "", label: "–" }, ...peopleChoices(names)],
        source: "people",
      },
    ],
  },
  {
    name: "schedule_ids",
    label: "Schedules",
    help: "Select none to cover the person in all schedules.",
    choices: ({ schedules }) => choicesOf(schedules),
    source: "schedules",
    none: "No schedules yet.",
  },
  { name: "reason", label: "Reason" },
]);

/** A wall-clock time in a zone as an instant; otherwise as it was entered, for the API to refuse. */
function instantIn(text: unknown, zone: string): unknown {
  const at = typeof text === "string" ? parseWallClock(text.replace("T", " "), zone) : null;
  return at === null ? text : formatInstant(at);
}

/** The body that a submitted form means. A person who covers counts only where a person covers. */
export function coverBodyOf(form: Values, zone: string): Values {
  const body = COVER_FORM.bodyOf(form);
  return {
    ...body,
    start_datetime: instantIn(body.start_datetime, zone),
    end_datetime: instantIn(body.end_datetime, zone),
    ...(body.covered_by !== "person" && { covering_account_user_id: "" }),
  };
}

/** A cover as the form submits it: to the minute. */
export const shownCover = (cover: Cover, zone: string): Values => ({
  ...cover,
  start_datetime: instantIn(wallOf(Date.parse(cover.start_datetime), zone), zone),
  end_datetime: instantIn(wallOf(Date.parse(cover.end_datetime), zone), zone),
});
