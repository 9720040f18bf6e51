// The rows of an alert that was: the alert's own decisions, made at the times of the story. Whoever reads them finds
// what an alert of these days would have left.
import type { SQLWrapper } from "drizzle-orm";
import type { Alert, AlertSource, LogEntry, Page } from "../../domain/alerts/alert.ts";
import { nextStepAt } from "../../domain/alerts/alert.ts";
import type { Command, CommandAuthor } from "../../domain/alerts/commands.ts";
import { factsKey } from "../../domain/alerts/commands.ts";
import type { DestinationFacts } from "../../domain/alerts/escalation.ts";
import { transition } from "../../domain/alerts/transition.ts";
import { projectionOf } from "../../features/alerts/alerts/alert-rows.ts";
import { notifications } from "../../features/schema/alerts.ts";
import { comments } from "../../features/schema/messages.ts";
import { build } from "../../kernel/db/database.ts";
import { newId, newIdentity, newIdOf } from "../../kernel/db/identifiers.ts";
import type { StoryAlert } from "./story.ts";

export type DemoPerson = { readonly id: string; readonly name: string; readonly email: string };

/** What an alert's rows refer to. */
export type Cast = {
  readonly accountId: string;
  readonly teamId: string;
  readonly source: AlertSource;
  /** What the team's escalation depends on at an instant (epoch ms). */
  readonly factsAt: (at: number) => DestinationFacts;
  readonly memberOf: (accountUserId: string) => DemoPerson;
};

/** How long after it was decided a message left, and after an answer its comment was written (ms). */
const SENT_AFTER = 400;
const COMMENTED_AFTER = 240_000;

/** The statements that insert an alert with its timeline, messages and comment. */
export function pastAlertRows(past: StoryAlert, cast: Cast): readonly SQLWrapper[] {
  const { at, problem, acknowledgedAfter, resolvedAfter } = past;
  const { accountId, teamId, source } = cast;
  const id = newIdOf("alert", at);
  let alert: Alert | null = null;
  const timeline: LogEntry[] = [];
  const pages: Page[] = [];
  const apply = (command: Command, now: number) => {
    const destination = { type: "team", id: teamId } as const;
    const outcome = transition(alert, command, {
      now,
      newId: () => newId(now),
      facts: new Map([[factsKey(destination), cast.factsAt(now)]]),
      routers: new Map(),
      firsts: new Map(),
      hasClaimed: true,
      window: { until: null, log: null },
    });
    if (outcome.kind !== "changed") return;
    alert = outcome.alert;
    timeline.push(...outcome.log);
    pages.push(...outcome.pages);
  };
  const { title, description, urgency, comment } = problem;
  const draft = {
    ...{ id, accountId, source, title, description, urgency },
    ...{ thirdpartyId: `demo-${id}`, dedupKeys: [], tags: [], meta: {}, additionalData: [] },
    ...{ log: null, maintenance: null, autoResolveMs: null, requestId: null },
    destinations: { teamIds: [teamId], routerIds: [], accountUserIds: [] },
  };
  apply({ type: "create", draft, sequences: [] }, at);
  const answerAt = at + (acknowledgedAfter ?? Number.POSITIVE_INFINITY);
  const endAt = at + resolvedAfter;
  for (let due = nextOf(alert); due !== null && due < Math.min(answerAt, endAt); ) {
    apply({ type: "tick" }, due);
    const next = nextOf(alert);
    due = next === due ? null : next;
  }
  const asked = pages.filter(({ event }) => event === "alert.open").at(-1);
  const answerer = asked && answerAt < endAt ? cast.memberOf(asked.accountUserId) : null;
  if (answerer) {
    const by: CommandAuthor = { accountUserId: answerer.id, name: answerer.name };
    apply({ type: "acknowledge", by }, answerAt);
  }
  apply({ type: "resolve", by: { accountUserId: null, name: source.name } }, endAt);
  if (alert === null) return [];
  return [
    ...projectionOf({ alert, timeline }),
    ...pages.map((page) => messageRow(page, id, cast)),
    ...(answerer && comment
      ? [
          build.insert(comments).values({
            ...newIdentity("comment", answerAt + COMMENTED_AFTER),
            ...{ accountId, body: comment, commentableType: "Alert", commentableId: id },
            ...{ accountUserId: answerer.id, createdByName: answerer.name },
          }),
        ]
      : []),
  ];
}

const nextOf = (alert: Alert | null): number | null => (alert === null ? null : nextStepAt(alert));

/** The mail that a page was. */
function messageRow(page: Page, alertId: string, { accountId, memberOf }: Cast): SQLWrapper {
  const { at, effectId, event, accountUserId, workflowId, layer, pass } = page;
  return build.insert(notifications).values({
    ...{ accountId, accountUserId, id: newIdOf("notification", at), ownerId: alertId },
    ...{ createdAt: at, updatedAt: at + SENT_AFTER, sentAt: at + SENT_AFTER },
    effect: effectId.startsWith(`${alertId}:`) ? effectId.slice(alertId.length) : effectId,
    ...{ workflowId, layer, pass, event, status: "sent", attempts: 1 },
    ...{ channel: "email", to: memberOf(accountUserId).email },
  });
}
