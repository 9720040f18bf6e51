// Pages in transit: the messages from an alert's object to the queue, and the consumer's reports.

import type { AlertUrgency, Page, PageEvent } from "../alerts/alert.ts";
import type { Exercise } from "../alerts/exercise.ts";
import type { StandbyQuestion } from "../operations/standby.ts";
import type { Channel } from "../people/contact.ts";
import { prefixIdOf } from "../shared/identifiers.ts";

/** Queue message: one person to notify, with the content. */
export type PageMessage = {
  readonly accountId: string;
  readonly page: Page;
  /** The alert concerned; null if `notice` carries the content. */
  readonly alert: AlertInPage | null;
  readonly notice: Notice | null;
  /** The due stage of the person's plan: 0 is immediate, the person's object sends later ones. */
  readonly stage: number;
  /** The document that the person's rule conditions match. */
  readonly view: RuleView;
};

/** `{alert, log}`: the alert as its record shows it, and the request that created it. */
export type RuleView = Readonly<Record<"alert" | "log", Readonly<Record<string, unknown>>>>;

export const EMPTY_RULE_VIEW: RuleView = { alert: {}, log: {} };

/** Queue message: release a person's held notifications on a channel as one bundle. */
export type ReleaseMessage = { readonly accountId: string; readonly release: Release };

export type Release = {
  readonly accountUserId: string;
  readonly channel: Channel;
  readonly kind: Bundle["kind"];
  /** Releases everything of that kind due by then (epoch ms). */
  readonly dueAt: number;
};

/** Whether a queue message is a valid page. */
export function isPageMessage(body: unknown): body is PageMessage {
  const value = body as Partial<PageMessage> | null | undefined;
  const about = value?.alert?.id ?? value?.notice?.schedule;
  const texts = [value?.accountId, about, value?.page?.effectId, value?.page?.accountUserId];
  const numbers = [value?.page?.at, value?.stage];
  return texts.every((it) => typeof it === "string") && numbers.every(Number.isFinite);
}

/** Whether a queue message is a valid release. */
export function isReleaseMessage(body: unknown): body is ReleaseMessage {
  const value = body as Partial<ReleaseMessage> | null | undefined;
  const { accountUserId, channel, kind, dueAt } = value?.release ?? {};
  const texts = [value?.accountId, accountUserId, channel, kind];
  return texts.every((it) => typeof it === "string") && Number.isFinite(dueAt);
}

/** Idempotency keys of a page message and of a release. */
export const messageKey = ({ page, stage }: PageMessage) => `${page.effectId}:${stage}`;
export const firstStageKey = (effectId: string) => `${effectId}:0`;
export const releaseKey = ({ channel, kind, dueAt }: Release) => `${kind}:${channel}:${dueAt}`;

export type AlertInPage = {
  readonly id: string;
  /** The alert's version at the time of writing; compared with rows that readers see. */
  readonly version: number;
  readonly title: string;
  /** Truncated. */
  readonly description: string | null;
  readonly urgency: AlertUrgency;
  readonly createdAt: number;
  readonly destinationName: string;
  /** Absent for a real alert. */
  readonly exercise?: Exercise;
};

/**
 * What a channel sends as one message: one page, or (`bundle`) several that were sent together or
 * held. With a bundle, `page` and `alert` are its first alert's, without description and
 * destination name.
 */
export type ChannelMessage = PageMessage & { readonly bundle: Bundle | null };

/** Several alerts in one message to one person on one channel. */
export type Bundle = {
  /** `burst`: too many at once. `digest`: held through quiet hours and still unanswered. */
  readonly kind: "burst" | "digest";
  /** Most urgent first, then oldest; at most `MAX_LISTED_ALERTS`. */
  readonly alerts: readonly [BundledAlert, ...BundledAlert[]];
  /** Total number, including alerts that are not listed. */
  readonly total: number;
};

export type BundledAlert = Pick<AlertInPage, "id" | "title" | "urgency" | "createdAt"> & {
  /** The event that the person would have been notified of. */
  readonly event: PageEvent;
  readonly layer: number | null;
  readonly notificationId: string;
};

/** Maximum number of alerts that one message lists; it states how many more there are. */
export const MAX_LISTED_ALERTS = 50;

/** The content of a page from the object of a team, a schedule, a person or a broadcast. */
type Notice = {
  /** The `prefix_id` of the record whose object waits for the confirmation. */
  readonly schedule: string;
  readonly subject: string;
  readonly text: string;
  /** The channels to use unless the person's rule decides; absent: the person's settings. */
  readonly channels?: readonly Channel[];
  /** The full broadcast, if a broadcast's object sent it. */
  readonly broadcast?: BroadcastInPage;
  /** The request for cover, if its object sent it. */
  readonly coverRequest?: CoverRequestInPage;
  /** The question of a standby, if it sent it. */
  readonly standby?: Pick<StandbyQuestion, "id" | "order">;
};

/** A request for cover as the people whom it concerns are told of it. */
export type CoverRequestInPage = {
  readonly id: string;
  /** Until when the recipient may answer (epoch ms); null: this is only to be known. */
  readonly answerBy: number | null;
};

/** A broadcast as sent to its recipients. */
export type BroadcastInPage = {
  readonly id: string;
  readonly title: string;
  /** Truncated, as an alert's description is. */
  readonly description: string | null;
  readonly senderName: string | null;
  /** The deadline for answers (epoch ms); null = none. */
  readonly respondBy: number | null;
  /** In order; empty when no response is requested. */
  readonly options: readonly { readonly id: string; readonly value: string }[];
};

/** The `prefix_id` of the object that sent a page and waits for its confirmation. */
export function sendingObjectName({ alert, notice }: PageMessage): string {
  return alert === null ? (notice?.schedule ?? "") : prefixIdOf("alert", alert.id);
}

/** Reports that a page's attempts are recorded, or that the person's object has taken it over. */
export type PageReport = {
  readonly effectId: string;
  /** Lines for the alert's timeline. */
  readonly lines: readonly TimelineLine[];
  /** True when a person who was asked cannot be reached by any channel: others must be notified. */
  readonly unreached: boolean;
  readonly page: Pick<Page, "event" | "accountUserId" | "workflowId">;
};

/** A timeline line that is added once, identified by its key. */
export type TimelineLine = {
  readonly key: string;
  readonly level: "warn" | "error";
  readonly message: string;
};

/** What identifies a notification in the database. */
export type NotificationKey = {
  readonly accountId: string;
  readonly accountUserId: string;
  readonly id: string;
};
