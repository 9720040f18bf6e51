// The alert's state machine (specification, States and transitions; `contract.md` 3): what a command makes of an
// alert at an instant. Pure: the clock, fresh identifiers, and what is known of the destinations are passed in.
// What it needs to know and was not told, it asks for, and is called again.
import type { Alert, AlertSource, Destination } from "./alert.ts";
import { changed, draftOf, factsOf, note } from "./alert-draft.ts";
import {
  type AlertDraft,
  type By,
  type Command,
  type ContentChanges,
  type Context,
  factsKey,
  type Outcome,
  type Unreached,
} from "./commands.ts";
import type { DestinationFacts } from "./escalation.ts";
import { type FieldError, refuse, refused, refuseFields } from "./refusal.ts";
import { acknowledge, reject, resolve } from "./responses.ts";
import { advance, cancelOpen, put, settle, startWorkflow } from "./workflow.ts";

const NOT_THERE = refused(refuse("not_found", "no such alert"));

/**
 * What `command` makes of `alert`.
 *
 * @param alert null before the create, and for an object that never had one
 * @returns `needs` when facts are missing: call again with them; `refused` for what the state forbids
 */
export function transition(alert: Alert | null, command: Command, context: Context): Outcome {
  if (command.type === "create") {
    return alert === null ? create(command, context) : repeat(alert, command, context);
  }
  if (alert === null || alert.deletedAt !== null) return NOT_THERE;
  switch (command.type) {
    case "acknowledge":
      return acknowledge(alert, command.by, context);
    case "resolve":
      return resolve(alert, command.by, context);
    case "reject":
      return reject(alert, command.by, context);
    case "tick":
      return tick(alert, context);
    case "change":
      return change(alert, command.changes, command.by, context);
    case "delete":
      return remove(alert, command.by, context);
    case "unreached":
      return unreached(alert, command.pages, context);
  }
}

// ── Create, and its repetitions ──

type CreateCommand = Extract<Command, { type: "create" }>;

const destinationsOf = ({ destinations }: AlertDraft): Destination[] => [
  ...destinations.teamIds.map((id) => ({ type: "team" as const, id })),
  ...destinations.accountUserIds.map((id) => ({ type: "account_user" as const, id })),
];

function create(command: CreateCommand, context: Context): Outcome {
  const { draft: given, sequences } = command;
  const destinations = destinationsOf(given);
  const unknown = destinations.filter((it) => context.facts.get(factsKey(it)) === undefined);
  if (unknown.length > 0) return { kind: "needs", destinations: unknown };
  const missing = missingDestinations(given, destinations, context);
  if (missing.length > 0 && given.source.type === "AccountUser")
    return refused(refuseFields(missing));
  const facts = distinct(destinations.flatMap((it) => context.facts.get(factsKey(it)) ?? []));
  const draft = draftOf(newAlert(given, sequences, facts, context.now), context);
  note(draft, `Created by ${sourceName(given.source)}`);
  for (const { message } of missing) note(draft, message, "warn");
  for (const fact of facts) startWorkflow(draft, fact);
  settle(draft);
  return changed(draft, "created");
}

function missingDestinations(
  given: AlertDraft,
  destinations: readonly Destination[],
  context: Context,
): FieldError[] {
  const names = { team: "destination_team_ids", account_user: "destination_account_user_ids" };
  const missing = destinations
    .filter((it) => context.facts.get(factsKey(it)) === null)
    .map(({ type, id }) => ({
      field: names[type],
      message: `${names[type]}: no such ${type.replace("_", " ")} ${id.slice(0, 64)}`,
    }));
  const routers = given.destinations.routerIds.map((id) => ({
    field: "destination_router_ids",
    message: `destination_router_ids: no such router ${id.slice(0, 64)}`,
  }));
  return [...missing, ...routers];
}

function distinct(facts: readonly DestinationFacts[]): DestinationFacts[] {
  return [...new Map(facts.map((fact) => [factsKey(fact.destination), fact])).values()];
}

const idsOf = (facts: readonly DestinationFacts[], type: Destination["type"]) =>
  facts.filter((fact) => fact.destination.type === type).map((fact) => fact.destination.id);

function newAlert(
  given: AlertDraft,
  sequences: readonly number[],
  facts: readonly DestinationFacts[],
  now: number,
): Alert {
  const { destinations: _, ...content } = given;
  return {
    ...content,
    version: 0,
    status: "queued",
    dedupCount: Math.max(0, new Set(sequences).size - 1),
    countedSequence: Math.max(0, ...sequences),
    teamIds: idsOf(facts, "team"),
    routerIds: [],
    accountUserIds: idsOf(facts, "account_user"),
    workflows: [],
    acknowledgedAt: null,
    resolvedAt: null,
    deletedAt: null,
    dropNotifiedAt: null,
    createdAt: now,
    updatedAt: now,
    logCount: 0,
    effectCount: 0,
    unreachedEffects: [],
  };
}

const sourceName = (source: AlertSource) =>
  source.type === "Integration" ? `integration ${source.name}` : source.name;

/** More events that say the same: counted once each, whatever is handed over twice. */
function repeat(alert: Alert, given: CreateCommand, context: Context): Outcome {
  const fresh = [...new Set(given.sequences)].filter((it) => it > alert.countedSequence);
  if (fresh.length === 0) return { kind: "unchanged", result: "counted" };
  const over = alert.deletedAt !== null || ["resolved", "suppressed"].includes(alert.status);
  if (over) return { kind: "unchanged", result: "finished" };
  const counted = {
    ...alert,
    dedupCount: alert.dedupCount + fresh.length,
    countedSequence: Math.max(...fresh),
  };
  if (alert.status === "dropped") return reopen(counted, given.draft, context);
  return changed(draftOf(counted, context), "counted");
}

/** From layer 1 again; also to where the sender's alerts go now, which may not be where they went then. */
function reopen(alert: Alert, given: AlertDraft, context: Context): Outcome {
  const destinations = destinationsOf(given);
  const draft = draftOf(alert, context);
  note(draft, "It happened again: open once more, from the first layer");
  for (const workflow of alert.workflows) {
    const fromStart = { layer: null, pass: 1, rejectedIds: [], askedIds: [], accountUserIds: [] };
    advance(draft, put(draft, { ...workflow, ...fromStart, state: "open" }));
  }
  const known = new Set(alert.workflows.map((workflow) => factsKey(workflow.destination)));
  const added = distinct(destinations.flatMap((it) => factsOf(draft, it) ?? []));
  const fresh = added.filter((facts) => !known.has(factsKey(facts.destination)));
  for (const facts of fresh) startWorkflow(draft, facts);
  draft.alert = {
    ...draft.alert,
    teamIds: [...alert.teamIds, ...idsOf(fresh, "team")],
    accountUserIds: [...alert.accountUserIds, ...idsOf(fresh, "account_user")],
  };
  settle(draft);
  return changed(draft, "counted");
}

// ── What time does ──

function tick(alert: Alert, context: Context): Outcome {
  const due = alert.workflows.filter(
    (it) => it.state === "open" && it.nextStepAt !== null && it.nextStepAt <= context.now,
  );
  if (due.length === 0) return { kind: "unchanged", result: "nothing_due" };
  const draft = draftOf(alert, context);
  for (const workflow of due) {
    note(
      draft,
      `${workflow.destinationName}, layer ${workflow.layer}: nobody answered in time`,
      "warn",
    );
    advance(draft, workflow);
  }
  settle(draft);
  return changed(draft);
}

// ── The rest ──

function change(alert: Alert, changes: ContentChanges, by: By, context: Context): Outcome {
  const draft = draftOf({ ...alert, ...changes }, context);
  const names = Object.keys(changes).join(", ");
  note(draft, `Changed by ${by.name}: ${names === "" ? "nothing" : names}`);
  return changed(draft);
}

function remove(alert: Alert, by: By, context: Context): Outcome {
  const draft = draftOf(alert, context);
  cancelOpen(draft);
  note(draft, `Deleted by ${by.name}`);
  draft.alert = { ...draft.alert, deletedAt: context.now };
  return changed(draft);
}

/** Told once for each page, however often the consumer reports it. */
function unreached(alert: Alert, pages: readonly Unreached[], context: Context): Outcome {
  const fresh = new Map(
    pages
      .filter(({ effectId }) => !alert.unreachedEffects.includes(effectId))
      .map(({ effectId, reason }) => [effectId, reason]),
  );
  if (fresh.size === 0) return { kind: "unchanged", result: "nothing_due" };
  const draft = draftOf(alert, context);
  for (const reason of fresh.values()) note(draft, reason, "error");
  draft.alert = {
    ...draft.alert,
    unreachedEffects: [...alert.unreachedEffects, ...fresh.keys()],
  };
  return changed(draft);
}
