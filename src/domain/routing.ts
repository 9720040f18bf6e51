// Where an alert goes: routers' rules, top-down, first match wins; without one the default receiver. Pure: routers
// are passed in. No rule, however wrong, may lose a page: what leads nowhere goes to the default receiver.
import { type AlertContent, type Destination, incidentOf, type LogEntry } from "./alert.ts";
import { prefixIdOf } from "./identifiers.ts";
import type { IntegrationFacts } from "./integration-facts.ts";
import { applyIncident, applyValues, type Change } from "./rules/changes.ts";
import { formatDuration } from "./rules/duration.ts";
import { firstMatch } from "./rules/first-match.ts";
import type { Mention, ReceiverType, RouterAction, RouterRules } from "./rules/router-rules.ts";
import { lookUp, partsOf } from "./rules/values.ts";
import { newWork, type Work, withinWork } from "./rules/work.ts";

export type Receiver = { readonly type: ReceiverType; readonly id: string };

export type Router = {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Null when the stored document cannot be read (any more). */
  readonly rules: RouterRules | null;
  /** What its rules name, by either form of the identifier. */
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly defaultReceiver: Receiver;
};

/** By `id`; must hold every router that can be reached. */
export type Routers = ReadonlyMap<string, Router>;

/** What routing may change of an alert. */
export type RoutedContent = Omit<AlertContent, "additionalData">;

export type RoutingSubject = {
  readonly content: RoutedContent;
  /** Whatever else rules may ask of the alert, as its record shows it (`source_id`, `dedup_keys`, …). */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The request that made it: `data` and `headers`, these in lower case; null when none did. */
  readonly log: Readonly<Record<string, unknown>> | null;
  /** The integration that made it, for templates; absent when none did. */
  readonly integration?: IntegrationFacts | null;
};

/** The first alert of a fingerprint goes on; for `timeoutMs` those after it become its children. */
export type Aggregate = {
  /** Equal for alerts that belong together, within the account. May be long: hash it before keeping it. */
  readonly fingerprint: string;
  readonly timeoutMs: number;
};

export type Delivery = {
  readonly receiver: Destination;
  readonly delayMs: number;
  readonly aggregate: Aggregate | null;
};

export type Routed = {
  readonly content: RoutedContent;
  /** One per receiver. Empty, yet not suppressed: the routers lead nowhere, and somebody must be told. */
  readonly deliveries: readonly Delivery[];
  /** Every first receiver was ignored by a rule. */
  readonly suppressed: boolean;
  /** The routers that the alert went through, in order. */
  readonly routerIds: readonly string[];
  /** What was decided and why, for the alert's story. */
  readonly trace: readonly Pick<LogEntry, "level" | "message">[];
};

/** More steps from router to router than any account has a use for. */
const MAX_STEPS = 100;

type Result = "reached" | "ignored" | "nowhere";

/** How a router or a receiver was come to. */
type Way = {
  readonly delayMs: number;
  readonly aggregate: Aggregate | null;
  /** The routers on the way, by id. */
  readonly through: readonly string[];
};

type State = {
  readonly routers: Routers;
  readonly subject: RoutingSubject;
  readonly now: number;
  readonly work: Work;
  content: RoutedContent;
  steps: number;
  readonly results: Map<string, Result>;
  readonly deliveries: Map<string, Delivery>;
  readonly routerIds: Set<string>;
  readonly trace: Pick<LogEntry, "level" | "message">[];
};

/**
 * Routes an alert from its first receivers to teams and account users.
 *
 * Delays add up on the way, and a router behind a delay decides as of the time it runs out.
 *
 * @param now epoch ms
 */
export function route(
  routers: Routers,
  firstReceivers: readonly Receiver[],
  subject: RoutingSubject,
  now: number,
): Routed {
  const state: State = {
    routers,
    subject,
    now,
    work: newWork(),
    content: subject.content,
    steps: 0,
    results: new Map(),
    deliveries: new Map(),
    routerIds: new Set(),
    trace: [],
  };
  const start: Way = { delayMs: 0, aggregate: null, through: [] };
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

function send(state: State, receiver: Receiver, way: Way): Result {
  const { type, id } = receiver;
  if (type !== "router") {
    deliver(state, { type, id }, way);
    return "reached";
  }
  // By another way at the same time: it would decide the same, and change the alert twice.
  const visit = JSON.stringify([id, way.delayMs, way.aggregate?.fingerprint]);
  if (way.through.includes(id)) {
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
  const result = pass(state, router, { ...way, through: [...way.through, id] });
  state.results.set(visit, result);
  return result;
}

/** One delivery for a receiver, however often it is named: the earliest, and rather unaggregated. */
function deliver(state: State, receiver: Destination, { delayMs, aggregate }: Way): void {
  const key = `${receiver.type}:${receiver.id}`;
  const held = state.deliveries.get(key);
  const isBetter =
    held === undefined ||
    (aggregate === null && held.aggregate !== null) ||
    ((aggregate === null) === (held.aggregate === null) && delayMs < held.delayMs);
  if (isBetter) state.deliveries.set(key, { receiver, delayMs, aggregate });
}

const spoken = ({ name, id }: Router) => `Router ${name} (${prefixIdOf("router", id)})`;

/** Through one router: its first matching rule, else its default receiver. */
function pass(state: State, router: Router, way: Way): Result {
  const toDefault = (reason: string, level: LogEntry["level"] = "info") => {
    const receiver = nameOf(router.defaultReceiver);
    note(state, `${spoken(router)}: ${reason}; to the default receiver ${receiver}`, level);
    return send(state, router.defaultReceiver, way);
  };
  if (!router.enabled) return toDefault("disabled");
  if (router.rules === null) return toDefault("its rules cannot be read", "error");
  const match = firstMatch(router.rules, viewOf(state), state.now + way.delayMs, state.work);
  if (match.kind === "none") return toDefault("no rule matched");
  if (match.kind === "too_much") return toDefault("its rules exceeded the work limit", "error");
  const { rule, index } = match;
  note(state, `${spoken(router)}: rule ${index + 1} (line ${rule.line}) matched: ${rule.source}`);
  for (const action of rule.actions) {
    const result = act(state, router, action, way);
    if (result === "nowhere") return toDefault("its rule reaches no receiver", "warn");
    if (result === "too_much") return toDefault("its rules exceeded the work limit", "error");
    if (result !== null) return result;
  }
  return toDefault("its rule names no receiver");
}

/** Runs an action; null when the next one is to follow. */
function act(state: State, router: Router, action: RouterAction, way: Way) {
  switch (action.type) {
    case "ignore":
      note(state, `${spoken(router)}: ignored`);
      return "ignored";
    case "assign":
      return assign(state, router, action, way);
    case "aggregate":
      return aggregate(state, router, action, way);
    case "setval":
    case "incident":
      return withinWork(() => change(state, router, action)) === null ? "too_much" : null;
  }
}

function assign(
  state: State,
  router: Router,
  { receivers, delayMs }: Extract<RouterAction, { type: "assign" }>,
  way: Way,
): Result {
  const later = delayMs > 0 ? ` after ${formatDuration(delayMs)}` : "";
  const names = receivers.map(({ receiver }) => receiver).join(", ");
  note(state, `${spoken(router)}: assigned to ${names}${later}`);
  return sendAll(state, router, receivers, { ...way, delayMs: way.delayMs + delayMs });
}

function sendAll(state: State, router: Router, mentions: readonly Mention[], way: Way): Result {
  const results = mentions.map(({ receiver }) => {
    const found = router.receivers.get(receiver);
    if (found !== undefined) return send(state, found, way);
    note(state, `${spoken(router)}: ${receiver} does not exist`, "warn");
    return "nowhere";
  });
  if (results.includes("reached")) return "reached";
  return results.includes("ignored") ? "ignored" : "nowhere";
}

/** An aggregate behind another changes nothing: the first one on the way decides what goes on. */
function aggregate(
  state: State,
  router: Router,
  { by, timeoutMs, receivers }: Extract<RouterAction, { type: "aggregate" }>,
  way: Way,
): Result | "too_much" {
  const view = viewOf(state);
  const values = withinWork(() => by.map((path) => lookUp(view, partsOf(path), state.work)));
  if (values === null) return "too_much";
  const names = receivers.map(({ receiver }) => receiver);
  const fingerprint = JSON.stringify([router.id, names, by, values]);
  const window = formatDuration(timeoutMs);
  note(state, `${spoken(router)}: aggregated by ${by.join(", ")} for ${window}`);
  return sendAll(state, router, receivers, {
    ...way,
    aggregate: way.aggregate ?? { fingerprint, timeoutMs },
  });
}

/** Changes what the alert says. */
function change(
  state: State,
  router: Router,
  action: Extract<RouterAction, { type: "setval" | "incident" }>,
): Change {
  const view = viewOf(state);
  const made =
    action.type === "setval"
      ? applyValues(state.content, action, view, state.work)
      : applyIncident(state.content, action, view, state.work);
  state.content = made.content;
  for (const { level, message } of made.notes) note(state, `${spoken(router)}: ${message}`, level);
  return made;
}

/** What rules look at: the alert as it reads by now, and the request that made it. */
function viewOf({ subject, content }: State) {
  const { title, description, urgency, tags, meta } = content;
  const said = { title, description, urgency, tags, tag_list: tags, meta, ...incidentOf(meta) };
  const { log, integration } = subject;
  return { alert: { ...subject.facts, ...said }, log: log ?? {}, integration: integration ?? {} };
}
