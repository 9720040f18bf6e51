// The actions on an alert beyond its answers: reopen, snooze, escalate, request responders, merge.
import { isRefusal, refuse } from "../../domain/shared/refusal.ts";
import { formatInstant, MINUTE } from "../../domain/shared/time.ts";
import { done, notDone } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, type Visit } from "../page.ts";

const pathOf = ({ params }: Visit) => `/alerts/${encodeURIComponent(params.id ?? "")}`;

async function reopen(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const alert = await visit.api.post("/alerts/:id/reopen", { id: idOf(visit) });
  return isRefusal(alert)
    ? notDone(to, alert)
    : done(to, "Alert reopened. Escalation starts at the first layer.");
}

async function escalate(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const alert = await visit.api.post("/alerts/:id/escalate", { id: idOf(visit) });
  return isRefusal(alert)
    ? notDone(to, alert)
    : done(to, "Alert escalated. The next people are notified.");
}

async function snooze(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const minutes = Number(textOf(visit.form, "minutes"));
  if (!(minutes > 0 && minutes <= 43_200))
    return notDone(to, refuse("invalid", "choose how long to snooze the alert"));
  const until = formatInstant(visit.now + minutes * MINUTE);
  const alert = await visit.api.post("/alerts/:id/snooze", { id: idOf(visit), until });
  return isRefusal(alert)
    ? notDone(to, alert)
    : done(to, "Alert snoozed. It is open again at the end of the snooze.");
}

async function requestResponders(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const [kind, responder = ""] = textOf(visit.form, "to").split(" ");
  if (responder === "") return notDone(to, refuse("invalid", "choose a team or a person"));
  const alert = await visit.api.post("/alerts/:id/responders", {
    id: idOf(visit),
    [kind === "team" ? "team_ids" : "account_user_ids"]: [responder],
    note: textOf(visit.form, "note"),
  });
  return isRefusal(alert)
    ? notDone(to, alert)
    : done(to, "Responders requested. They are notified.");
}

/** Merges this alert into the chosen one, and shows that. */
async function merge(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const into = textOf(visit.form, "into");
  if (into === "") return notDone(to, refuse("invalid", "choose an alert"));
  const leader = await visit.api.post("/alerts/:id/merge", {
    id: into,
    alert_ids: [idOf(visit)],
  });
  return isRefusal(leader)
    ? notDone(to, leader)
    : done(`/alerts/${leader.prefix_id}`, "Alert merged into this one.");
}

export const furtherAlertActions: readonly ConsolePage[] = [
  action("/alerts/:id/reopen", reopen),
  action("/alerts/:id/escalate", escalate),
  action("/alerts/:id/snooze", snooze),
  action("/alerts/:id/responders", requestResponders),
  action("/alerts/:id/merge", merge),
];
