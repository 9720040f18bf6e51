// An alert, its workflows and their states (contract 3, States). Data only: `transition.ts` decides which transitions are allowed.

import type { Drill, Exercise } from "./exercise.ts";

export const ALERT_STATUSES = [
  "queued",
  "open",
  "acknowledged",
  "resolved",
  "dropped",
  "suppressed",
] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

export const ALERT_URGENCIES = ["silent", "low", "medium", "high", "critical"] as const;
export type AlertUrgency = (typeof ALERT_URGENCIES)[number];

export const INCIDENT_SEVERITIES = [
  "SEV-1",
  "SEV-2",
  "SEV-3",
  "SEV-4",
  "SEV-5",
  "SEV-UNKNOWN",
] as const;

/** Normalizes a severity: `sev_1` → `SEV-1`. */
export function severityOf(value: unknown): string {
  return String(value).trim().toUpperCase().replaceAll("_", "-");
}

/** How a datum that a sender added is shown. */
export const DATUM_FORMATS = ["text", "link", "img", "email", "phone", "datetime"] as const;

export const WORKFLOW_STATES = [
  "open",
  "acknowledged",
  "rejected",
  "timed_out",
  "cancelled",
] as const;
export type WorkflowState = (typeof WORKFLOW_STATES)[number];

/** Where an alert is sent: a team or one account user. */
export type Destination = { readonly type: "team" | "account_user"; readonly id: string };

/** A destination that a router delays (`delay`): the alert may resolve before. */
type PendingDelivery = { readonly destination: Destination; readonly at: number };

/** The escalation of one destination through its policy. */
export type Workflow = {
  readonly id: string;
  readonly destination: Destination;
  readonly destinationName: string;
  readonly state: WorkflowState;
  /** A responder requested it: it does not affect the alert's status. Absent otherwise. */
  readonly isRequested?: true;
  /** The layer asked last; null before the first. */
  readonly layer: number | null;
  /** Starts at 1 and increases with every repetition of the policy. */
  readonly pass: number;
  /** The people the current layer asked. */
  readonly accountUserIds: readonly string[];
  /** Everyone asked so far. */
  readonly askedIds: readonly string[];
  /** People who rejected the alert. This workflow does not ask them again. */
  readonly rejectedIds: readonly string[];
  /** The team's members when last read: their acknowledgement counts for this destination. */
  readonly memberIds: readonly string[];
  /** People to notify when nobody answers, as the team was last read. */
  readonly dropRecipientIds: readonly string[];
  /**
   * The account user who acknowledged it last; absent if nobody did. In an open workflow, this person
   * is notified again, alone, of news of the alert.
   */
  readonly acknowledgedBy?: string;
  /** Further events that the people asked have requested, by account user id; absent = none. */
  readonly wants?: Readonly<Record<string, readonly string[]>>;
  /** When the current layer times out (epoch ms); null when no step is scheduled. */
  readonly nextStepAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** A labelled value shown with an alert beside its description. */
export type AdditionalDatum = {
  readonly format: (typeof DATUM_FORMATS)[number];
  readonly label: string;
  readonly value: string;
};

/** Whether no further pages are needed. A timed-out workflow is unanswered: late pages are sent. */
export const isAnswered = (state: WorkflowState): boolean =>
  ["acknowledged", "rejected", "cancelled"].includes(state);

/** A person's latest answer, while they may undo it. */
export type Undoable = {
  readonly type: "acknowledge" | "resolve" | "reject";
  /** The account user. */
  readonly by: string;
  /** When it was given (epoch ms). */
  readonly at: number;
  /** The positions of the workflows that it ended; of a rejection, of those that it concerned. */
  readonly positions: readonly number[];
  /** What else the answer changed and the alert does not tell otherwise; absent if nothing. */
  readonly was?: {
    readonly status?: AlertStatus;
    readonly snoozedUntil?: number;
    readonly autoResolveAt?: number;
    readonly suppressedUntil?: number;
    readonly pending?: readonly PendingDelivery[];
    /** States of further workflows that it changed, which were not open, by id. */
    readonly states?: Readonly<Record<string, WorkflowState>>;
    /** Who had acknowledged these, by id. */
    readonly acknowledgedBy?: Readonly<Record<string, string>>;
  };
};

/** An alert's content, as its sender supplied it. */
export type AlertContent = {
  readonly title: string;
  readonly description: string | null;
  readonly urgency: AlertUrgency;
  readonly tags: readonly string[];
  /** Free-form; always includes `incident`, `incident_severity` and `incident_message`. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly additionalData: readonly AdditionalDatum[];
};

/** What the latest event said differently from the alert. Absent: as the alert does. */
export type LatestEvent = {
  readonly title?: string;
  readonly description?: string | null;
  /** The first link of its additional data; null if it had none. */
  readonly link?: string | null;
};

/**
 * What fires of the things that an alert is about, by the instance of the sender that reported it
 * last. At most `MAX_MEMBERS`.
 */
export type Members = readonly { readonly from: string; readonly names: readonly string[] }[];

/** Where an alert came from. */
export type AlertSource = {
  readonly type: "Integration" | "AccountUser";
  readonly id: string;
  /** Its name when it created the alert, for the timeline. */
  readonly name: string;
  /** The log of the request that created it; null unless an integration did. */
  readonly logId: string | null;
  /** The integration's type name; absent unless an integration created the alert. */
  readonly integrationType?: string;
};

export type Alert = AlertContent & {
  readonly id: string;
  readonly accountId: string;
  /** Increased by every change. A projection with an older version is discarded. */
  readonly version: number;
  readonly status: AlertStatus;
  readonly source: AlertSource;
  readonly thirdpartyId: string | null;
  readonly dedupKeys: readonly string[];
  readonly dedupCount: number;
  /** Absent if its sender does not name what fires. */
  readonly members?: Members;
  /** Absent if the latest event said what the alert says. */
  readonly latest?: LatestEvent;
  /**
   * What its events said, where a router or a person gave the alert other values: the urgency is the
   * highest one. Repeated events are compared with it.
   */
  readonly reported?: Partial<Pick<AlertContent, "title" | "description" | "urgency">>;
  /** The alert it was aggregated into; absent if none. */
  readonly aggregatedIntoId?: string | null;
  /** The most recent alerts that were aggregated into this one and counted. */
  readonly joinedIds?: readonly string[];
  /** The highest counted sequence number of its own source and `Id`. */
  readonly countedSequence: number;
  /** The same for other sources and `Id`s that share a dedup key: the most recent ones. */
  readonly countedElsewhere: Readonly<Record<string, number>>;
  /** The most recent API requests that were counted on it. */
  readonly countedRequests: readonly string[];
  readonly teamIds: readonly string[];
  readonly routerIds: readonly string[];
  readonly accountUserIds: readonly string[];
  readonly workflows: readonly Workflow[];
  /** Destinations whose workflow starts after a delay. */
  readonly pending: readonly PendingDelivery[];
  /**
   * The sender that acknowledged before any workflow started; applies to workflows started later.
   */
  readonly heldAcknowledgement: string | null;
  /** Suppressed by a maintenance window: when it is to open, unless one goes on (epoch ms). */
  readonly suppressedUntil: number | null;
  /** When it resolves automatically (epoch ms) unless it repeats before. */
  readonly autoResolveAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly resolvedAt: number | null;
  /** Resolved by its sender: events accepted before this instant open it again (epoch ms). */
  readonly reopenUntil?: number;
  /** News that maintenance windows keep quiet: until when (epoch ms), the urgency before, new members. */
  readonly muted?: {
    readonly until: number;
    readonly urgency: AlertUrgency;
    readonly added: readonly string[];
  };
  /** Until when it is acknowledged without a person (epoch ms); absent or null: not snoozed. */
  readonly snoozedUntil?: number | null;
  /** The alert that it was merged into, which receives its later events; absent if none. */
  readonly mergedIntoId?: string | null;
  /** The alerts that were merged into this one: the most recent ones. */
  readonly mergedIds?: readonly string[];
  /** Absent if the latest step cannot be undone. */
  readonly undoable?: Undoable;
  readonly deletedAt: number | null;
  /** When the drop recipients were last notified (epoch ms). */
  readonly dropNotifiedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Number of log entries and of effects so far: the next entry's and effect's number. */
  readonly logCount: number;
  readonly effectCount: number;
  /** Keys of delivery failures that are already in the timeline. */
  readonly unreachedEffects: readonly string[];
  /** People who were removed from the account while the alert asked them. */
  readonly removedIds?: readonly string[];
  /** The accounts it passed through before this one, in order. */
  readonly trail?: readonly string[];
  /** Absent for a real alert. */
  readonly exercise?: Exercise;
  /** Absent unless it is a drill. */
  readonly drill?: Drill;
};

/** An entry of the alert's timeline. */
export type LogEntry = {
  readonly sequence: number;
  readonly at: number;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
};

/**
 * Events that people are notified of: they are asked; someone else has answered or nobody has; a
 * person who should be asked could not be reached (`alert.unreached`, for the team's drop
 * recipients).
 */
export type PageEvent =
  | "alert.open"
  | "alert.acknowledged"
  | "alert.rejected"
  | "alert.resolved"
  | "alert.dropped"
  | "alert.timeout"
  | "alert.handoff"
  | "alert.unreached"
  | "oncall.handoff"
  | "oncall.shift_added"
  | "oncall.shift_removed"
  | "oncall.shift_changed"
  | "oncall.shift_taken"
  | "oncall.shift_reminder"
  | "oncall.digest"
  | "oncall.gap"
  | "oncall.import_failed"
  | "oncall.cover_request"
  | "oncall.cover_answer"
  | "broadcast.sent"
  | "drill.ended"
  | "account.readiness"
  | "account.push_unseen"
  | "deployment.standby";

/** One person to notify about an alert. An effect: its id makes redelivery idempotent. */
export type Page = {
  readonly effectId: string;
  readonly event: PageEvent;
  readonly accountUserId: string;
  /** The workflow that asks; null for a notification that needs no answer. */
  readonly workflowId: string | null;
  readonly layer: number | null;
  readonly pass: number | null;
  /** When it was decided (epoch ms). */
  readonly at: number;
  /** When the layer times out (epoch ms) and sending stops; null if no answer is needed. */
  readonly until: number | null;
  /** A sentence naming the actor or the person concerned; null where the event is sufficient. */
  readonly detail: string | null;
  /** It notifies of news of the alert, which `detail` has. Absent otherwise. */
  readonly isNews?: true;
};

/** The part of a page that identifies who asks whom. */
export type PageAssignment = Pick<Page, "accountUserId" | "workflowId" | "layer" | "pass">;

/** Whether the page's layer is still waiting for this person's answer. */
export function isAwaitingAnswer(alert: Alert, page: PageAssignment): boolean {
  const workflow = alert.workflows.find(({ id }) => id === page.workflowId);
  return (
    alert.deletedAt === null &&
    workflow?.state === "open" &&
    workflow.layer === page.layer &&
    workflow.pass === page.pass &&
    // While somebody alone is notified of news, the others on the layer are not.
    (workflow.acknowledgedBy === undefined || workflow.acknowledgedBy === page.accountUserId) &&
    !workflow.rejectedIds.includes(page.accountUserId)
  );
}

/** Reads the incident fields of a `meta`. An incident without a known severity is `SEV-UNKNOWN`. */
export function incidentOf(meta: Readonly<Record<string, unknown>>) {
  const isIncident = meta.incident === true || meta.incident === "true" || meta.incident === 1;
  const severityText = String(meta.incident_severity ?? "")
    .trim()
    .toUpperCase();
  const known = INCIDENT_SEVERITIES.find((severity) => severity === severityText);
  const text = meta.incident_message;
  const message = typeof text === "string" ? text.toWellFormed() : null;
  return {
    incident: isIncident,
    incident_severity: known ?? (isIncident ? ("SEV-UNKNOWN" as const) : null),
    incident_message: message,
  };
}

/** The workflows of the alert's destinations, without those of requested responders. */
export const ownWorkflowsOf = ({ workflows }: Pick<Alert, "workflows">): readonly Workflow[] =>
  workflows.filter((it) => !it.isRequested);

/** The status derived from the workflows (contract 3), without resolution and suppression. */
export function statusOfWorkflows(alert: Pick<Alert, "workflows" | "pending">): AlertStatus {
  const workflows = ownWorkflowsOf(alert);
  if (alert.pending.length > 0) return workflows.length === 0 ? "queued" : "open";
  if (workflows.some((workflow) => workflow.state === "open")) return "open";
  if (workflows.some((workflow) => workflow.state === "acknowledged")) return "acknowledged";
  return "dropped";
}

/** Whether a maintenance window suppresses the alert: what a router ignored stays suppressed. */
export const isInWindow = ({ status, suppressedUntil }: Alert): boolean =>
  status === "suppressed" && suppressedUntil !== null;

/** When the alert's next timer is due (epoch ms); null when none is set. */
export function nextStepAt(alert: Alert): number | null {
  const times = alert.workflows.flatMap((workflow) =>
    workflow.state === "open" && workflow.nextStepAt !== null ? [workflow.nextStepAt] : [],
  );
  times.push(...alert.pending.map(({ at }) => at));
  if (alert.autoResolveAt !== null) times.push(alert.autoResolveAt);
  if (alert.snoozedUntil != null) times.push(alert.snoozedUntil);
  if (alert.muted) times.push(alert.muted.until);
  if (isInWindow(alert)) times.push(alert.suppressedUntil ?? 0);
  return times.length === 0 ? null : Math.min(...times);
}
