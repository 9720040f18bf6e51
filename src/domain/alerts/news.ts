// What a repeated event says that its alert does not say yet (contract 3, Matching of events): a
// higher urgency and further things that fire are news, of which people are notified. Pure.

import { findReceivers, routeDraft } from "../routing/receivers.ts";
import { formatInstant, MINUTE } from "../shared/time.ts";
import {
  ALERT_URGENCIES,
  type Alert,
  type AlertUrgency,
  type LatestEvent,
  type Workflow,
} from "./alert.ts";
import { addLogEntry, addPage, type Draft, requireFacts, startDraft } from "./alert-draft.ts";
import type { AlertDraft, CommandContext, Outcome } from "./commands.ts";
import { linkOf } from "./content-changes.ts";
import {
  endMembers,
  firstMembers,
  type MembersChange,
  memberNames,
  mergeMembers,
} from "./members.ts";
import { askLayerAgain, isUnasked, putWorkflow, updateStatus } from "./workflow.ts";

type Needs = Extract<Outcome, { kind: "needs" }>;

/** How long the person who had acknowledged has to answer, before the escalation goes on (ms). */
export const NEWS_MS = 5 * MINUTE;

/** Limits on a list of names, and on the latest description (characters). */
const MAX_NAMES_LENGTH = 300;
const MAX_DESCRIPTION = 10_000;

const rankOf = (urgency: AlertUrgency) => ALERT_URGENCIES.indexOf(urgency);

const isHigher = (one: AlertUrgency, other: AlertUrgency) => rankOf(one) > rankOf(other);

const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

const listed = (names: readonly string[]) => cut(names.join("; "), MAX_NAMES_LENGTH);

// ── Members ──

/** Changes the members, with an entry for those that have ended and for those that are new. */
export function putMembers(draft: Draft, { members, gone, added }: MembersChange): void {
  if (gone.length > 0) addLogEntry(draft, `${gone.length} no longer firing: ${listed(gone)}`);
  if (added.length > 0) addLogEntry(draft, `${added.length} more: ${listed(added)}`);
  draft.alert = { ...draft.alert, members };
}

// ── Texts ──

/** What the event says differently from the alert's first one; undefined if nothing. */
function latestOf(alert: Alert, event: AlertDraft): LatestEvent | undefined {
  const { title, description } = { ...alert, ...alert.reported };
  const link = linkOf(event);
  const latest: LatestEvent = {
    ...(event.title !== title && { title: event.title }),
    ...(event.description !== description && {
      description: event.description && cut(event.description, MAX_DESCRIPTION),
    }),
    ...(link !== linkOf(alert) && { link }),
  };
  return Object.keys(latest).length === 0 ? undefined : latest;
}

// ── Urgency ──

/** The urgency of an event as the routers of its destinations decide it. */
function routedUrgency(
  alert: Alert,
  event: AlertDraft,
  context: CommandContext,
): AlertUrgency | Needs {
  if (event.destinations.routerIds.length === 0) return event.urgency;
  const lookup = findReceivers(event.destinations, context);
  if (lookup.kind === "needs") return lookup;
  const { title, description, urgency, tags, meta, additionalData } = event;
  const content = { title, description, urgency, tags, meta, additionalData };
  const scratch = startDraft({ ...alert, ...content }, context);
  return routeDraft(scratch, lookup.receivers, event.log).content.urgency;
}

/** Raises the urgency, or lowers it where the integration of the alert's own events says so. */
function applyUrgency(draft: Draft, event: AlertDraft, isOwn: boolean): Needs | null {
  const { alert, context } = draft;
  const reported = alert.reported?.urgency ?? alert.urgency;
  const isRise = isHigher(event.urgency, reported);
  const isFall = isOwn && event.lowersUrgency === true && isHigher(reported, event.urgency);
  if (!isRise && !isFall) return null;
  const routed = routedUrgency(alert, event, context);
  if (typeof routed !== "string") return routed;
  const changes = isRise ? isHigher(routed, alert.urgency) : isHigher(alert.urgency, routed);
  const urgency = changes ? routed : alert.urgency;
  draft.alert = withReported({ ...alert, urgency }, { ...alert.reported, urgency: event.urgency });
  if (changes) addLogEntry(draft, changeOfUrgency(alert.urgency, urgency));
  return null;
}

const changeOfUrgency = (before: AlertUrgency, after: AlertUrgency) =>
  `Urgency ${isHigher(after, before) ? "raised" : "lowered"} from ${before} to ${after}`;

/** The alert with what its events said, as far as it differs. */
export function withReported(alert: Alert, reported: NonNullable<Alert["reported"]>): Alert {
  const { reported: _, ...rest } = alert;
  const differs = ([name, value]: [string, unknown]) =>
    value !== { title: alert.title, description: alert.description, urgency: alert.urgency }[name];
  const different = Object.fromEntries(Object.entries(reported).filter(differs));
  return Object.keys(different).length === 0 ? rest : { ...rest, reported: different };
}

// ── News ──

/**
 * Applies what a repeated event says to the alert.
 *
 * @param isOwn whether the event has the alert's own `Id`: only such events know its members
 */
export function applyEvent(draft: Draft, event: AlertDraft, isOwn: boolean): Needs | null {
  const needs = applyUrgency(draft, event, isOwn);
  if (needs !== null) return needs;
  const { alert } = draft;
  const { members } = event;
  if (isOwn && members !== undefined) {
    if (alert.members) putMembers(draft, mergeMembers(alert.members, members));
    else draft.alert = { ...alert, members: firstMembers(members) };
  }
  const { latest: _, ...rest } = draft.alert;
  const latest = latestOf(rest, event);
  draft.alert = latest === undefined ? rest : { ...rest, latest };
  return null;
}

/** The news of a step, in a few words; null if there are none. */
export function describeNews(before: Alert, after: Alert): string | null {
  const known = new Set(memberNames(before));
  const added = before.members ? memberNames(after).filter((name) => !known.has(name)) : [];
  const parts = [
    ...(isHigher(after.urgency, before.urgency)
      ? [changeOfUrgency(before.urgency, after.urgency)]
      : []),
    ...(added.length > 0 ? [`${added.length} more: ${listed(added)}`] : []),
  ];
  return parts.length === 0 ? null : parts.join(". ");
}

// ── Maintenance windows ──

/** Whether people are notified of the alert's news. */
export const isNotifying = ({ status }: Alert): boolean =>
  ["queued", "open", "acknowledged"].includes(status);

/** Notes the news of a running alert, and a dropped one's event, for the end of the windows. */
export function mute(draft: Draft, before: Alert, until: number): void {
  const { alert } = draft;
  if (describeNews(before, alert) === null && alert.status !== "dropped") return;
  const known = beforeMute(before);
  const names = new Set(memberNames(known));
  const added = known.members ? memberNames(alert).filter((name) => !names.has(name)) : [];
  draft.alert = { ...alert, muted: { until, urgency: known.urgency, added } };
}

/** The alert as people know it: without what a maintenance window has kept quiet. */
export function beforeMute(alert: Alert): Alert {
  const { muted, members } = alert;
  if (muted === undefined) return alert;
  const known = members && { members: endMembers(members, muted.added).members };
  return { ...alert, urgency: muted.urgency, ...known };
}

// ── Notifications ──

/**
 * Notifies of news: the current layer of an open workflow by the present urgency; of an acknowledged
 * one, who has acknowledged. A snooze ends, and a sender's earlier acknowledgement does not count.
 *
 * @returns whether nobody was ever asked of the acknowledged alert: the caller must open it
 */
export function notifyOfNews(draft: Draft, before: Alert): boolean {
  const { muted: _, ...alert } = draft.alert;
  draft.alert = alert;
  const news = describeNews(before, alert);
  const { status, urgency } = alert;
  if (news === null || urgency === "silent" || !isNotifying(alert)) return false;
  if (draft.alert.heldAcknowledgement !== null) {
    draft.alert = { ...draft.alert, heldAcknowledgement: null };
    addLogEntry(draft, "The earlier acknowledgement does not count: the alert got worse");
  }
  if (draft.alert.snoozedUntil != null) {
    draft.alert = { ...draft.alert, snoozedUntil: null };
    addLogEntry(draft, "The snooze ends: the alert got worse");
  }
  if (status === "acknowledged" && isUnasked(draft.alert)) return true;
  for (const workflow of draft.alert.workflows) {
    if (workflow.state === "open") notifyLayer(draft, workflow, `${news}.`);
    else if (workflow.state === "acknowledged" && !workflow.isRequested)
      notifyAcknowledger(draft, workflow, `${news}.`);
  }
  if (status === "acknowledged") updateStatus(draft);
  return false;
}

/** Notifies the people who are asked now once more. */
function notifyLayer(draft: Draft, workflow: Workflow, news: string): void {
  const asked = workflow.accountUserIds.filter((id) => !workflow.rejectedIds.includes(id));
  for (const id of asked) addPage(draft, "alert.open", id, workflow, news, true);
}

/**
 * Opens an acknowledged workflow again at its layer. Who acknowledged it is notified alone and has
 * some minutes to answer; without such a person, the layer is asked.
 */
function notifyAcknowledger(draft: Draft, workflow: Workflow, news: string): void {
  if (askAcknowledger(draft, workflow, news, true)) return;
  const count = draft.pages.length;
  askLayerAgain(draft, workflow, news);
  const added = draft.pages.splice(count).map((page) => ({ ...page, isNews: true }) as const);
  draft.pages.push(...added);
}

/**
 * Opens a workflow again for the person who had acknowledged it, alone, for some minutes; then the
 * escalation goes on. False without such a person: nothing is changed.
 */
export function askAcknowledger(
  draft: Draft,
  workflow: Workflow,
  detail: string,
  isNews: boolean,
): boolean {
  const { acknowledgedBy: id, destinationName } = workflow;
  const person = id === undefined ? null : requireFacts(draft, { type: "account_user", id });
  if (id === undefined || person === null) return false;
  const nextStepAt = draft.context.now + NEWS_MS;
  const asked = putWorkflow(draft, {
    ...workflow,
    state: "open",
    accountUserIds: [id],
    askedIds: [...new Set([...workflow.askedIds, id])],
    rejectedIds: workflow.rejectedIds.filter((it) => it !== id),
    nextStepAt,
  });
  const until = formatInstant(nextStepAt);
  addLogEntry(
    draft,
    `${destinationName}: notifying ${person.name}, who had acknowledged; escalation goes on at ${until}`,
  );
  if (draft.alert.urgency !== "silent") addPage(draft, "alert.open", id, asked, detail, isNews);
  return true;
}
