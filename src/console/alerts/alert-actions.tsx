// The actions on an alert: of its buttons, and of its sheet.
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { withLocalTimes } from "../../domain/shared/time.ts";
import { statusWord } from "../../domain/shared/words.ts";
import { isPickerSearch } from "../../kernel/console/picker-search.ts";
import {
  answered,
  done,
  notDone,
  outcome,
  type Reply,
  refusalText,
} from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { instantText } from "../oncall/on-call-window.ts";
import { action, type ConsolePage, idOf, pathOf, step, type Visit } from "../page.ts";
import { readNames } from "../reads.ts";
import { backToAlerts, snoozedUntil } from "./alert-query.ts";
import { chosenIn } from "./hand-off.tsx";

const NOBODY_CHOSEN = refuse("invalid", "choose a person or a team");

async function snooze(visit: Visit): Promise<Reply> {
  const to = pathOf("/alerts", visit);
  const { now, session } = visit;
  const until = snoozedUntil(visit) ?? instantText(textOf(visit.form, "until"), session.timeZone);
  if (until === "") return notDone(to, refuse("invalid", "choose how long to snooze the alert"));
  const alert = await visit.api.post("/alerts/:id/snooze", { id: idOf(visit), until });
  const text = `Alert snoozed until ${until}. Then it is open again.`;
  return outcome(alert, to, withLocalTimes(text, session.timeZone, now));
}

async function requestResponders({ api, form }: Visit, id: string) {
  const responder = chosenIn(form, "");
  if (responder === null) return NOBODY_CHOSEN;
  return api.post("/alerts/:id/responders", { id, ...responder, note: textOf(form, "note") });
}

/** Merges this alert into the chosen one, and shows that. */
async function merge(visit: Visit): Promise<Reply> {
  const to = pathOf("/alerts", visit);
  if (isPickerSearch(visit.form)) return { kind: "goto", to: `${to}?whole=merge#merge` };
  const into = textOf(visit.form, "into");
  if (into === "") return notDone(to, refuse("invalid", "choose an alert"));
  const leader = await visit.api.post("/alerts/:id/merge", { id: into, alert_ids: [idOf(visit)] });
  return isRefusal(leader)
    ? notDone(to, leader)
    : done(`/alerts/${leader.prefix_id}`, "Alert merged into this one.");
}

/** The names of the other people who were notified of the alert. */
async function readOthersNotified(visit: Visit): Promise<readonly string[]> {
  const { api, session } = visit;
  const [notifications, names] = await Promise.all([
    api.get("/alerts/:id/notifications", { id: idOf(visit), event: "alert.open", limit: 100 }),
    readNames(api),
  ]);
  if (isRefusal(notifications) || isRefusal(names)) return [];
  const others = notifications.data
    .map(({ account_user_id }) => account_user_id)
    .filter((id) => id !== session.actor.accountUserId);
  return [...new Set(others)].map(names.of);
}

async function acknowledge(visit: Visit): Promise<Reply> {
  const to = backToAlerts(visit.form, pathOf("/alerts", visit));
  const alert = await visit.api.post("/alerts/:id/acknowledge", { id: idOf(visit) });
  if (isRefusal(alert)) return explain(visit, to, alert);
  const others = await readOthersNotified(visit);
  const detail =
    others.length === 0
      ? "Nobody else was notified."
      : `${others.join(", ")} ${others.length === 1 ? "was" : "were"} also notified and ${others.length === 1 ? "is" : "are"} told that you acknowledged it.`;
  const text = `Alert acknowledged: “${alert.title.slice(0, 120)}”. ${detail}`;
  return answered(to, text, `${pathOf("/alerts", visit)}/undo`);
}

/** A refusal, which says who was first; the person's own equal answer is confirmed. */
const explain = ({ session, now }: Visit, to: string, refusal: Refusal): Reply => ({
  kind: "goto",
  to,
  flash: {
    tone: refusal.done === undefined ? "bad" : "good",
    text: withLocalTimes(
      refusal.done === undefined ? refusalText(refusal) : `${refusal.done}.`,
      session.timeZone,
      now,
    ),
  },
});

const respond =
  (kind: "reject" | "resolve", text: string) =>
  async (visit: Visit): Promise<Reply> => {
    const path = pathOf("/alerts", visit);
    const to = backToAlerts(visit.form, path);
    const alert = await visit.api.post(`/alerts/:id/${kind}`, { id: idOf(visit) });
    return isRefusal(alert) ? explain(visit, to, alert) : answered(to, text, `${path}/undo`);
  };

async function undo(visit: Visit): Promise<Reply> {
  const to = backToAlerts(visit.form, pathOf("/alerts", visit));
  const alert = await visit.api.post("/alerts/:id/undo", { id: idOf(visit) });
  if (isRefusal(alert)) return notDone(to, alert);
  const isAsking = alert.status === "open";
  const asked = isAsking ? " The people who are asked now are notified again." : "";
  return done(to, `Undone. The alert is ${statusWord(alert.status)}.${asked}`);
}

async function handOff(visit: Visit): Promise<Reply> {
  const receiver = chosenIn(visit.form);
  const to = pathOf("/alerts", visit);
  if (isPickerSearch(visit.form)) return { kind: "goto", to: `${to}?whole=handoff#handoff` };
  if (receiver === null) return notDone(to, NOBODY_CHOSEN);
  const note = textOf(visit.form, "note");
  const alert = await visit.api.post("/alerts/:id/handoff", { id: idOf(visit), ...receiver, note });
  return outcome(alert, to, "Alert handed off. The people on call there are notified.");
}

async function comment(visit: Visit): Promise<Reply> {
  const to = pathOf("/alerts", visit);
  const created = await visit.api.post("/alerts/:id/comments", {
    id: idOf(visit),
    body: textOf(visit.form, "body"),
  });
  return isRefusal(created) ? notDone(to, created) : { kind: "goto", to: `${to}#comments` };
}

export const alertActions: readonly ConsolePage[] = [
  step("/alerts/:id/reopen", "/alerts/:id/reopen", "Alert reopened. Escalation starts at step 1."),
  step(
    "/alerts/:id/escalate",
    "/alerts/:id/escalate",
    "Alert escalated. The next people are notified.",
  ),
  action("/alerts/:id/snooze", snooze),
  step("/alerts/:id/responders", requestResponders, "Responders requested. They are notified."),
  action("/alerts/:id/merge", merge),
  action("/alerts/:id/acknowledge", acknowledge),
  action(
    "/alerts/:id/reject",
    respond("reject", "Alert passed on. You are not notified of it again."),
  ),
  action("/alerts/:id/resolve", respond("resolve", "Alert resolved.")),
  action("/alerts/:id/undo", undo),
  action("/alerts/:id/handoff", handOff),
  action("/alerts/:id/comments", comment),
];
