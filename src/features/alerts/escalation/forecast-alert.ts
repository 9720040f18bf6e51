// Forecasts who an alert would page, when, on which channel, and why (contract 4, Who is on call).
// Uses the decisions and readers of the alert's object; stores and sends nothing.

import type { Destination, Page } from "../../../domain/alerts/alert.ts";
import { type AlertDraft, type Facts, factsKey } from "../../../domain/alerts/commands.ts";
import type { DestinationFacts } from "../../../domain/alerts/escalation.ts";
import { type Preview, preview } from "../../../domain/alerts/preview.ts";
import {
  type NotificationPlan,
  planNotification,
} from "../../../domain/notifications/notification-plan.ts";
import { pageMessage } from "../../../domain/notifications/page-message.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import type { Context } from "../../change/context.ts";
import { availableChannels } from "../../people/channels/channels.ts";
import { type RecipientFacts, readRecipients } from "../../people/contacts/recipient-rows.ts";
import { readRouters } from "../../routing/routers/rows.ts";
import {
  routersToRead,
  type Unsaved,
  withUnsavedNotificationRule,
  withUnsavedRouter,
} from "../../routing/routers/unsaved-rules.ts";
import type { AlertPreview } from "./contract.ts";
import { readDestinationFacts } from "./destination-facts.ts";

type ForecastContext = Pick<Context, "db" | "env" | "actor">;

type People = ReadonlyMap<string, RecipientFacts>;

/** Reads people by id, with their contact addresses. */
async function readPeople({ db, actor }: ForecastContext, ids: readonly string[]): Promise<People> {
  if (ids.length === 0) return new Map();
  const recipients = ids.map((id) => ({
    accountId: actor.accountId,
    alert: null,
    page: { effectId: id, accountUserId: id, workflowId: null },
  }));
  return readRecipients(db, recipients);
}

/** The recipients of the pages that are not in `known`, without duplicates. */
const unknownRecipients = (pages: readonly Page[], known: People): string[] => [
  ...new Set(pages.map(({ accountUserId }) => accountUserId).filter((id) => !known.has(id))),
];

/**
 * Returns a reader of destinations at an instant. People are cached: they do not depend on the
 * instant.
 */
function factsReader({ db, actor }: ForecastContext) {
  const people = new Map<string, DestinationFacts | null>();
  return async (destinations: readonly Destination[], instant: number): Promise<Facts> => {
    const missing = destinations.filter((it) => !people.has(factsKey(it)));
    if (missing.length === 0) return people;
    const facts = await readDestinationFacts(db, actor.accountId, missing, instant);
    for (const [key, fact] of facts) {
      if (fact?.destination.type === "account_user") people.set(key, fact);
    }
    return new Map([...people, ...facts]);
  };
}

const REPEATED = "the call is repeated once";
const HELD = "held through quiet hours, then sent in one digest";
const ONLY_IF_UNDELIVERED = "only if no message before it was delivered";

/** When and on which channels a person would be notified, by their notification plan. */
function notificationsOf(plan: NotificationPlan, at: number) {
  if (plan.kind === "not_asked_for") return [];
  if (plan.kind !== "stages") {
    return [{ at, channel: null, decided_by: null, reason: plan.reason }];
  }
  return plan.stages.flatMap(({ kind, contacts, at: due, unlessDelivered }, i) => {
    if (kind === "reserve" && i > 0) return [];
    const firsts = contacts.map(({ channel }) => ({
      at: due,
      channel,
      decided_by: plan.why,
      reason: unlessDelivered ? ONLY_IF_UNDELIVERED : kind === "held" ? HELD : null,
    }));
    const repeats = plan.repeatedCalls
      .filter(({ stage }) => stage === i)
      .map(({ contact, at: repeatedAt }) => ({
        at: repeatedAt,
        channel: contact.channel,
        decided_by: plan.why,
        reason: unlessDelivered ? "the call is repeated once, if it is made" : REPEATED,
      }));
    return [...firsts, ...repeats];
  });
}

function show(
  env: Cloudflare.Env,
  { alert, log, pages, complete }: Preview,
  people: People,
  unsaved: Unsaved,
): AlertPreview {
  const available = availableChannels(env);
  const shown = pages.flatMap((page) => {
    const { person = null, rule: own = null } = people.get(page.accountUserId) ?? {};
    const rule = unsaved.rule === undefined ? own : unsaved.rule;
    const { view } = pageMessage(alert, {}, page);
    const { urgency } = alert;
    const plan = planNotification({ page, urgency, view, person, rule, available });
    const { event, accountUserId, layer, pass } = page;
    const asking = alert.workflows.find(({ id }) => id === page.workflowId);
    const who = {
      ...{ event, account_user_id: accountUserId, name: person?.name ?? "", layer, pass },
      destination_type: asking?.destination.type ?? null,
      destination_id: asking?.destination.id ?? null,
      destination_name: asking?.destinationName ?? null,
    };
    return notificationsOf(plan, page.at).map((way) => ({ ...who, ...way }));
  });
  return {
    status: alert.status,
    complete,
    pages: shown
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, ...page }) => ({ at: formatInstant(at), ...page })),
    steps: log.map(({ at, level, message }) => ({ at: formatInstant(at), level, message })),
  };
}

/**
 * Forecasts an alert that nobody answers.
 *
 * @param at the creation time (epoch ms)
 * @param unsaved rules that replace the stored ones
 * @returns the forecast; the refusal of the alert's create
 */
export async function forecastAlert(
  context: ForecastContext,
  requested: AlertDraft,
  at: number,
  unsaved: Unsaved,
): Promise<AlertPreview | Refusal> {
  const { db, env, actor } = context;
  const draft = addUnsavedRouter(requested, unsaved);
  const factsAt = factsReader(context);
  // Account users in the destinations are always paged, so they are read with the first facts.
  const named = readPeople(context, draft.destinations.accountUserIds);
  const pending = preview(draft, at, newId, async (needs, known, instant) => {
    const read = needs.routers && routersToRead(needs.routers, unsaved);
    const [facts, routers] = await Promise.all([
      factsAt(needs.destinations, instant),
      read ? readRouters(db, actor.accountId, read) : known.routers,
    ]);
    // Treats the alert as the first of every aggregate.
    const firsts = (needs.aggregates ?? []).map((it) => [it.fingerprint, draft.id] as const);
    return {
      facts: new Map([...known.facts, ...withUnsavedNotificationRule(facts, unsaved)]),
      routers: routers && withUnsavedRouter(routers, unsaved),
      firsts: new Map([...known.firsts, ...firsts]),
    };
  });
  const [result, reachable] = await Promise.all([pending, named]);
  if (isRefusal(result)) return result;
  const others = await readPeople(context, unknownRecipients(result.pages, reachable));
  return show(env, result, new Map([...reachable, ...others]), unsaved);
}

/** Adds an unsaved new router to the alert's destinations. */
function addUnsavedRouter(draft: AlertDraft, { router, isKept }: Unsaved): AlertDraft {
  if (router === null || isKept) return draft;
  const { routerIds, ...others } = draft.destinations;
  return { ...draft, destinations: { ...others, routerIds: [...routerIds, router.id] } };
}
