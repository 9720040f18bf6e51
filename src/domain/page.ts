// A page on its way to a person: what the alert's object hands to the queue, and what the consumer says back.
import type { AlertUrgency, Page, PageEvent } from "./alert.ts";
import type { Channel } from "./contact.ts";
import { prefixIdOf } from "./identifiers.ts";

/** The queue's message: one person to be reached, with what they are to be told. */
export type PageMessage = {
  readonly accountId: string;
  readonly page: Page;
  /** What it is about: an alert, else `notice` says it. */
  readonly alert: AlertInPage | null;
  readonly notice: Notice | null;
  /** Which stage of the person's plan is due: 0 is what happens at once, the others come from the person's object. */
  readonly stage: number;
  /** What the conditions of the person's rule look at. */
  readonly view: RuleView;
};

/** `{alert, log}`: the alert as its record shows it, and the request that made it. */
export type RuleView = Readonly<Record<"alert" | "log", Readonly<Record<string, unknown>>>>;

export const NOTHING_TO_MATCH: RuleView = { alert: {}, log: {} };

/** The queue's message that what was put aside for a person on a channel is to go out as one. */
export type ReleaseMessage = { readonly accountId: string; readonly release: Release };

export type Release = {
  readonly accountUserId: string;
  readonly channel: Channel;
  readonly kind: Bundle["kind"];
  /** Everything of that kind that is due by then (epoch ms). */
  readonly dueAt: number;
};

/** Known by this wherever copies of it travel. */
export const messageKey = ({ page, stage }: PageMessage) => `${page.effectId}:${stage}`;
export const releaseKey = ({ channel, kind, dueAt }: Release) => `${kind}:${channel}:${dueAt}`;

export type AlertInPage = {
  readonly id: string;
  /** The alert's version when this was written: what readers' rows are compared with. */
  readonly version: number;
  readonly title: string;
  /** Shortened: a message is not the place for an essay. */
  readonly description: string | null;
  readonly urgency: AlertUrgency;
  readonly createdAt: number;
  readonly destinationName: string;
};

/**
 * What a channel sends as one message: about one page, or (`bundle`) about several that came at once or were held.
 * With a bundle, `page` and `alert` are its first alert's, without a description or a destination's name.
 */
export type ChannelMessage = PageMessage & { readonly bundle: Bundle | null };

/** Several alerts in one message to one person on one channel. */
export type Bundle = {
  /** `burst`: too many at once. `digest`: held through quiet hours, and not answered meanwhile. */
  readonly kind: "burst" | "digest";
  /** The most urgent first, then the oldest; at most `MOST_LISTED`. */
  readonly alerts: readonly [BundledAlert, ...BundledAlert[]];
  /** How many there are, listed or not. */
  readonly total: number;
};

export type BundledAlert = Pick<AlertInPage, "id" | "title" | "urgency" | "createdAt"> & {
  /** What the person would have been told of it. */
  readonly event: PageEvent;
  readonly layer: number | null;
};

/** Alerts that one message lists; it says how many more there are. */
export const MOST_LISTED = 50;

/** What a team's or a broadcast's object has to say. */
type Notice = {
  /** The `prefix_id` of the team, or of the broadcast: whose object waits for the confirmation. */
  readonly schedule: string;
  readonly subject: string;
  readonly text: string;
  /** What a broadcast's object has to say, in full. */
  readonly broadcast?: BroadcastInPage;
};

/** A broadcast as its recipients get it. */
export type BroadcastInPage = {
  readonly id: string;
  readonly title: string;
  /** Shortened, as an alert's. */
  readonly description: string | null;
  readonly senderName: string | null;
  /** The deadline for answers (epoch ms); null = none. */
  readonly respondBy: number | null;
  /** In order; none when no answer is asked for. */
  readonly options: readonly { readonly id: string; readonly value: string }[];
};

/** The `prefix_id` of whose object sent a page, and waits for its confirmation. */
export function senderOf({ alert, notice }: PageMessage): string {
  return alert === null ? (notice?.schedule ?? "") : prefixIdOf("alert", alert.id);
}

/** A page whose attempts have been recorded, or that is the person's object's by now. */
export type PageReport = {
  readonly effectId: string;
  /** What the alert's story is to say of it. */
  readonly lines: readonly StoryLine[];
  /** True when there is no way left to somebody who was asked: then others are to know. */
  readonly unreached: boolean;
  readonly page: Pick<Page, "event" | "accountUserId" | "workflowId">;
};

/** A line that is told once, however often it is reported: known by its key. */
export type StoryLine = {
  readonly key: string;
  readonly level: "warn" | "error";
  readonly message: string;
};
