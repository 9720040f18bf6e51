// What may be asked of an alert, and what comes of it: the words of the state machine in `transition.ts`.
import type { Alert, AlertContent, AlertSource, Destination, LogEntry, Page } from "./alert.ts";
import type { DestinationFacts } from "./escalation.ts";
import type { PageReport } from "./page.ts";
import type { Refusal } from "./refusal.ts";
import type { Aggregate, Routers } from "./routing.ts";

/** Whom the caller named as destinations, in either form of the identifier. */
export type DestinationsGiven = {
  readonly teamIds: readonly string[];
  readonly routerIds: readonly string[];
  readonly accountUserIds: readonly string[];
};

export type AlertDraft = AlertContent & {
  readonly id: string;
  readonly accountId: string;
  readonly source: AlertSource;
  readonly thirdpartyId: string | null;
  readonly dedupKeys: readonly string[];
  readonly destinations: DestinationsGiven;
  /** The request that made it, as routers' rules see it (`data`, `headers`); null when none did. */
  readonly log: Readonly<Record<string, unknown>> | null;
  /** When it happened and when the maintenance window around that ends (epoch ms); null outside of any. */
  readonly maintenance: { readonly at: number; readonly until: number } | null;
  /** How long after its last event it is resolved by itself (ms); null = never. */
  readonly autoResolveMs: number | null;
  /** What an API request was to make: so it counts once, wherever it counts; null for senders' events. */
  readonly requestId: string | null;
  /** The accounts it has come through: what goes out again says so. */
  readonly trail?: readonly string[];
};

/** Who gives a command: a person, or (with no id) a sender that stands for nobody. */
export type By = {
  readonly accountUserId: string | null;
  readonly name: string;
  /** The integration that a sender speaks through: it is not told what it said. */
  readonly integrationId?: string;
  /** The accounts that the word has come through. */
  readonly trail?: readonly string[];
};

/** Somebody who was in the account. */
export type RemovedMember = { readonly accountUserId: string; readonly name: string };

export type ContentChanges = Partial<Omit<AlertContent, "additionalData">>;

export type Command =
  /** Also its repetitions: `sequences` are the inbox's numbers of the events that say the same. */
  | { readonly type: "create"; readonly draft: AlertDraft; readonly sequences: readonly number[] }
  | { readonly type: "acknowledge"; readonly by: By }
  | { readonly type: "resolve"; readonly by: By }
  | { readonly type: "reject"; readonly by: By & { readonly accountUserId: string } }
  | {
      readonly type: "handoff";
      readonly destinations: DestinationsGiven;
      readonly note: string | null;
      readonly by: By;
    }
  | { readonly type: "tick" }
  | { readonly type: "change"; readonly changes: ContentChanges; readonly by: By }
  | { readonly type: "delete"; readonly by: By }
  /** People were removed from the account. */
  | { readonly type: "members_removed"; readonly members: readonly RemovedMember[] }
  /** Another alert was aggregated with it. */
  | { readonly type: "join"; readonly member: Pick<Alert, "id" | "title"> }
  /** The consumer could not reach somebody. */
  | { readonly type: "unreached"; readonly reports: readonly PageReport[] };

/** What is known of destinations, by `type:id as it was asked for`; null = there is no such record. */
export type Facts = ReadonlyMap<string, DestinationFacts | null>;

export type Context = {
  readonly now: number;
  readonly newId: () => string;
  readonly facts: Facts;
  /** The routers that were asked for and all that can be reached from them; null before they were read. */
  readonly routers: Routers | null;
  /** By fingerprint, the alert that others are aggregated with for the time being. */
  readonly firsts: ReadonlyMap<string, string>;
};

export type Outcome =
  | {
      readonly kind: "needs";
      readonly destinations: readonly Destination[];
      /** Routers by either form of the identifier. */
      readonly routers?: readonly string[];
      /** Whose first alert is to be found, or made this one. */
      readonly aggregates?: readonly Aggregate[];
    }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** `finished`: it has ended; an event of the same `Id` is another alert's. */
  | { readonly kind: "unchanged"; readonly result: "counted" | "finished" | "nothing_due" }
  | {
      readonly kind: "changed";
      readonly result: "created" | "counted" | "done";
      readonly alert: Alert;
      readonly log: readonly LogEntry[];
      readonly pages: readonly Page[];
      /** The alerts that it was aggregated with, which have to count it. */
      readonly leaderIds: readonly string[];
    };

export const factsKey = (destination: Destination) => `${destination.type}:${destination.id}`;
