// The actions on an alert: acknowledge, reject, resolve, undo, hand off and comment.
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { statusWord } from "../../domain/shared/status-word.ts";
import { withLocalTimes } from "../../domain/shared/time.ts";
import { isPickerSearch } from "../../kernel/console/picker-search.ts";
import { answered, done, notDone, refusalText } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { readNames } from "../names.ts";
import { action, type ConsolePage, idOf, type Visit } from "../page.ts";
import { backToAlerts } from "./back-to-alerts.ts";

const pathOf = ({ params }: Visit) => `/alerts/${encodeURIComponent(params.id ?? "")}`;

/** The names of the other people who were notified of the alert. */
async function readOthersNotified(visit: Visit): Promise<readonly string[]> {
  const { api, session } = visit;
  const [notifications, names] = await Promise.all([
    api.get("/alerts/:id/notifications", {
      id: idOf(visit),
      event: "alert.open",
      limit: 100,
    }),
    readNames(api),
  ]);
  if (isRefusal(notifications) || isRefusal(names)) return [];
  const others = notifications.data
    .map(({ account_user_id }) => account_user_id)
    .filter((id) => id !== session.actor.accountUserId);
  return [...new Set(others)].map(names.of);
}

async function acknowledge(visit: Visit): Promise<Reply> {
  const to = backToAlerts(visit.form, pathOf(visit));
  const alert = await visit.api.post("/alerts/:id/acknowledge", { id: idOf(visit) });
  if (isRefusal(alert)) return explain(visit, to, alert);
  const others = await readOthersNotified(visit);
  const detail =
    others.length === 0
      ? "Nobody else was notified."
      : `${others.join(", ")} ${others.length === 1 ? "was" : "were"} also notified and ${others.length === 1 ? "is" : "are"} told that you acknowledged it.`;
  const text = `Alert acknowledged: “${alert.title.slice(0, 120)}”. ${detail}`;
  return answered(to, text, `${pathOf(visit)}/undo`);
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
    const to = backToAlerts(visit.form, pathOf(visit));
    const alert = await visit.api.post(`/alerts/:id/${kind}`, { id: idOf(visit) });
    return isRefusal(alert)
      ? explain(visit, to, alert)
      : answered(to, text, `${pathOf(visit)}/undo`);
  };

async function undo(visit: Visit): Promise<Reply> {
  const to = backToAlerts(visit.form, pathOf(visit));
  const alert = await visit.api.post("/alerts/:id/undo", { id: idOf(visit) });
  if (isRefusal(alert)) return notDone(to, alert);
  const isAsking = alert.status === "open";
  const asked = isAsking ? " The people who are asked now are notified again." : "";
  return done(to, `Undone. The alert is ${statusWord(alert.status)}.${asked}`);
}

async function handOff(visit: Visit): Promise<Reply> {
  const [kind, receiver = ""] = textOf(visit.form, "to").split(" ");
  const to = pathOf(visit);
  if (isPickerSearch(visit.form)) return { kind: "goto", to: `${to}?whole=handoff#handoff` };
  if (receiver === "") return notDone(to, refuse("invalid", "choose a team or a person"));
  const name = kind === "team" ? "destination_team_ids" : "destination_account_user_ids";
  const note = textOf(visit.form, "note");
  const alert = await visit.api.post("/alerts/:id/handoff", {
    id: idOf(visit),
    [name]: [receiver],
    note,
  });
  return isRefusal(alert)
    ? notDone(to, alert)
    : done(to, "Alert handed off. The people on call there are notified.");
}

async function comment(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const created = await visit.api.post("/alerts/:id/comments", {
    id: idOf(visit),
    body: textOf(visit.form, "body"),
  });
  return isRefusal(created) ? notDone(to, created) : { kind: "goto", to: `${to}#comments` };
}

export const alertActions: readonly ConsolePage[] = [
  action("/alerts/:id/acknowledge", acknowledge),
  action(
    "/alerts/:id/reject",
    respond("reject", "Alert rejected. You are not notified of it again."),
  ),
  action("/alerts/:id/resolve", respond("resolve", "Alert resolved.")),
  action("/alerts/:id/undo", undo),
  action("/alerts/:id/handoff", handOff),
  action("/alerts/:id/comments", comment),
];
