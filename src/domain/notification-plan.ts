// How one page reaches a person: the stages of their notification rule, or their own defaults, and what is left to
// try when nothing of that works (`contract.md` 2 and 6). The consumer, the person's object and the preview all go by
// this one plan. Pure: whoever plans the same page again gets the same plan.
import type { Page } from "./alert.ts";
import {
  type Channel,
  type Contact,
  contactsOn,
  keyOf,
  type Reachable,
  reservesOf,
  unreachableReason,
} from "./contact.ts";
import { ON_REQUEST } from "./requested-notices.ts";
import { firstNotificationMatch } from "./rules/first-match.ts";
import { heldUntil } from "./rules/hold.ts";
import {
  NOTIFICATION_EVENTS,
  type NotificationAction,
  type NotificationRules,
  type NotifyAction,
} from "./rules/notification-rules.ts";

/** What happens in one go: all contacts at once. */
export type Stage = {
  /** Epoch ms. */
  readonly at: number;
  readonly contacts: readonly Contact[];
  /** `held`: part of the digest of that instant. `reserve`: only when nothing before it worked, and then at once. */
  readonly kind: "timed" | "held" | "reserve";
};

export type NotificationPlan =
  | {
      readonly kind: "stages";
      readonly stages: readonly [Stage, ...Stage[]];
      /** Who decided it, in words: a rule, their own settings, or that none of these could be used. */
      readonly why: string;
    }
  /** There is no way to them. */
  | { readonly kind: "unreachable"; readonly reason: string }
  /** Their own rule says so. */
  | { readonly kind: "ignored"; readonly reason: string }
  /** Nobody is told of this unless a rule of theirs says so, and none does. */
  | { readonly kind: "not_asked_for" };

/** A person's notification rule, as far as it is one: null when they have none, or it is not enabled or not readable. */
export type PersonalRule = { readonly name: string; readonly rules: NotificationRules } | null;

export type PlanRequest = {
  readonly page: Pick<Page, "event" | "at" | "until">;
  readonly urgency: string | null;
  /** What conditions look at: `{alert, log}`. */
  readonly view: unknown;
  readonly person: Reachable | null;
  readonly rule: PersonalRule;
  readonly available: ReadonlySet<Channel>;
};

/** Rounds of a repeated rule are at least this far apart (ms): saying the same twice at once helps nobody. */
const SHORTEST_ROUND_MS = 60_000;

/** The plan of one page for one person. */
export function planNotification(request: PlanRequest): NotificationPlan {
  const { person, page, available } = request;
  if (person === null || !person.active) {
    return { kind: "unreachable", reason: "is no longer in the account" };
  }
  const decided = decide(request, person);
  if (decided.kind !== "stages") return decided;
  const tried = decided.stages.flatMap(({ contacts }) => contacts);
  const reserves = reservesOf(person, tried, available, page.event === "alert.open");
  // What is held is held, also where another channel has to do.
  const stages = decided.stages
    .map((stage) =>
      stage.kind === "held" && stage.contacts.length === 0
        ? { ...stage, contacts: reserves.splice(0, 1) }
        : stage,
    )
    .filter(({ contacts }) => contacts.length > 0);
  const left = reserves.map(
    (contact): Stage => ({ at: page.at, contacts: [contact], kind: "reserve" }),
  );
  const [first, ...rest] = [...stages, ...left];
  if (first === undefined) return { kind: "unreachable", reason: unreachableReason(person) };
  const why =
    tried.length > 0 ? decided.why : "none of their channels is usable, using another one";
  return { kind: "stages", stages: [first, ...rest], why };
}

type Decided =
  | { readonly kind: "stages"; readonly stages: readonly Stage[]; readonly why: string }
  | Extract<NotificationPlan, { kind: "ignored" | "not_asked_for" }>;

function decide(request: PlanRequest, person: Reachable): Decided {
  const { page, rule, view } = request;
  const event = NOTIFICATION_EVENTS.find((it) => it === page.event);
  const match =
    rule === null || event === undefined
      ? null
      : firstNotificationMatch(rule.rules, event, view, page.at);
  if (rule === null || match?.kind !== "rule") {
    if (ON_REQUEST.some((it) => it === page.event)) return { kind: "not_asked_for" };
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
  person: Reachable,
  at: number,
  kind: Stage["kind"],
): Stage {
  const channels = person.defaults.filter((it) => it !== "voice" || page.event === "alert.open");
  return { at, contacts: contactsOn(person, channels, {}, available), kind };
}

/** A rule's actions, in order. A rule that names no channel means the person's own settings. */
function stagesOf(
  actions: readonly NotificationAction[],
  request: PlanRequest,
  person: Reachable,
): readonly Stage[] | "ignored" {
  const { page, urgency } = request;
  const stages: Stage[] = [];
  let at = page.at;
  let hold: number | null = null;
  for (const action of actions) {
    if (action.type === "ignore") return stages.length > 0 ? within(stages, page) : "ignored";
    if (action.type === "repeat") {
      return hold === null ? within(repeated(stages, action.times, at, page), page) : stages;
    }
    if (action.type === "hold") {
      if (urgency === "critical") continue;
      hold ??= heldUntil(action.until, action.timeZone ?? person.timeZone, page.at);
      continue;
    }
    const contacts = contactsOf(action, request, person);
    if (hold !== null) return [...within(stages, page), { at: hold, contacts, kind: "held" }];
    if (contacts.length === 0) continue;
    join(stages, { at, contacts, kind: "timed" });
    if (page.event === "alert.open") at += action.timeoutMs ?? 0;
  }
  if (stages.length > 0) return within(stages, page);
  if (hold !== null) return [defaultStage(request, person, hold, "held")];
  const named = actions.some(({ type }) => type === "notify");
  return named ? [] : [defaultStage(request, person, at, "timed")];
}

function contactsOf(
  { channels, addresses }: NotifyAction,
  { page, available }: PlanRequest,
  person: Reachable,
): Contact[] {
  const fitting = channels.filter((it) => it !== "voice" || page.event === "alert.open");
  return contactsOn(person, fitting, addresses, available);
}

/** Adds a stage; what is due at the same instant is one. */
function join(stages: Stage[], stage: Stage): void {
  const last = stages.at(-1);
  if (last?.at !== stage.at) {
    stages.push(stage);
    return;
  }
  const known = new Set(last.contacts.map(keyOf));
  const more = stage.contacts.filter((contact) => !known.has(keyOf(contact)));
  stages.splice(-1, 1, { ...last, contacts: [...last.contacts, ...more] });
}

/** The same again, `times` more; of anything but an open alert a person is told once. */
function repeated(
  stages: readonly Stage[],
  times: number,
  end: number,
  page: PlanRequest["page"],
): readonly Stage[] {
  const round = Math.max(end - page.at, SHORTEST_ROUND_MS);
  const rounds = page.event === "alert.open" ? times : 0;
  return [...Array(rounds + 1).keys()].flatMap((count) =>
    stages.map((stage) => ({ ...stage, at: stage.at + count * round })),
  );
}

/** The layer's time-out cuts the rule. */
function within(stages: readonly Stage[], { until }: PlanRequest["page"]): readonly Stage[] {
  return stages.filter(({ at }, i) => i === 0 || until === null || at < until);
}
