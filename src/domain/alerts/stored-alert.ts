// How D1 stores what an alert's object knows. What lists and filters read has columns of its own;
// workflows and timeline are JSON that SQL can read; the rest is one hash. What has its initial
// value is left out. Nothing is lost: the object may empty itself and read its state from here.
import type { Alert, LogEntry, Undoable, Workflow } from "./alert.ts";
import { creatorIn } from "./created-line.ts";

/** Somebody beside those whom a workflow asked: the position among these, or the id of somebody else. */
type StoredPerson = number | string;

/**
 * A workflow. `people`: whom the current layer asked; `asked`: everyone so far, if others too.
 * Instants are in ms since the alert was created.
 */
export type StoredWorkflow = {
  readonly id: string;
  /** Absent for a team. */
  readonly type?: "account_user";
  readonly to: string;
  readonly name: string;
  readonly state: Workflow["state"];
  readonly requested?: true;
  readonly layer?: number;
  readonly pass?: number;
  readonly people?: readonly string[];
  readonly asked?: readonly string[];
  readonly rejected?: readonly string[];
  readonly members?: readonly StoredPerson[];
  /** Absent: the members. */
  readonly drop?: readonly StoredPerson[];
  /** Who acknowledged it. */
  readonly by?: StoredPerson;
  readonly wants?: NonNullable<Workflow["wants"]>;
  readonly next?: number;
  readonly created: number;
  readonly updated: number;
};

/** An entry of a timeline: ms since the alert was created, its text, its level unless `info`. */
export type StoredEntry = readonly [after: number, message: string, level?: LogEntry["level"]];

/** The answers that can be undone, as stored: most alerts have one. */
const ANSWERS = { a: "acknowledge", r: "resolve", x: "reject" } as const;

/** The parts of the state that have no column. */
export type StoredState = {
  /** Its name; absent where the first line of the timeline says it. */
  readonly source?: string;
  /** From an origin of the alert's own: inboxes number events by the clock. */
  readonly counted?: number;
  readonly countedElsewhere?: Alert["countedElsewhere"];
  readonly countedRequests?: readonly string[];
  readonly joined?: readonly string[];
  readonly pending?: Alert["pending"];
  readonly heldAcknowledgement?: string;
  readonly suppressedUntil?: number;
  readonly autoResolveAt?: number;
  readonly reopenUntil?: number;
  readonly deletedAt?: number;
  readonly dropNotifiedAt?: number;
  readonly effects?: number;
  readonly unreached?: readonly string[];
  readonly removed?: readonly string[];
  readonly trail?: readonly string[];
  readonly merged?: readonly string[];
  /** For each instance of the sender, its name and the members. */
  readonly members?: readonly (readonly [from: string, ...names: readonly string[]])[];
  readonly latest?: Alert["latest"];
  readonly reported?: Alert["reported"];
  readonly muted?: Alert["muted"];
  readonly exercise?: Alert["exercise"];
  readonly drill?: NonNullable<Alert["drill"]>;
  /**
   * What can be undone. `by`: the account user, or their position among everyone whom the workflows
   * asked; `after` is in ms since the alert was created.
   */
  readonly undo?: readonly [
    type: keyof typeof ANSWERS,
    by: number | string,
    after: number,
    positions: readonly number[],
    was?: NonNullable<Undoable["was"]>,
  ];
};

const isEqual = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((it, i) => it === other[i]);

const ifAny = <Item>(items: readonly Item[] | undefined) =>
  items === undefined || items.length === 0 ? undefined : items;

/** Drops the entries that have no value. */
const compact = <T extends object>(values: { readonly [Key in keyof T]: T[Key] | undefined }): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

function storePerson(id: string, asked: readonly string[]): StoredPerson {
  const position = asked.indexOf(id);
  return position < 0 ? id : position;
}

/** The inverse. A position that `asked` does not have is of nobody. */
const restorePerson = (stored: StoredPerson, asked: readonly string[]): string | undefined =>
  typeof stored === "number" ? asked[stored] : stored;

const restorePeople = (stored: readonly StoredPerson[], asked: readonly string[]): string[] =>
  stored.flatMap((it) => restorePerson(it, asked) ?? []);

/**
 * A workflow as stored, of an alert created at `from` (epoch ms). Of a resolved alert, nobody is
 * left to answer or to be told.
 */
export function storeWorkflow(
  workflow: Workflow,
  from: number,
  isResolved: boolean,
): StoredWorkflow {
  const { accountUserIds, askedIds, memberIds, dropRecipientIds, wants, nextStepAt } = workflow;
  const { acknowledgedBy: by } = workflow;
  const stored = (ids: readonly string[]) => ids.map((it) => storePerson(it, askedIds));
  return compact<StoredWorkflow>({
    id: workflow.id,
    type: workflow.destination.type === "team" ? undefined : workflow.destination.type,
    to: workflow.destination.id,
    name: workflow.destinationName,
    state: workflow.state,
    requested: workflow.isRequested,
    layer: workflow.layer ?? undefined,
    pass: workflow.pass === 1 ? undefined : workflow.pass,
    people: ifAny(accountUserIds),
    asked: isEqual(askedIds, accountUserIds) ? undefined : askedIds,
    rejected: ifAny(workflow.rejectedIds),
    members: isResolved ? undefined : ifAny(stored(memberIds)),
    drop: isResolved || isEqual(dropRecipientIds, memberIds) ? undefined : stored(dropRecipientIds),
    by: by === undefined ? undefined : storePerson(by, askedIds),
    wants: wants && Object.keys(wants).length > 0 ? wants : undefined,
    next: nextStepAt === null ? undefined : nextStepAt - from,
    created: workflow.createdAt - from,
    updated: workflow.updatedAt - from,
  });
}

/** The inverse. */
export function restoreWorkflow(stored: StoredWorkflow, from: number): Workflow {
  const { people = [], wants, next, by } = stored;
  const asked = stored.asked ?? people;
  const members = restorePeople(stored.members ?? [], asked);
  const acknowledgedBy = by === undefined ? undefined : restorePerson(by, asked);
  return {
    id: stored.id,
    destination: { type: stored.type ?? "team", id: stored.to },
    destinationName: stored.name,
    state: stored.state,
    ...(stored.requested && { isRequested: stored.requested }),
    layer: stored.layer ?? null,
    pass: stored.pass ?? 1,
    accountUserIds: people,
    askedIds: asked,
    rejectedIds: stored.rejected ?? [],
    memberIds: members,
    dropRecipientIds: stored.drop === undefined ? members : restorePeople(stored.drop, asked),
    ...(acknowledgedBy === undefined ? {} : { acknowledgedBy }),
    ...(wants === undefined ? {} : { wants }),
    nextStepAt: next === undefined ? null : from + next,
    createdAt: from + stored.created,
    updatedAt: from + stored.updated,
  };
}

/** Timelines as stored, of an alert created at `createdAt` (epoch ms). */
export const storeTimeline = (entries: readonly LogEntry[], createdAt: number): StoredEntry[] =>
  entries.map(({ at, message, level }) =>
    level === "info" ? [at - createdAt, message] : [at - createdAt, message, level],
  );

/** The inverse; `from`: the number of the first entry. */
export const restoreTimeline = (
  entries: readonly StoredEntry[],
  createdAt: number,
  from: number,
): LogEntry[] =>
  entries.map(([after, message, level = "info"], i) => ({
    ...{ sequence: from + i, at: createdAt + after, level, message },
  }));

/** An alert's first event is numbered about here, in its inbox. */
const originOf = ({ createdAt }: Pick<Alert, "createdAt">) => createdAt * 1_000;

/** Everyone whom the alert has asked, in order. */
const askedBy = (workflows: readonly Workflow[]): readonly string[] =>
  workflows.flatMap(({ askedIds }) => askedIds);

/**
 * The state without what columns have, and without the type of the integration, which has it.
 *
 * @param first the first line of the stored timeline, if that has all lines
 */
export function storeState(alert: Alert, first: string | null): StoredState {
  const { source, countedElsewhere } = alert;
  return compact<StoredState>({
    source: creatorIn(first, source.type) === source.name ? undefined : source.name,
    counted: alert.countedSequence === 0 ? undefined : alert.countedSequence - originOf(alert),
    countedElsewhere: Object.keys(countedElsewhere).length === 0 ? undefined : countedElsewhere,
    countedRequests: ifAny(alert.countedRequests),
    joined: ifAny(alert.joinedIds),
    pending: ifAny(alert.pending),
    heldAcknowledgement: alert.heldAcknowledgement ?? undefined,
    suppressedUntil: alert.suppressedUntil ?? undefined,
    autoResolveAt: alert.autoResolveAt ?? undefined,
    reopenUntil: alert.reopenUntil,
    deletedAt: alert.deletedAt ?? undefined,
    dropNotifiedAt: alert.dropNotifiedAt ?? undefined,
    effects: alert.effectCount === 0 ? undefined : alert.effectCount,
    unreached: ifAny(alert.unreachedEffects),
    removed: ifAny(alert.removedIds),
    trail: ifAny(alert.trail),
    merged: ifAny(alert.mergedIds),
    members: alert.members?.map(({ from, names }) => [from, ...names] as const),
    latest: alert.latest,
    reported: alert.reported,
    muted: alert.muted,
    exercise: alert.exercise,
    drill: alert.drill,
    undo: alert.undoable && storeUndoable(alert.undoable, alert),
  });
}

const storeUndoable = (
  { type, by, at, positions, was }: Undoable,
  { createdAt, workflows }: Pick<Alert, "createdAt" | "workflows">,
): NonNullable<StoredState["undo"]> => {
  const letter = { acknowledge: "a", resolve: "r", reject: "x" } as const;
  const position = askedBy(workflows).indexOf(by);
  const stored = [letter[type], position < 0 ? by : position, at - createdAt, positions] as const;
  return was === undefined ? stored : [...stored, was];
};

const restoreUndoable = (
  [letter, by, after, positions, was]: NonNullable<StoredState["undo"]>,
  { createdAt, workflows }: Pick<Alert, "createdAt" | "workflows">,
): Undoable => ({
  type: ANSWERS[letter],
  by: typeof by === "number" ? (askedBy(workflows)[by] ?? "") : by,
  at: createdAt + after,
  positions,
  ...(was === undefined ? {} : { was }),
});

/** What columns have. */
export type ColumnsOfAlert = Omit<
  Alert,
  | "source"
  | "countedSequence"
  | "countedElsewhere"
  | "countedRequests"
  | "joinedIds"
  | "pending"
  | "heldAcknowledgement"
  | "suppressedUntil"
  | "autoResolveAt"
  | "reopenUntil"
  | "deletedAt"
  | "dropNotifiedAt"
  | "effectCount"
  | "unreachedEffects"
  | "removedIds"
  | "trail"
  | "mergedIds"
  | "members"
  | "latest"
  | "reported"
  | "muted"
  | "exercise"
  | "drill"
  | "undoable"
> & { readonly source: Omit<Alert["source"], "name"> };

/**
 * The alert of its columns and the rest of its state. `nextStepAt`: its timer, if that is known; what
 * was suppressed without one never opens by itself.
 *
 * @param first the first line of the stored timeline, if that has all lines
 */
export function restoreAlert(
  { nextStepAt, ...columns }: ColumnsOfAlert & { readonly nextStepAt?: number | null },
  stored: StoredState,
  first: string | null,
): Alert {
  const isForGood = columns.status === "suppressed" && nextStepAt === null;
  const { counted, joined, removed, trail, merged, undo, exercise, drill } = stored;
  const { members, latest, reported, muted } = stored;
  return {
    ...columns,
    source: {
      ...columns.source,
      name: stored.source ?? creatorIn(first, columns.source.type) ?? "",
    },
    countedSequence: counted === undefined ? 0 : counted + originOf(columns),
    countedElsewhere: stored.countedElsewhere ?? {},
    countedRequests: stored.countedRequests ?? [],
    ...(joined === undefined ? {} : { joinedIds: joined }),
    pending: stored.pending ?? [],
    heldAcknowledgement: stored.heldAcknowledgement ?? null,
    suppressedUntil: isForGood ? null : (stored.suppressedUntil ?? null),
    autoResolveAt: stored.autoResolveAt ?? null,
    ...(stored.reopenUntil === undefined ? {} : { reopenUntil: stored.reopenUntil }),
    deletedAt: stored.deletedAt ?? null,
    dropNotifiedAt: stored.dropNotifiedAt ?? null,
    effectCount: stored.effects ?? 0,
    unreachedEffects: stored.unreached ?? [],
    ...(removed === undefined ? {} : { removedIds: removed }),
    ...(trail === undefined ? {} : { trail }),
    ...(merged === undefined ? {} : { mergedIds: merged }),
    ...(members && { members: members.map(([from, ...names]) => ({ from, names })) }),
    ...(latest && { latest }),
    ...(reported && { reported }),
    ...(muted && { muted }),
    ...(exercise === undefined ? {} : { exercise }),
    ...(drill === undefined ? {} : { drill }),
    ...(undo === undefined ? {} : { undoable: restoreUndoable(undo, columns) }),
  };
}
