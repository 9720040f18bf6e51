// Builds the queue message of an alert's page: its content, and what the person's rule conditions
// match. Bounded in size for any alert: the queue accepts at most 128 KB.

import { type Alert, incidentOf, type Page } from "../alerts/alert.ts";
import { factsForRules } from "../routing/receivers.ts";
import { prefixIdOf } from "../shared/identifiers.ts";
import { EMPTY_RULE_VIEW, type PageMessage, type RuleView } from "./page.ts";

/** Descriptions are truncated to this length (characters). */
const MAX_DESCRIPTION = 2_000;
/** What is new is truncated to this length in a title (characters). */
const MAX_NEWS = 100;
/** Limits on each part that rules can match (characters of JSON); entries beyond are left out. */
const MAX_FACTS = 24_000;
const MAX_REQUEST = 24_000;

type JsonObject = Readonly<Record<string, unknown>>;

/** The message of a page for its first stage. */
export function pageMessage(alert: Alert, request: JsonObject, page: Page): PageMessage {
  if (page.event === "drill.ended") return drillReport(alert, page);
  const { id, accountId, urgency } = alert;
  const { title, description } = page.isNews ? newsOf(alert, page) : alert;
  const workflow = alert.workflows.find((it) => it.id === page.workflowId);
  const names = alert.workflows.map((it) => it.destinationName).join(", ");
  return {
    accountId,
    page,
    alert: {
      id,
      version: alert.version,
      title,
      description: description === null ? null : description.slice(0, MAX_DESCRIPTION),
      urgency,
      createdAt: alert.createdAt,
      destinationName: workflow?.destinationName ?? names,
      ...(alert.exercise && { exercise: alert.exercise }),
    },
    notice: null,
    stage: 0,
    view: viewOf(alert, request),
  };
}

/** The texts of a page about news: what is new, and what the latest event says. */
function newsOf(alert: Alert, { detail }: Page): Pick<Alert, "title" | "description"> {
  const { title, description, latest = {} } = alert;
  const news = (detail ?? "").replace(/\.$/, "").slice(0, MAX_NEWS).toWellFormed();
  const texts = [
    latest.description === undefined ? description : latest.description,
    latest.title === undefined ? null : `The first event was: ${title}`,
  ].filter((text) => text !== null);
  return {
    title: `${news}: ${latest.title ?? title}`,
    description: texts.length === 0 ? null : texts.join("\n\n"),
  };
}

/** The report of a drill's end, by e-mail: nobody has to answer it. */
function drillReport({ id, accountId, title }: Alert, page: Page): PageMessage {
  const subject = `Drill ended: ${title}`.slice(0, MAX_DESCRIPTION);
  const text = `The drill has ended: ${page.detail ?? ""}.`;
  const sender = prefixIdOf("alert", id);
  return {
    accountId,
    page,
    alert: null,
    notice: { schedule: sender, subject, text, channels: ["email"] },
    stage: 0,
    view: EMPTY_RULE_VIEW,
  };
}

function viewOf(alert: Alert, request: JsonObject): RuleView {
  const { title, description, urgency, tags, meta, status } = alert;
  const small = { title, urgency, status, description: description?.slice(0, MAX_DESCRIPTION) };
  const large = {
    ...factsForRules(alert),
    ...incidentOf(meta),
    tags,
    meta,
    thirdparty_id: alert.thirdpartyId,
    ...(alert.exercise && { exercise: alert.exercise }),
    created_at: new Date(alert.createdAt).toISOString(),
  };
  return { alert: { ...takeFitting(large, MAX_FACTS), ...small }, log: request };
}

/** Keeps entries, in order, while they fit in `limit` characters. */
function takeFitting(entries: JsonObject, limit: number): Record<string, unknown> {
  let remaining = limit;
  const taken = Object.entries(entries).filter(([, value]) => {
    const size = JSON.stringify(value)?.length ?? 0;
    if (size > remaining) return false;
    remaining -= size;
    return true;
  });
  return Object.fromEntries(taken);
}

/** The request that created an alert, bounded for its people's rules; JSON. */
export function requestForRules(request: JsonObject): string {
  return JSON.stringify(takeFitting(request, MAX_REQUEST));
}
