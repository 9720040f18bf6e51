// Takes a shift onto the viewer. The page first shows who would be on call instead of whom.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { dayAndClockOf } from "../../../kernel/console/moment.tsx";
import { done, notDone, type Reply } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import { allByName, readNames } from "../../reads.ts";
import { TAKE_SHIFT } from "../team-layers.tsx";
import { askBeforeEventChange } from "./confirmation.tsx";
import { NOT_THERE, readShift } from "./event.tsx";
import { atOf } from "./event-form.ts";
import { backToSchedule } from "./shift-views.tsx";

const ON_CALL = { to: "/on-call", label: "On call" };

const backOf = (visit: Visit, at: number) =>
  textOf(visit.form, "schedule") === ""
    ? ON_CALL
    : { to: backToSchedule(visit, at), label: "Calendar" };

async function takeOver(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const at = atOf(textOf(form, "at"));
  if (at === null) return NOT_THERE;
  const back = backOf(visit, at);
  const body = { id: idOf(visit), action_time: formatInstant(at) };
  const preview = await api.preview("POST", "/events/:id/take_over", body);
  // A form that is sent twice gets the first answer again, although the shift is taken by then.
  const isAsked = textOf(form, "confirmed") !== "";
  if (isRefusal(preview) && !isAsked) return notDone(back.to, preview);
  const asked = isRefusal(preview) ? null : await askBeforeTaking(visit, at, preview, back);
  if (asked !== null) return asked;
  const taken = await api.post("/events/:id/take_over", body);
  if (isRefusal(taken)) return notDone(back.to, taken);
  // The schedule's page offers to undo it, and so does the shift's; On call does not.
  return done(back === ON_CALL ? `/events/${taken.id}` : back.to, "Shift taken.");
}

/** Asks for a confirmation of whom the viewer relieves; null: the form confirms exactly that. */
async function askBeforeTaking(
  visit: Visit,
  at: number,
  preview: OnCallPreview,
  back: ReturnType<typeof backOf>,
): Promise<Reply | null> {
  const { api, now, session } = visit;
  const event = api.get("/events/:id", { id: idOf(visit) });
  const read = await allByName({ event, shift: readShift(visit, at), names: readNames(api) });
  if (isRefusal(read)) return notDone(back.to, read);
  const { shift, names } = read;
  const when = (time: string) => dayAndClockOf(time, session.timeZone, now);
  const from = Date.parse(shift.part_start_time) > now ? when(shift.part_start_time) : "now";
  const relieved = shift.attendees.map(({ attendee_id }) => names.of(attendee_id)).join(" and ");
  return askBeforeEventChange(
    visit,
    { preview, ...read },
    {
      ...{ title: TAKE_SHIFT, button: TAKE_SHIFT, back },
      lead:
        `You are on call instead of ${relieved}, from ${from} until ${when(shift.part_end_time)}. ` +
        `${relieved} and the admins of the team are notified. You and ${relieved} can undo it.`,
    },
  );
}

export const takeOverPages: readonly ConsolePage[] = [action("/events/:id/take_over", takeOver)];
