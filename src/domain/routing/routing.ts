// Routes an alert: evaluates routers' rules top-down, first match wins, else the default receiver.
// Pure: routers are passed in. No rule may lose a page: whatever leads nowhere goes to the default
// receiver.
import { type AlertContent, type Destination, incidentOf, type LogEntry } from "../alerts/alert.ts";
import type { IntegrationFacts } from "../integrations/integration-facts.ts";
import { prefixIdOf } from "../shared/identifiers.ts";
import { lookUp, partsOf } from "./conditions/values.ts";
import { newWorkBudget, type WorkBudget, withinWorkBudget } from "./conditions/work-budget.ts";
import { applyIncident, applyValues } from "./rules/content-actions.ts";
import { formatDuration } from "./rules/duration.ts";
import { firstMatch } from "./rules/first-match.ts";
import type { Mention, ReceiverType, RouterAction, RouterRules } from "./rules/router-rules.ts";

export type Receiver = { readonly type: ReceiverType; readonly id: string };

export type Router = {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Null when the stored document cannot be parsed. */
  readonly rules: RouterRules | null;
  /** The receivers that its rules name, by either form of the identifier. */
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly defaultReceiver: Receiver;
};

/** By `id`; must contain every reachable router. */
export type Routers = ReadonlyMap<string, Router>;

/** The alert content that routing may change. */
type RoutedContent = Omit<AlertContent, "additionalData">;

export type RoutingSubject = {
  readonly content: RoutedContent;
  /**
   * Other alert fields that rules can match, named as in the API (`source_id`, `dedup_keys`, …).
   */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The request that created it: `data`, and `headers` with lowercase names; null if none did. */
  readonly log: Readonly<Record<string, unknown>> | null;
  /** The integration that created it, for templates; absent if none did. */
  readonly integration?: IntegrationFacts | null;
};

/**
 * The first alert of a fingerprint is delivered; others within `timeoutMs` are aggregated into it.
 */
export type Aggregate = {
  /** Equal for alerts to aggregate, within the account. Can be long: hash before storing. */
  readonly fingerprint: string;
  readonly timeoutMs: number;
};

export type RoutedDelivery = {
  readonly receiver: Destination;
  readonly delayMs: number;
  readonly aggregate: Aggregate | null;
};

export type RoutingResult = {
  readonly content: RoutedContent;
  /**
   * One per receiver. Empty but not suppressed: nothing was reached, so someone must be notified.
   */
  readonly deliveries: readonly RoutedDelivery[];
  /** A rule ignored the alert for every first receiver. */
  readonly suppressed: boolean;
  /** The routers that the alert passed, in order. */
  readonly routerIds: readonly string[];
  /** The decisions and their reasons, for the alert's timeline. */
  readonly trace: readonly Pick<LogEntry, "level" | "message">[];
};

/** Limit on steps between routers: more than any real configuration needs. */
const MAX_STEPS = 100;

type Result = "reached" | "ignored" | "nowhere";

/** The path to a router or a receiver. */
type Path = {
  readonly delayMs: number;
  readonly aggregate: Aggregate | null;
  /** The routers on the path, by id. */
  readonly through: readonly string[];
};

type State = {
  readonly routers: Routers;
  readonly subject: RoutingSubject;
  readonly now: number;
  readonly work: WorkBudget;
  content: RoutedContent;
  steps: number;
  readonly results: Map<string, Result>;
  readonly deliveries: Map<string, RoutedDelivery>;
  readonly routerIds: Set<string>;
  readonly trace: Pick<LogEntry, "level" | "message">[];
};

/**
 * Routes an alert from its first receivers to teams and account users.
 *
 * Delays add up along the path; a router behind a delay evaluates its rules at the end of the
 * delay.
 *
 * @param now epoch ms
 */
export function routeAlert(
  routers: Routers,
  firstReceivers: readonly Receiver[],
  subject: RoutingSubject,
  now: number,
  work: WorkBudget = newWorkBudget(),
): RoutingResult {
  const state: State = {
    routers,
    subject,
    now,
    work,
    content: subject.content,
    steps: 0,
    results: new Map(),
    deliveries: new Map(),
    routerIds: new Set(),
    trace: [],
  };
  const start: Path = { delayMs: 0, aggregate: null, through: [] };
  const results = firstReceivers.map((receiver) => send(state, receiver, start));
  return {
    content: state.content,
    deliveries: [...state.deliveries.values()],
    suppressed: results.length > 0 && results.every((result) => result === "ignored"),
    routerIds: [...state.routerIds],
    trace: state.trace,
  };
}

function note(state: State, message: string, level: LogEntry["level"] = "info"): void {
  state.trace.push({ level, message });
}

const nameOf = ({ type, id }: Receiver) => prefixIdOf(type, id);

function send(state: State, receiver: Receiver, path: Path): Result {
  const { type, id } = receiver;
  if (type !== "router") {
    deliver(state, { type, id }, path);
    return "reached";
  }
  // Repeating a visit with equal delay and aggregate would change the alert twice.
  const visit = JSON.stringify([id, path.delayMs, path.aggregate?.fingerprint]);
  if (path.through.includes(id)) {
    note(state, `${nameOf(receiver)} was already visited: the routing loop stops here`, "warn");
    return "nowhere";
  }
  const known = state.results.get(visit);
  if (known !== undefined) return known;
  state.steps += 1;
  const router = state.routers.get(id);
  if (router === undefined || state.steps > MAX_STEPS) {
    const reason = router ? "exceeds the limit of routers" : "does not exist";
    note(state, `${nameOf(receiver)} ${reason}`, "warn");
    return "nowhere";
  }
  state.routerIds.add(id);
  const result = evaluateRouter(state, router, { ...path, through: [...path.through, id] });
  state.results.set(visit, result);
  return result;
}

/** Stores one delivery per receiver: unaggregated before aggregated, then the earliest. */
function deliver(state: State, receiver: Destination, { delayMs, aggregate }: Path): void {
  const key = `${receiver.type}:${receiver.id}`;
  const existing = state.deliveries.get(key);
  const isBetter =
    existing === undefined ||
    (aggregate === null && existing.aggregate !== null) ||
    ((aggregate === null) === (existing.aggregate === null) && delayMs < existing.delayMs);
  if (isBetter) state.deliveries.set(key, { receiver, delayMs, aggregate });
}

const describeRouter = ({ name, id }: Router) => `Router ${name} (${prefixIdOf("router", id)})`;

/** Evaluates one router: its first matching rule, else its default receiver. */
function evaluateRouter(state: State, router: Router, path: Path): Result {
  const toDefault = (reason: string, level: LogEntry["level"] = "info") => {
    const receiver = nameOf(router.defaultReceiver);
    note(state, `${describeRouter(router)}: ${reason}; otherwise to ${receiver}`, level);
    return send(state, router.defaultReceiver, path);
  };
  if (!router.enabled) return toDefault("disabled");
  if (router.rules === null) return toDefault("its rules cannot be read", "error");
  const match = firstMatch(router.rules, viewOf(state), state.now + path.delayMs, state.work);
  if (match.kind === "none") return toDefault("no rule matched");
  if (match.kind === "too_much") return toDefault("its rules exceeded the work limit", "error");
  const { rule, index } = match;
  note(
    state,
    `${describeRouter(router)}: rule ${index + 1} (line ${rule.line}) matched: ${rule.source}`,
  );
  for (const action of rule.actions) {
    const result = runAction(state, router, action, path);
    if (result === "nowhere") return toDefault("its rule reaches nobody", "warn");
    if (result === "too_much") return toDefault("its rules exceeded the work limit", "error");
    if (result !== null) return result;
  }
  return toDefault("its rule names nobody");
}

/** Runs an action; null: continue with the next one. */
function runAction(state: State, router: Router, action: RouterAction, path: Path) {
  switch (action.type) {
    case "ignore":
      note(state, `${describeRouter(router)}: ignored`);
      return "ignored";
    case "assign":
      return assign(state, router, action, path);
    case "aggregate":
      return aggregate(state, router, action, path);
    case "setval":
    case "incident":
      return changeContent(state, router, action);
  }
}

function assign(
  state: State,
  router: Router,
  { receivers, delayMs }: Extract<RouterAction, { type: "assign" }>,
  path: Path,
): Result {
  const delayText = delayMs > 0 ? ` after ${formatDuration(delayMs)}` : "";
  const names = receivers.map(({ receiver }) => receiver).join(", ");
  note(state, `${describeRouter(router)}: assigned to ${names}${delayText}`);
  return sendAll(state, router, receivers, { ...path, delayMs: path.delayMs + delayMs });
}

function sendAll(state: State, router: Router, mentions: readonly Mention[], path: Path): Result {
  const results = mentions.map(({ receiver }) => {
    const found = router.receivers.get(receiver);
    if (found !== undefined) return send(state, found, path);
    note(state, `${describeRouter(router)}: ${receiver} does not exist`, "warn");
    return "nowhere";
  });
  if (results.includes("reached")) return "reached";
  return results.includes("ignored") ? "ignored" : "nowhere";
}

/** Only the first aggregate on a path applies. */
function aggregate(
  state: State,
  router: Router,
  { by, timeoutMs, receivers }: Extract<RouterAction, { type: "aggregate" }>,
  path: Path,
): Result | "too_much" {
  const view = viewOf(state);
  const { work } = state;
  const lookUpAll = () => by.map((path) => lookUp(view, partsOf(path), work));
  const values = withinWorkBudget(work, lookUpAll);
  if (values === null) return "too_much";
  const names = receivers.map(({ receiver }) => receiver);
  const fingerprint = JSON.stringify([router.id, names, by, values]);
  const window = formatDuration(timeoutMs);
  note(state, `${describeRouter(router)}: aggregated by ${by.join(", ")} for ${window}`);
  return sendAll(state, router, receivers, {
    ...path,
    aggregate: path.aggregate ?? { fingerprint, timeoutMs },
  });
}

/** Applies `setval` or `incident` to the alert's content. */
function changeContent(
  state: State,
  router: Router,
  action: Extract<RouterAction, { type: "setval" | "incident" }>,
): "too_much" | null {
  const view = viewOf(state);
  const { content, work } = state;
  const applied = withinWorkBudget(work, () =>
    action.type === "setval"
      ? applyValues(content, action, view, work)
      : applyIncident(content, action, view, work),
  );
  if (applied === null) return "too_much";
  state.content = applied.content;
  for (const { level, message } of applied.notes)
    note(state, `${describeRouter(router)}: ${message}`, level);
  return null;
}

/** The document that rules match: the alert as changed so far, and the request that created it. */
function viewOf({ subject, content }: State) {
  const { title, description, urgency, tags, meta } = content;
  const contentView = {
    title,
    description,
    urgency,
    tags,
    tag_list: tags,
    meta,
    ...incidentOf(meta),
  };
  const { log, integration } = subject;
  return {
    alert: { ...subject.facts, ...contentView },
    log: log ?? {},
    integration: integration ?? {},
  };
}
