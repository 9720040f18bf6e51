// Removes a planned change of an event's people. The page first shows who would be on call without it.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { NOTHING_CHANGED } from "../../../kernel/console/changed.ts";
import { done, notDone } from "../../../kernel/console/replies.ts";
import type { Reply } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import { PLANNED_AT, withoutPlanned } from "../rotation/planned-people.ts";
import { titleOf } from "../shift-kind.ts";
import { askBeforeChanges } from "./confirm-changes.tsx";
import { eventPath } from "./event.tsx";

async function remove(visit: Visit): Promise<Reply> {
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
    section: "schedules",
    back: { to, label: titleOf(event) },
    button: "Remove planned change",
    tone: "danger",
    lead: "Other planned changes stay.",
  });
  if (asked !== null) return asked;
  const changed = await api.put("/events/:id", { ...body, id });
  return isRefusal(changed) ? notDone(to, changed) : done(to, "Planned change removed.");
}

export const plannedRemovalPages: readonly ConsolePage[] = [
  action("/events/:id/planned/remove", remove),
];
