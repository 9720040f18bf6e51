// The message that an alert's page travels in: what the person is told, and what the conditions of their rule look at.
// Bounded, whatever an alert holds: a queue takes messages of 128 KB.
import { type Alert, incidentOf, type Page } from "./alert.ts";
import type { PageMessage, RuleView } from "./page.ts";
import { factsForRules } from "./receivers.ts";

/** Shortened: a message is not the place for an essay. */
const MOST_DESCRIPTION = 2_000;
/** How much of a kind rules may look at (characters of JSON); what is larger is as if it were not there. */
const MOST_FACTS = 24_000;
const MOST_REQUEST = 24_000;

type Hash = Readonly<Record<string, unknown>>;

/** A page's message, for the stage that is due at once. */
export function pageMessage(alert: Alert, request: Hash, page: Page): PageMessage {
  const { id, accountId, title, description, urgency } = alert;
  const workflow = alert.workflows.find((it) => it.id === page.workflowId);
  const names = alert.workflows.map((it) => it.destinationName).join(", ");
  return {
    accountId,
    page,
    alert: {
      id,
      version: alert.version,
      title,
      description: description === null ? null : description.slice(0, MOST_DESCRIPTION),
      urgency,
      createdAt: alert.createdAt,
      destinationName: workflow?.destinationName ?? names,
    },
    notice: null,
    stage: 0,
    view: viewOf(alert, request),
  };
}

function viewOf(alert: Alert, request: Hash): RuleView {
  const { title, description, urgency, tags, meta, status } = alert;
  const small = { title, urgency, status, description: description?.slice(0, MOST_DESCRIPTION) };
  const large = {
    ...factsForRules(alert),
    ...incidentOf(meta),
    tags,
    meta,
    thirdparty_id: alert.thirdpartyId,
    created_at: new Date(alert.createdAt).toISOString(),
  };
  return { alert: { ...fitting(large, MOST_FACTS), ...small }, log: request };
}

/** Those entries that fit in, the first ones first. */
function fitting(given: Hash, most: number): Record<string, unknown> {
  let left = most;
  const kept = Object.entries(given).filter(([, value]) => {
    const size = JSON.stringify(value)?.length ?? 0;
    if (size > left) return false;
    left -= size;
    return true;
  });
  return Object.fromEntries(kept);
}

/** The request that made an alert, as it is kept for its people's rules; JSON. */
export function requestForRules(request: Hash): string {
  return JSON.stringify(fitting(request, MOST_REQUEST));
}
