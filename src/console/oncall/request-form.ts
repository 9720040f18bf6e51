// The form of a request for cover: its fields, and the body that it submits. Times are on the
// viewer's clock.
import type { OnCallTeam } from "../../contract/oncall/on-call.ts";
import { CreateCoverRequest } from "../../contract/oncall/requests/cover-request-parameters.ts";
import { formatInstant, parseInstant, parseWallClock } from "../../domain/shared/time.ts";
import type { Choice } from "../forms/choice.ts";
import { peopleChoices } from "../forms/choices.ts";
import { type DeclaredForm, declareForm, type FormState } from "../forms/declared-form.ts";
import { dayAndClockOf } from "../parts/shared/moment.tsx";
import type { Names } from "../shared/names.ts";
import { fieldText, textOf, type Values } from "../shared/values.ts";
import { wallOf } from "./on-call-window.ts";

export type RequestFormState = FormState & {
  readonly names: Names;
  readonly zone: string;
  /** The people of the shift's rotation besides the viewer. */
  readonly rotation: readonly string[];
  /** The viewer's account user. */
  readonly viewer: string;
};

/** Stands for everybody in the rotation of the shift. */
export const EVERYONE = "everyone";

/** An instant in the format of a `datetime-local` field. */
const wallClock = (name: "start_datetime" | "end_datetime") => (values: Values) => {
  const at = parseInstant(fieldText(values, name));
  return at === null ? fieldText(values, name) : wallOf(at, fieldText(values, "zone"));
};

/** Everybody in the rotation, its people first, then all others. */
function askedChoices({ names, rotation, viewer }: RequestFormState): readonly Choice[] {
  const people = peopleChoices(names).filter(({ value }) => value !== viewer);
  const inRotation = people.filter(({ value }) => rotation.includes(value));
  const all = { value: EVERYONE, label: `Everyone in the rotation (${inRotation.length})` };
  return [
    ...(inRotation.length > 1 ? [all] : []),
    ...inRotation,
    ...people.filter(({ value }) => !rotation.includes(value)),
  ];
}

export const REQUEST_FORM: DeclaredForm<RequestFormState> = declareForm(CreateCoverRequest, [
  {
    fields: [
      { name: "start_datetime", label: "From", text: wallClock("start_datetime") },
      { name: "end_datetime", label: "Until", text: wallClock("end_datetime") },
    ],
  },
  {
    name: "account_user_id",
    label: "Ask",
    help: "The first who accepts gets it.",
    choices: askedChoices,
    source: "people",
  },
  { name: "reason", label: "Reason" },
]);

/** A wall-clock time in a zone as an instant; otherwise as it was entered, for the API to refuse. */
function instantIn(text: unknown, zone: string): unknown {
  const at = typeof text === "string" ? parseWallClock(text.replace("T", " "), zone) : null;
  return at === null ? text : formatInstant(at);
}

/** The hours of a choice of `returnChoices`; null for nothing in return. */
function returnOf(form: Values) {
  const [start, end] = textOf(form, "in_return").split("/");
  return start && end ? { start_datetime: start, end_datetime: end } : null;
}

/** The body that a submitted form means: the viewer asks. */
export function requestBodyOf(form: Values, zone: string): Values {
  const { account_user_id: asked, ...body } = REQUEST_FORM.bodyOf(form);
  const schedule = textOf(form, "schedule");
  return {
    ...body,
    start_datetime: instantIn(body.start_datetime, zone),
    end_datetime: instantIn(body.end_datetime, zone),
    schedule_ids: schedule === "" ? [] : [schedule],
    ...(asked === EVERYONE
      ? { event_id: textOf(form, "event") }
      : { account_user_ids: asked ? [asked] : [], in_return: returnOf(form) }),
  };
}

const MOST_RETURNS = 60;

/** The coming shifts of a person on a schedule, which may be taken over in return. */
export function returnChoices(
  teams: readonly OnCallTeam[],
  { person, schedule }: { readonly person: string; readonly schedule: string },
  clock: { readonly zone: string; readonly now: number },
): readonly Choice[] {
  const team = teams.find((it) => it.schedule_id === schedule);
  const shifts = (team?.entries ?? []).filter(
    ({ attendees, start_time }) =>
      Date.parse(start_time) > clock.now &&
      attendees.some(({ attendee_id }) => attendee_id === person),
  );
  const when = (at: string) => dayAndClockOf(at, clock.zone, clock.now);
  const choices = shifts.map(({ start_time: start, end_time: end, layer }) => ({
    value: `${start}/${end}`,
    label: `${when(start)} – ${when(end)}, layer ${layer}`,
  }));
  return choices.slice(0, MOST_RETURNS);
}
