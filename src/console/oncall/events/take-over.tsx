// Takes a shift onto the viewer. The page first shows who would be on call instead of whom.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { dayAndClockOf } from "../../../kernel/console/moment.tsx";
import { done, notDone, type Reply } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import { allOf, readNames } from "../../reads.ts";
import { TAKE_SHIFT } from "../take-over-button.tsx";
import { confirmationPage, isConfirmed, planAfter } from "./confirmation.tsx";
import { NOT_THERE, readShift } from "./event.tsx";
import { atOf } from "./event-form.ts";
import { previewedText } from "./previewed-text.ts";
import { backToSchedule } from "./shift-views.tsx";

const ON_CALL = { to: "/on-call", label: "On call" };

/** The page that the person came from. */
const backOf = (visit: Visit, at: number) =>
  textOf(visit.form, "schedule") === ""
    ? ON_CALL
    : { to: backToSchedule(visit, at), label: "Calendar" };

async function takeOver(visit: Visit): Promise<Reply> {
  const { api, form, now, session } = visit;
  const at = atOf(textOf(form, "at"));
  if (at === null) return NOT_THERE;
  const back = backOf(visit, at);
  const body = { id: idOf(visit), action_time: formatInstant(at) };
  const preview = await api.preview("POST", "/events/:id/take_over", body);
  const confirmed = isRefusal(preview) ? "" : previewedText(preview, now);
  // A form that is sent twice gets the first answer again, although the shift is taken by then.
  const isAsked = textOf(form, "confirmed") !== "";
  if (isAsked && (isRefusal(preview) || isConfirmed(visit, confirmed))) {
    const taken = await api.post("/events/:id/take_over", body);
    if (isRefusal(taken)) return notDone(back.to, taken);
    // The schedule's page offers to undo it, and so does the shift's; On call does not.
    const to = back.to === ON_CALL.to ? `/events/${taken.id}` : back.to;
    return done(to, "Shift taken.");
  }
  if (isRefusal(preview)) return notDone(back.to, preview);
  const read = await allOf(
    api.get("/events/:id", { id: idOf(visit) }),
    readShift(visit, at),
    readNames(api),
  );
  if (isRefusal(read)) return notDone(back.to, read);
  const [event, shift, names] = read;
  const when = (time: string) => dayAndClockOf(time, session.timeZone, now);
  const from = Date.parse(shift.part_start_time) > now ? when(shift.part_start_time) : "now";
  const relieved = shift.attendees.map(({ attendee_id }) => names.of(attendee_id)).join(" and ");
  return confirmationPage(visit, {
    title: TAKE_SHIFT,
    lead:
      `You are on call instead of ${relieved}, from ${from} until ${when(shift.part_end_time)}. ` +
      `${relieved} and the admins of the team are notified. You and ${relieved} can undo it.`,
    back,
    confirmed,
    button: TAKE_SHIFT,
    children: await planAfter(visit, event, preview, names),
  });
}

export const takeOverPages: readonly ConsolePage[] = [action("/events/:id/take_over", takeOver)];
