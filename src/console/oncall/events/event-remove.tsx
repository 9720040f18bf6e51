// Removes a part of a shift, a shift, this and the following ones, or an event. The page first shows
// who would be on call without it, and which overrides go with it.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import { Hours } from "../../../kernel/console/moment.tsx";
import { Facts } from "../../../kernel/console/panel.tsx";
import { done, notDone, type Reply } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import { Everybody } from "../../people/person-panels.tsx";
import { allOf, readNames, type WithNames } from "../../reads.ts";
import { askBeforeEventChange } from "./confirmation.tsx";
import { NOT_THERE, readShift } from "./event.tsx";
import { atOf, callsFor, isOver } from "./event-form.ts";
import { backToSchedule } from "./shift-views.tsx";

type Amendment = {
  readonly what: "remove_part" | "add_exception" | "terminate_on";
  readonly flash: string;
  readonly lead: string;
};

const AMENDMENTS: Readonly<Record<string, Amendment>> = {
  part: {
    what: "remove_part",
    flash: "Hours removed.",
    lead: "These hours are removed. The rest of the shift stays.",
  },
  one: {
    what: "add_exception",
    flash: "Shift removed.",
    lead: "This shift is removed with its overrides. The others keep their people.",
  },
  following: {
    what: "terminate_on",
    flash: "This and following shifts removed.",
    lead: "This and all following shifts are removed with their overrides. Earlier shifts stay.",
  },
};

type Removal = {
  /** The amendment and the instant that it is about; null: the whole event goes. */
  readonly amended: { readonly amendment: Amendment; readonly at: string } | null;
  /** Whether all that goes is over: it goes from the past. */
  readonly isCorrection: boolean;
};

async function removalOf(visit: Visit): Promise<Removal> {
  const at = atOf(textOf(visit.form, "at"));
  const amendment = AMENDMENTS[textOf(visit.form, "scope")];
  if (!amendment || at === null) {
    const event = await visit.api.get("/events/:id", { id: idOf(visit) });
    const isSingle = !isRefusal(event) && !event.repeat;
    return { amended: null, isCorrection: isSingle && isOver(visit, event.end_datetime) };
  }
  const shift = await readShift(visit, at);
  // The shift may already be removed: the action is idempotent.
  if (isRefusal(shift)) {
    return { amended: { amendment, at: formatInstant(at) }, isCorrection: false };
  }
  const isPart = amendment.what === "remove_part";
  const end = isPart ? shift.part_end_time : shift.end_time;
  return {
    amended: { amendment, at: isPart ? formatInstant(at) : shift.start_time },
    isCorrection: amendment.what !== "terminate_on" && isOver(visit, end),
  };
}

const previewOf = (visit: Visit, { amended, isCorrection }: Removal) => {
  const id = idOf(visit);
  const calls = callsFor(visit, isCorrection);
  return amended === null
    ? calls.preview("DELETE", "/events/:id", { id })
    : calls.preview("POST", `/events/:id/${amended.amendment.what}`, {
        id,
        action_time: amended.at,
      });
};

/** The overrides of a series that go with what is removed of one of its versions. */
function overridesIn(
  events: readonly Event[],
  event: Event,
  { amended }: Removal,
): readonly Event[] {
  if (event.parent_id !== null) return [];
  const others = events.filter(
    ({ id, series_id }) => series_id === event.series_id && id !== event.id,
  );
  const overrides = others.filter(({ parent_id }) => parent_id !== null);
  if (amended === null && others.length === overrides.length) return overrides;
  if (amended !== null && amended.amendment.what !== "terminate_on") return [];
  const from = Date.parse(amended?.at ?? event.begins_at ?? event.start_datetime);
  const until = event.terminated_at ? Date.parse(event.terminated_at) : Number.POSITIVE_INFINITY;
  return overrides.filter(({ start_datetime }) => {
    const at = Date.parse(start_datetime);
    return at >= from && at < until;
  });
}

type OverridesProps = WithNames<{ overrides: readonly Event[]; zone: string }>;

const Overrides = ({ overrides, names, zone }: OverridesProps) => (
  <Facts
    facts={[
      [
        "Overrides that are removed",
        overrides.length > 0 && (
          <ul>
            {overrides.map((it) => (
              <li>
                <Hours from={it.start_datetime} until={it.end_datetime} zone={zone} />:{" "}
                <Everybody names={names} ids={it.account_user_ids} />
              </li>
            ))}
          </ul>
        ),
      ],
    ]}
  />
);

const readFamily = async ({ api }: Visit, id: string) => {
  const event = await api.get("/events/:id", { id });
  const [scheduleId] = isRefusal(event) ? [] : event.schedule_ids;
  const events = scheduleId ? api.every("/schedules/:id/events", { id: scheduleId }) : [];
  return allOf(Promise.resolve(event), Promise.resolve(events), readNames(api));
};

/** Asks for a confirmation of what the removal does; null: the form confirms exactly that. */
async function confirm(visit: Visit, removal: Removal, to: string): Promise<Reply | null> {
  const [read, preview] = await Promise.all([
    readFamily(visit, idOf(visit)),
    previewOf(visit, removal),
  ]);
  if (isRefusal(read)) return notDone(to, read);
  if (isRefusal(preview)) return notDone(to, shownRefusal(preview, removal));
  const [event, events, names] = read;
  const overrides = overridesIn(events, event, removal);
  const lead = event.parent_id
    ? "The overridden people are on call again in these hours."
    : (removal.amended?.amendment.lead ?? wholeLead(removal));
  const texts = { title: "Confirm removal", button: "Confirm removal", tone: "danger" } as const;
  return askBeforeEventChange(
    visit,
    { event, preview, names },
    { ...texts, lead, back: { to, label: "Calendar" } },
    overrides.map(({ id }) => id),
    <Overrides overrides={overrides} names={names} zone={event.time_zone} />,
  );
}

const wholeLead = ({ isCorrection }: Removal) =>
  isCorrection
    ? "The shift is removed with its overrides."
    : "All its shifts are removed with their overrides. Who was on call before now stays.";

const shownRefusal = (refusal: Refusal, { amended }: Removal) =>
  amended !== null && refusal.reason === "invalid" ? NOT_THERE : refusal;

async function remove(visit: Visit): Promise<Reply> {
  const { form } = visit;
  const id = idOf(visit);
  const to = backToSchedule(visit, atOf(textOf(form, "at")));
  const removal = await removalOf(visit);
  const asking = await confirm(visit, removal, to);
  if (asking !== null) return asking;
  const calls = callsFor(visit, removal.isCorrection);
  if (removal.amended === null) {
    const removed = await calls.delete("/events/:id", { id });
    return isRefusal(removed) ? notDone(to, removed) : done(to, "Event removed.");
  }
  const { amendment, at } = removal.amended;
  const body = { id, action_time: at };
  const answer = await calls.post(`/events/:id/${amendment.what}`, body);
  return isRefusal(answer) ? notDone(to, shownRefusal(answer, removal)) : done(to, amendment.flash);
}

export const eventRemovePages: readonly ConsolePage[] = [action("/events/:id/remove", remove)];
