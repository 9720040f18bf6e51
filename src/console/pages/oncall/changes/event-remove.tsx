// Removes a part of a shift, a shift, this and the following ones, or an event. The page first shows
// who would be on call without it, and which overrides go with it.
import type { Event } from "../../../../contract/oncall/events/event.ts";
import { isRefusal, type Refusal } from "../../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../../domain/shared/time.ts";
import { atOf } from "../../../oncall/event-form.ts";
import { action, type ConsolePage, idOf, type Reply, type Visit } from "../../../page.ts";
import { previewedText } from "../../../parts/oncall/changes/previewed-text.ts";
import { Everybody } from "../../../parts/people/person.tsx";
import { dayAndClockOf } from "../../../parts/shared/moment.tsx";
import { Facts } from "../../../parts/shared/panel.tsx";
import { allOf } from "../../../shared/api.ts";
import { type Names, readNames } from "../../../shared/names.ts";
import { done, notDone } from "../../../shared/replies.ts";
import { textOf } from "../../../shared/values.ts";
import { backToSchedule, NOT_THERE, readShift } from "../event.tsx";
import { confirmationPage, isConfirmed, planAfter } from "./confirmation.tsx";

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

/** An amendment and the instant that it is about; null: the whole event goes. */
type Removal = { readonly amendment: Amendment; readonly at: string } | null;

async function removalOf(visit: Visit): Promise<Removal> {
  const at = atOf(textOf(visit.form, "at"));
  const amendment = AMENDMENTS[textOf(visit.form, "scope")];
  if (!amendment || at === null) return null;
  const shift = await readShift(visit, at);
  // The shift may already be removed: the action is idempotent.
  const isOfPart = amendment.what === "remove_part" || isRefusal(shift);
  return { amendment, at: isOfPart ? formatInstant(at) : shift.start_time };
}

const previewOf = ({ api, ...visit }: Visit, removal: Removal) => {
  const id = idOf(visit);
  return removal === null
    ? api.preview("DELETE", "/events/:id", { id })
    : api.preview("POST", `/events/:id/${removal.amendment.what}`, { id, action_time: removal.at });
};

/** The overrides of an event that go with what is removed of it. */
function overridesIn(events: readonly Event[], event: Event, removal: Removal): readonly Event[] {
  const direct = events.filter(({ parent_id }) => parent_id === event.id);
  if (removal === null) return direct;
  if (removal.amendment.what !== "terminate_on") return [];
  const from = Date.parse(removal.at);
  return direct.filter(({ start_datetime }) => Date.parse(start_datetime) >= from);
}

const Overrides = ({
  overrides,
  names,
  zone,
  now,
}: {
  readonly overrides: readonly Event[];
  readonly names: Names;
  readonly zone: string;
  readonly now: number;
}) => (
  <Facts
    facts={[
      [
        "Overrides that are removed",
        overrides.length > 0 && (
          <ul>
            {overrides.map((it) => (
              <li>
                {dayAndClockOf(it.start_datetime, zone, now)} –{" "}
                {dayAndClockOf(it.end_datetime, zone, now)}:{" "}
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
  const removed = overrides.map(({ id }) => id);
  const confirmed = previewedText(preview, visit.now, removed);
  if (isConfirmed(visit, confirmed)) return null;
  const lead = event.parent_id
    ? "The overridden people are on call again in these hours."
    : (removal?.amendment.lead ?? "All its shifts are removed with their overrides.");
  return confirmationPage(visit, {
    title: "Confirm removal",
    lead,
    back: { to, label: "Calendar" },
    confirmed,
    button: "Confirm removal",
    tone: "danger",
    children: (
      <>
        <Overrides overrides={overrides} names={names} zone={event.time_zone} now={visit.now} />
        {await planAfter(visit, event, preview, names)}
      </>
    ),
  });
}

const shownRefusal = (refusal: Refusal, removal: Removal) =>
  removal !== null && refusal.reason === "invalid" ? NOT_THERE : refusal;

async function remove(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const id = idOf(visit);
  const to = backToSchedule(visit, atOf(textOf(form, "at")));
  const removal = await removalOf(visit);
  const asking = await confirm(visit, removal, to);
  if (asking !== null) return asking;
  if (removal === null) {
    const removed = await api.delete("/events/:id", { id });
    return isRefusal(removed) ? notDone(to, removed) : done(to, "Event removed.");
  }
  const { what, flash } = removal.amendment;
  const amended = await api.post(`/events/:id/${what}`, { id, action_time: removal.at });
  return isRefusal(amended) ? notDone(to, shownRefusal(amended, removal)) : done(to, flash);
}

export const eventRemovePages: readonly ConsolePage[] = [action("/events/:id/remove", remove)];
