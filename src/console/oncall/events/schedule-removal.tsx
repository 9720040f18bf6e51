// Removes the events of a schedule, or the schedule. The page first shows who would be on call without
// them.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { done, notDone } from "../../../kernel/console/replies.ts";
import type { Reply } from "../../../kernel/console/reply.ts";
import { allOf } from "../../api.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import { confirmChanges, confirmsChanges } from "./confirm-changes.tsx";

const pathOf = ({ params }: Visit) => `/schedules/${encodeURIComponent(params.id ?? "")}`;

/** Asks for a confirmation of what loses its shifts; null: the form confirms exactly that. */
async function confirmEmptying(
  visit: Visit,
  path: "/schedules/:id/flush" | "/schedules/:id",
  texts: { readonly button: string; readonly lead: string },
): Promise<Reply | null> {
  const { api } = visit;
  const id = idOf(visit);
  const read = await allOf(api.get("/schedules/:id", { id }), api.preview("DELETE", path, { id }));
  const to = pathOf(visit);
  if (isRefusal(read)) return notDone(to, read);
  const [{ name }, preview] = read;
  if (confirmsChanges(visit, preview)) return null;
  return confirmChanges(visit, preview, {
    ...texts,
    title: texts.button,
    section: "schedules",
    back: { to, label: name },
    tone: "danger",
  });
}

async function removeEvents(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
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
  if (isRefusal(removed)) return notDone(pathOf(visit), removed);
  return done("/schedules", "Schedule deleted.");
}

export const scheduleRemovalPages: readonly ConsolePage[] = [
  action("/schedules/:id/flush", removeEvents),
  action("/schedules/:id/delete", remove),
];
