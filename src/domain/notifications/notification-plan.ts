// Plans how one page reaches a person: the stages of their notification rule or their default
// channels, then fallback contacts (contract 2 and 6). Used by the queue consumer, the
// person's object and the preview. Pure: the same input yields the same plan.

import type { Page } from "../alerts/alert.ts";
import {
  type Channel,
  type Contact,
  contactKey,
  fallbackContacts,
  type NotificationRecipient,
  selectContacts,
  unreachableReason,
} from "../people/contact.ts";
import { firstNotificationMatch } from "../routing/rules/first-match.ts";
import type {
  NotificationAction,
  NotificationRules,
  NotifyAction,
} from "../routing/rules/notification-rules.ts";
import { holdEndsAt } from "../routing/rules/quiet-hours.ts";
import { NOTIFICATION_EVENTS } from "./notification-events.ts";
import { planRepeatedCalls, type RepeatedCall } from "./repeat-call.ts";
import { REQUESTED_EVENTS } from "./requested-notifications.ts";

/** One stage: all its contacts are notified at the same time. */
export type Stage = {
  /** Epoch ms. */
  readonly at: number;
  readonly contacts: readonly Contact[];
  /**
   * `held`: part of the digest sent then. `reserve`: a fallback, sent once all before it failed.
   */
  readonly kind: "timed" | "held" | "reserve";
  /** Left out once a message of the stages from number `since` on was delivered. */
  readonly unlessDelivered?: { readonly since: number };
};

export type NotificationPlan =
  | {
      readonly kind: "stages";
      readonly stages: readonly [Stage, ...Stage[]];
      /** The calls among them that are repeated unless the alert is answered. */
      readonly repeatedCalls: readonly RepeatedCall[];
      /** The reason as text: a rule, the person's settings, or no usable channel among these. */
      readonly why: string;
    }
  /** No usable contact. */
  | { readonly kind: "unreachable"; readonly reason: string }
  /** Ignored by the person's own rule. */
  | { readonly kind: "ignored"; readonly reason: string }
  /** An event that is sent only on request, and no rule requests it. */
  | { readonly kind: "not_asked_for" };

/** A person's notification rule; null if there is none, or it is disabled or unreadable. */
export type PersonalRule = { readonly name: string; readonly rules: NotificationRules } | null;

export type PlanRequest = {
  readonly page: Pick<Page, "event" | "at" | "until">;
  readonly urgency: string | null;
  /** The document that conditions match: `{alert, log}`. */
  readonly view: unknown;
  readonly person: NotificationRecipient | null;
  readonly rule: PersonalRule;
  readonly available: ReadonlySet<Channel>;
  /** The channels of a notice that names its own, unless a rule matches it. */
  readonly channels?: readonly Channel[] | null;
};

/** Minimum interval between rounds of a repeated rule (ms). */
const MIN_ROUND_MS = 60_000;

/** Plans one page for one person. */
export function planNotification(request: PlanRequest): NotificationPlan {
  const { person, page, available } = request;
  if (person === null || !person.active) {
    return { kind: "unreachable", reason: "is no longer in the account" };
  }
  const decision = decide(request, person);
  if (decision.kind !== "stages") return decision;
  const tried = decision.stages.flatMap(({ contacts }) => contacts);
  const reserves = fallbackContacts(person, tried, available, page.event === "alert.open");
  // A held stage stays held even when only a fallback contact can serve it.
  const stages = decision.stages
    .map((stage) =>
      stage.kind === "held" && stage.contacts.length === 0
        ? { ...stage, contacts: reserves.splice(0, 1) }
        : stage,
    )
    .filter(({ contacts }) => contacts.length > 0)
    .flatMap((stage, i) => (stage.kind === "held" ? heldStages(stage, i, page) : [stage]));
  const fallbacks = reserves.map(
    (contact): Stage => ({ at: page.at, contacts: [contact], kind: "reserve" }),
  );
  const [first, ...rest] = [...stages, ...fallbacks];
  if (first === undefined) return { kind: "unreachable", reason: unreachableReason(person) };
  const why =
    tried.length > 0 ? decision.why : "none of their channels is usable, using another one";
  const repeatedCalls = person.repeatsCalls ? planRepeatedCalls([first, ...rest], page) : [];
  return { kind: "stages", stages: [first, ...rest], repeatedCalls, why };
}

/**
 * A held alert waits for the digest. A held notice of shifts is sent by itself, by a timer, which
 * only a stage after the first one has.
 */
function heldStages(stage: Stage, index: number, { event, at }: PlanRequest["page"]): Stage[] {
  if (!event.startsWith("oncall.")) return [stage];
  const timed: Stage = { ...stage, kind: "timed" };
  return index > 0 ? [timed] : [{ at, contacts: [], kind: "timed" }, timed];
}

type Decision =
  | { readonly kind: "stages"; readonly stages: readonly Stage[]; readonly why: string }
  | Extract<NotificationPlan, { kind: "ignored" | "not_asked_for" }>;

function decide(request: PlanRequest, person: NotificationRecipient): Decision {
  const { page, rule, view } = request;
  const event = NOTIFICATION_EVENTS.find((it) => it === page.event);
  const match =
    rule === null || event === undefined
      ? null
      : firstNotificationMatch(rule.rules, event, view, page.at);
  if (rule === null || match?.kind !== "rule") {
    if (REQUESTED_EVENTS.some((it) => it === page.event)) return { kind: "not_asked_for" };
    if (request.channels) {
      const contacts = selectContacts(person, request.channels, {}, request.available);
      return {
        kind: "stages",
        stages: [{ at: page.at, contacts, kind: "timed" }],
        why: "their own settings",
      };
    }
    const stage = defaultStage(request, person, page.at, "timed");
    return { kind: "stages", stages: [stage], why: "their own settings" };
  }
  const why = `notification rule ${rule.name}, line ${match.rule.line}`;
  const stages = stagesOf(match.rule.actions, request, person);
  return stages === "ignored"
    ? { kind: "ignored", reason: `ignored by ${why}` }
    : { kind: "stages", stages, why };
}

function defaultStage(
  { page, available }: PlanRequest,
  person: NotificationRecipient,
  at: number,
  kind: Stage["kind"],
): Stage {
  const channels = person.defaults.filter((it) => it !== "voice" || page.event === "alert.open");
  return { at, contacts: selectContacts(person, channels, {}, available), kind };
}

/** Translates a rule's actions, in order. Without channels, a rule uses the person's settings. */
function stagesOf(
  actions: readonly NotificationAction[],
  request: PlanRequest,
  person: NotificationRecipient,
): readonly Stage[] | "ignored" {
  const { page, urgency } = request;
  const stages: Stage[] = [];
  let at = page.at;
  let holdUntil: number | null = null;
  for (const action of actions) {
    if (action.type === "ignore")
      return stages.length > 0 ? beforeTimeout(stages, page) : "ignored";
    if (action.type === "repeat") {
      return holdUntil === null
        ? beforeTimeout(repeatStages(stages, action.times, at, page), page)
        : stages;
    }
    if (action.type === "hold") {
      if (urgency === "critical") continue;
      holdUntil ??= holdEndsAt(action.until, action.timeZone ?? person.timeZone, page.at);
      continue;
    }
    const contacts = contactsOf(action, request, person);
    if (holdUntil !== null)
      return [...beforeTimeout(stages, page), { at: holdUntil, contacts, kind: "held" }];
    if (contacts.length === 0) continue;
    const isConditional = action.unlessDelivered && stages.length > 0;
    // Only an alert waits: what would be sent with the other messages is left out.
    if (isConditional && page.event !== "alert.open") continue;
    const condition = isConditional && { unlessDelivered: { since: 0 } };
    addStage(stages, { at, contacts, kind: "timed", ...condition });
    if (page.event === "alert.open") at += action.timeoutMs ?? 0;
  }
  if (stages.length > 0) return beforeTimeout(stages, page);
  if (holdUntil !== null) return [defaultStage(request, person, holdUntil, "held")];
  const namesChannel = actions.some(({ type }) => type === "notify");
  return namesChannel ? [] : [defaultStage(request, person, at, "timed")];
}

function contactsOf(
  { channels, addresses }: NotifyAction,
  { page, available }: PlanRequest,
  person: NotificationRecipient,
): Contact[] {
  const isSpoken = page.event === "alert.open" || page.event === "oncall.shift_reminder";
  const supported = channels.filter((it) => it !== "voice" || isSpoken);
  return selectContacts(person, supported, addresses, available);
}

/** Adds a stage, merged with the last one if due at the same time, and both without a condition. */
function addStage(stages: Stage[], stage: Stage): void {
  const last = stages.at(-1);
  if (last?.at !== stage.at || last.unlessDelivered || stage.unlessDelivered) {
    stages.push(stage);
    return;
  }
  const existingKeys = new Set(last.contacts.map(contactKey));
  const added = stage.contacts.filter((contact) => !existingKeys.has(contactKey(contact)));
  stages.splice(-1, 1, { ...last, contacts: [...last.contacts, ...added] });
}

/** Repeats the stages `times` more. Only an open alert is repeated. */
function repeatStages(
  stages: readonly Stage[],
  times: number,
  end: number,
  page: PlanRequest["page"],
): readonly Stage[] {
  const round = Math.max(end - page.at, MIN_ROUND_MS);
  const rounds = page.event === "alert.open" ? times : 0;
  return [...Array(rounds + 1).keys()].flatMap((count) =>
    stages.map((stage) => ({
      ...stage,
      at: stage.at + count * round,
      // Of its own round.
      ...(stage.unlessDelivered && { unlessDelivered: { since: count * stages.length } }),
    })),
  );
}

/** Drops stages after the layer's timeout; the first stage always stays. */
function beforeTimeout(stages: readonly Stage[], { until }: PlanRequest["page"]): readonly Stage[] {
  return stages.filter(({ at }, i) => i === 0 || until === null || at < until);
}
