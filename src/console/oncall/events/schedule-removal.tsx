// Removes the events of a schedule, the schedule, or a planned change of an event. The page first
// shows who would be on call without them.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { NOTHING_CHANGED } from "../../../kernel/console/changed.ts";
import { done, notDone, type Reply } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, pathOf, type Visit } from "../../page.ts";
import { allOf } from "../../reads.ts";
import { PLANNED_AT, withoutPlanned } from "../rotation/planned-people.tsx";
import { titleOf } from "../shift-kind.ts";
import { askBeforeChanges, confirmChanges, confirmsChanges } from "./confirmation.tsx";
import { eventPath } from "./shift-views.tsx";

/** Asks for a confirmation of what loses its shifts; null: the form confirms exactly that. */
async function confirmEmptying(
  visit: Visit,
  path: "/schedules/:id/flush" | "/schedules/:id",
  texts: { readonly button: string; readonly lead: string },
): Promise<Reply | null> {
  const { api } = visit;
  const id = idOf(visit);
  const read = await allOf(api.get("/schedules/:id", { id }), api.preview("DELETE", path, { id }));
  const to = pathOf("/schedules", visit);
  if (isRefusal(read)) return notDone(to, read);
  const [{ name }, preview] = read;
  if (confirmsChanges(visit, preview)) return null;
  return confirmChanges(visit, preview, {
    ...texts,
    title: texts.button,
    back: { to, label: name },
    tone: "danger",
  });
}

async function removeEvents(visit: Visit): Promise<Reply> {
  const to = pathOf("/schedules", visit);
  const path = "/schedules/:id/flush";
  const lead = "Nobody is on call on this schedule afterwards.";
  const asked = await confirmEmptying(visit, path, { button: "Remove all events", lead });
  if (asked !== null) return asked;
  const flushed = await visit.api.delete(path, { id: idOf(visit) });
  return isRefusal(flushed) ? notDone(to, flushed) : done(to, "All events removed.");
}

async function remove(visit: Visit): Promise<Reply> {
  const path = "/schedules/:id";
  const lead = "The schedule is deleted with its events, and its teams have none afterwards.";
  const asked = await confirmEmptying(visit, path, { button: "Delete schedule", lead });
  if (asked !== null) return asked;
  const removed = await visit.api.delete(path, { id: idOf(visit) });
  if (isRefusal(removed)) return notDone(pathOf("/schedules", visit), removed);
  return done("/on-call", "Schedule deleted.");
}

// Removes a planned change of an event's people. The page first shows who would be on call without it.

async function removePlanned(visit: Visit): Promise<Reply> {
  const { api, form, now } = visit;
  const id = idOf(visit);
  const to = eventPath(visit);
  const event = await api.get("/events/:id", { id });
  if (isRefusal(event)) return notDone(to, event);
  const body = withoutPlanned(event, textOf(form, PLANNED_AT), now);
  if (body === null) return done(to, NOTHING_CHANGED);
  const preview = await api.preview("PUT", "/events/:id", { ...body, id });
  if (isRefusal(preview)) return notDone(to, preview);
  const asked = await askBeforeChanges(visit, preview, {
    title: "Remove planned change",
    back: { to, label: titleOf(event) },
    button: "Remove planned change",
    tone: "danger",
    lead: "Other planned changes stay.",
  });
  if (asked !== null) return asked;
  const changed = await api.put("/events/:id", { ...body, id });
  return isRefusal(changed) ? notDone(to, changed) : done(to, "Planned change removed.");
}

export const removalPages: readonly ConsolePage[] = [
  action("/schedules/:id/flush", removeEvents),
  action("/schedules/:id/delete", remove),
  action("/events/:id/planned/remove", removePlanned),
];
