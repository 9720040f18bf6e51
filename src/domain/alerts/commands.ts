// The commands and outcomes of the alert state machine in `transition.ts`.

import type { PageReport } from "../notifications/page.ts";
import type { Aggregate, Routers } from "../routing/routing.ts";
import type { Refusal } from "../shared/refusal.ts";
import type { Alert, AlertContent, AlertSource, Destination, LogEntry, Page } from "./alert.ts";
import type { DestinationFacts } from "./escalation.ts";
import type { Drill, Exercise } from "./exercise.ts";

/** The destinations the caller named, in either form of the identifier. */
export type RequestedDestinations = {
  readonly teamIds: readonly string[];
  readonly routerIds: readonly string[];
  readonly accountUserIds: readonly string[];
};

/** What an event says about the things that an alert is about. */
export type ReportedMembers = {
  /** Those that fire. */
  readonly names: readonly string[];
  /** Those that have ended. */
  readonly ended?: readonly string[];
  /** The sender's instance. Replicas may report the same things; what one leaves out has ended. */
  readonly from?: string;
  /** Others may fire that it does not name. */
  readonly isPartial?: true;
};

/** What a `resolve` ends, of the alert of an `Id`. */
type EndedMembers = {
  readonly thirdpartyId: string | null;
  readonly names: readonly string[];
};

export type AlertDraft = AlertContent & {
  readonly id: string;
  readonly accountId: string;
  readonly source: AlertSource;
  readonly thirdpartyId: string | null;
  readonly dedupKeys: readonly string[];
  readonly destinations: RequestedDestinations;
  /** The request that created it, as router rules see it (`data`, `headers`); null if none did. */
  readonly log: Readonly<Record<string, unknown>> | null;
  /** When it happened and when its maintenance window ends (epoch ms); null outside any window. */
  readonly maintenance: { readonly at: number; readonly until: number } | null;
  /** How long after its last event it resolves automatically (ms); null = never. */
  readonly autoResolveMs: number | null;
  /** How long it must last before anybody is notified (ms); absent: not at all. */
  readonly pauseMs?: number;
  /** Identifies an API create, so that a retry counts once; null for senders' events. */
  readonly requestId: string | null;
  /** What fires, if the sender names it. */
  readonly members?: ReportedMembers;
  /** Whether an event with a lower urgency lowers the alert's. */
  readonly lowersUrgency?: true;
  /** The accounts it passed through; forwarded with outgoing events. */
  readonly trail?: readonly string[];
  /** Absent for a real alert. */
  readonly exercise?: Exercise;
  readonly drill?: Drill;
};

/** Who issues a command: a person or, without an id, a sender that represents no person. */
export type CommandAuthor = {
  readonly accountUserId: string | null;
  readonly name: string;
  /** The integration the sender used; it is not notified of its own event. */
  readonly integrationId?: string;
  /** The accounts the command passed through. */
  readonly trail?: readonly string[];
};

/** Somebody who was in the account. */
export type RemovedMember = { readonly accountUserId: string; readonly name: string };

/** An alert that is merged into another one, by `id`. */
type MergedAlert = Pick<Alert, "id" | "title">;

export type ContentChanges = Partial<Omit<AlertContent, "additionalData">>;

export type Command =
  /**
   * Creates the alert or counts repetitions; `sequences` are the events' numbers in the inbox. `isNew`: nobody has been
   * told the alert's id before.
   */
  | {
      readonly type: "create";
      readonly draft: AlertDraft;
      readonly sequences: readonly number[];
      readonly isNew?: boolean;
    }
  | { readonly type: "acknowledge" | "unacknowledge"; readonly by: CommandAuthor }
  /**
   * `ended`: what has ended; the alert resolves unless something else still fires. `reopenUntil`:
   * until when a further event of its sender opens it again (epoch ms).
   */
  | {
      readonly type: "resolve";
      readonly by: CommandAuthor;
      readonly ended?: EndedMembers;
      readonly reopenUntil?: number;
    }
  | { readonly type: "reject"; readonly by: CommandAuthor & { readonly accountUserId: string } }
  | {
      readonly type: "handoff";
      readonly destinations: RequestedDestinations;
      readonly note: string | null;
      readonly by: CommandAuthor;
    }
  /** `retiredBefore`: an alert that ended before it is no longer retained (epoch ms). */
  | { readonly type: "reopen"; readonly retiredBefore: number | null; readonly by: CommandAuthor }
  /** Takes the author's own latest answer back. `areOthersNotified`: others were told of it. */
  | { readonly type: "undo"; readonly areOthersNotified: boolean; readonly by: CommandAuthor }
  | { readonly type: "snooze"; readonly until: number; readonly by: CommandAuthor }
  | { readonly type: "escalate"; readonly by: CommandAuthor }
  | {
      readonly type: "request_responders";
      readonly destinations: Pick<RequestedDestinations, "teamIds" | "accountUserIds">;
      readonly note: string | null;
      readonly by: CommandAuthor;
    }
  /** Other alerts become part of this one. */
  | { readonly type: "merge"; readonly alerts: readonly MergedAlert[]; readonly by: CommandAuthor }
  /** The alert becomes part of another one, its leader. */
  | { readonly type: "merge_into"; readonly leaderId: string; readonly by: CommandAuthor }
  | { readonly type: "tick" }
  | { readonly type: "change"; readonly changes: ContentChanges; readonly by: CommandAuthor }
  | { readonly type: "delete"; readonly by: CommandAuthor }
  /** People were removed from the account. */
  | { readonly type: "members_removed"; readonly members: readonly RemovedMember[] }
  /** Another alert was aggregated into it. */
  | { readonly type: "join"; readonly member: Pick<Alert, "id" | "title"> }
  /** The queue consumer could not reach someone. */
  | { readonly type: "unreached"; readonly reports: readonly PageReport[] };

/** Destination facts by `type:id` as requested; null = no such record. */
export type Facts = ReadonlyMap<string, DestinationFacts | null>;

export type CommandContext = {
  readonly now: number;
  readonly newId: () => string;
  readonly facts: Facts;
  /** The requested routers and all that are reachable from them; null before they are loaded. */
  readonly routers: Routers | null;
  /** The first alert of each current aggregate, by fingerprint. */
  readonly firsts: ReadonlyMap<string, string>;
  /** Whether the alert has its `Id` and its dedup keys: a reopened one needs them back. */
  readonly hasClaimed: boolean;
  /** The maintenance windows of the alert's integration; absent before they are loaded. */
  readonly window?: WindowFacts;
};

export type WindowFacts = {
  /** When the windows around now have ended (epoch ms); null if there is none. */
  readonly until: number | null;
  /** The request that created the alert, as router rules see it; null if its log is gone. */
  readonly log: AlertDraft["log"];
};

export type Outcome =
  | {
      readonly kind: "needs";
      readonly destinations: readonly Destination[];
      /** Routers by either form of the identifier. */
      readonly routers?: readonly string[];
      /** Aggregates whose first alert must be looked up, or becomes this one. */
      readonly aggregates?: readonly Aggregate[];
      /** The alert's `Id` and dedup keys must be claimed. */
      readonly claim?: true;
      /** The maintenance windows of the alert's integration must be read. */
      readonly window?: true;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** `finished`: the alert has ended; an event of the same `Id` creates another one. */
  | { readonly kind: "unchanged"; readonly result: "counted" | "finished" | "nothing_due" }
  | {
      readonly kind: "changed";
      readonly result: "created" | "counted" | "done";
      readonly alert: Alert;
      readonly log: readonly LogEntry[];
      readonly pages: readonly Page[];
      /** The alerts it was aggregated into, which must count it. */
      readonly leaderIds: readonly string[];
      /** The alerts that were merged into it, which must end; absent if none. */
      readonly mergedIds?: readonly string[];
    };

/** The key of a destination in `Facts`. */
export const factsKey = (destination: Destination) => `${destination.type}:${destination.id}`;
