// An alert, its workflows, and the words for their states (specification, States and transitions;
// `contract.md` 3). Data only: what may follow what is decided in `transition.ts`.

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

/** Whom an alert is sent to: a team, or one account user. */
export type Destination = { readonly type: "team" | "account_user"; readonly id: string };

/** A destination that a router lets wait (`delay`): the alert may heal itself before. */
export type PendingDelivery = { readonly destination: Destination; readonly at: number };

/** One destination's way through its escalation policy. */
export type Workflow = {
  readonly id: string;
  readonly destination: Destination;
  readonly destinationName: string;
  readonly state: WorkflowState;
  /** The layer that was asked last; null before the first. */
  readonly layer: number | null;
  /** 1, and one more with every repetition of the policy. */
  readonly pass: number;
  /** Whom the current layer asked. */
  readonly accountUserIds: readonly string[];
  /** Everybody asked so far. */
  readonly askedIds: readonly string[];
  /** Those who said no: they are not asked again. */
  readonly rejectedIds: readonly string[];
  /** The team's people when it was last read: whose acknowledgement counts as this destination's. */
  readonly memberIds: readonly string[];
  /** Whom to tell when nobody answers, as the team had it when it was last read. */
  readonly dropRecipientIds: readonly string[];
  /** What else those who were asked want to be told of, by account user id; none = nothing. */
  readonly wants?: Readonly<Record<string, readonly string[]>>;
  /** When the current layer's time runs out (epoch ms); null when nothing more will happen by itself. */
  readonly nextStepAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type AdditionalDatum = {
  readonly format: (typeof DATUM_FORMATS)[number];
  readonly label: string;
  readonly value: string;
};

/**
 * Whether somebody has answered for this destination, so that nobody more is to be woken for it. A workflow that ran
 * out of time has had no answer: a page that is late is still worth sending.
 */
export function isAnswered(state: WorkflowState): boolean {
  return state === "acknowledged" || state === "rejected" || state === "cancelled";
}

/** What an alert says, as its sender gave it. */
export type AlertContent = {
  readonly title: string;
  readonly description: string | null;
  readonly urgency: AlertUrgency;
  readonly tags: readonly string[];
  /** Free, and always with `incident`, `incident_severity`, `incident_message`. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly additionalData: readonly AdditionalDatum[];
};

/** Where an alert came from. */
export type AlertSource = {
  readonly type: "Integration" | "AccountUser";
  readonly id: string;
  /** As it was called when it made the alert: for the alert's story. */
  readonly name: string;
  /** The log of the request that made it; null unless an integration did. */
  readonly logId: string | null;
  /** The integration's type by name; absent unless an integration made it. */
  readonly integrationType?: string;
};

export type Alert = AlertContent & {
  readonly id: string;
  readonly accountId: string;
  /** Raised by every change: what a late projection is refused by. */
  readonly version: number;
  readonly status: AlertStatus;
  readonly source: AlertSource;
  readonly thirdpartyId: string | null;
  readonly dedupKeys: readonly string[];
  readonly dedupCount: number;
  /** The alert that it was aggregated with; absent for one that was not. */
  readonly aggregatedIntoId?: string | null;
  /** The alerts that were aggregated with it and are counted, the latest ones. */
  readonly joinedIds?: readonly string[];
  /** The highest of the sequence numbers of its own source and `Id` that has been counted. */
  readonly countedSequence: number;
  /** The same of others that share a key with it, by source and `Id`: the latest ones. */
  readonly countedElsewhere: Readonly<Record<string, number>>;
  /** API requests that were counted on it, the latest ones. */
  readonly countedRequests: readonly string[];
  readonly teamIds: readonly string[];
  readonly routerIds: readonly string[];
  readonly accountUserIds: readonly string[];
  readonly workflows: readonly Workflow[];
  /** Destinations whose workflow begins later, by itself. */
  readonly pending: readonly PendingDelivery[];
  /** The name of the sender that acknowledged while nothing had begun: it counts for what begins. */
  readonly heldAcknowledgement: string | null;
  /** Made in a maintenance window: until when its repetitions only count (epoch ms). */
  readonly suppressedUntil: number | null;
  /** When it is resolved by itself (epoch ms), unless it happens again before. */
  readonly autoResolveAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly resolvedAt: number | null;
  readonly deletedAt: number | null;
  /** When the drop recipients were last told (epoch ms). */
  readonly dropNotifiedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How many log entries and how many effects it has had: the next one's number. */
  readonly logCount: number;
  readonly effectCount: number;
  /** The effects whose failure the story tells already. */
  readonly unreachedEffects: readonly string[];
  /** Those who were removed from the account while it asked them. */
  readonly removedIds?: readonly string[];
  /** The accounts it has come through, from one to the next, before it was made here. */
  readonly trail?: readonly string[];
};

/** A step of the alert's story. */
export type LogEntry = {
  readonly sequence: number;
  readonly at: number;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
};

/**
 * What people are told: that they are asked; that somebody else has answered or nobody has; that a person who was to be
 * asked could not be reached (`alert.unreached`, for the team's drop recipients).
 */
export const PAGE_EVENTS = [
  "alert.open",
  "alert.acknowledged",
  "alert.rejected",
  "alert.resolved",
  "alert.dropped",
  "alert.timeout",
  "alert.handoff",
  "alert.unreached",
  "oncall.handoff",
  "broadcast.sent",
] as const;
export type PageEvent = (typeof PAGE_EVENTS)[number];

/** One person to be reached about an alert: an effect, known by its id wherever it travels. */
export type Page = {
  readonly effectId: string;
  readonly event: PageEvent;
  readonly accountUserId: string;
  /** The workflow that asks; null for what is only told. */
  readonly workflowId: string | null;
  readonly layer: number | null;
  readonly pass: number | null;
  /** When it was decided (epoch ms). */
  readonly at: number;
  /** When the layer's time runs out (epoch ms): nothing of it is sent after; null for what is only told. */
  readonly until: number | null;
  /** Who did it, or whom it concerns, in a sentence; null where the event says all. */
  readonly detail: string | null;
};

/** What a page says of who asks whom. */
export type AskingPage = Pick<Page, "accountUserId" | "workflowId" | "layer" | "pass">;

/** Whether the layer that a page belongs to still waits for this person's answer. */
export function stillAsks(alert: Alert, page: AskingPage): boolean {
  const workflow = alert.workflows.find(({ id }) => id === page.workflowId);
  return (
    alert.deletedAt === null &&
    workflow?.state === "open" &&
    workflow.layer === page.layer &&
    workflow.pass === page.pass &&
    !workflow.rejectedIds.includes(page.accountUserId)
  );
}

/** The incident flags out of a `meta`; the severity is unknown when an incident names none. */
export function incidentOf(meta: Readonly<Record<string, unknown>>) {
  const flagged = meta.incident === true || meta.incident === "true" || meta.incident === 1;
  const given = String(meta.incident_severity ?? "")
    .trim()
    .toUpperCase();
  const known = INCIDENT_SEVERITIES.find((severity) => severity === given);
  const told = meta.incident_message;
  const message = typeof told === "string" ? told.toWellFormed() : null;
  return {
    incident: flagged,
    incident_severity: known ?? (flagged ? ("SEV-UNKNOWN" as const) : null),
    incident_message: message,
  };
}

/** The alert's status as its workflows have it (`contract.md` 3); resolution and suppression aside. */
export function statusOfWorkflows({
  workflows,
  pending,
}: Pick<Alert, "workflows" | "pending">): AlertStatus {
  if (pending.length > 0) return workflows.length === 0 ? "queued" : "open";
  if (workflows.some((workflow) => workflow.state === "open")) return "open";
  if (workflows.some((workflow) => workflow.state === "acknowledged")) return "acknowledged";
  return "dropped";
}

/** When the alert's next timer is due (epoch ms), null when none runs. */
export function nextStepAt(alert: Alert): number | null {
  const times = alert.workflows.flatMap((workflow) =>
    workflow.state === "open" && workflow.nextStepAt !== null ? [workflow.nextStepAt] : [],
  );
  times.push(...alert.pending.map(({ at }) => at));
  if (alert.autoResolveAt !== null) times.push(alert.autoResolveAt);
  return times.length === 0 ? null : Math.min(...times);
}
