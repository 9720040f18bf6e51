// A page on its way to a person: what the alert's object hands to the queue, and what the consumer says back.
import type { AlertUrgency, Page, PageEvent } from "./alert.ts";
import { prefixIdOf } from "./identifiers.ts";

/** The queue's message: one person to be reached, with what they are to be told. */
export type PageMessage = {
  readonly accountId: string;
  readonly page: Page;
  /** What it is about: an alert, else `notice` says it. */
  readonly alert: AlertInPage | null;
  readonly notice: Notice | null;
};

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

/** What a schedule's object has to say. */
export type Notice = {
  /** The schedule's `prefix_id`: whose object waits for the confirmation. */
  readonly schedule: string;
  readonly subject: string;
  readonly text: string;
};

/** The `prefix_id` of whose object sent a page, and waits for its confirmation. */
export function senderOf({ alert, notice }: PageMessage): string {
  return alert === null ? (notice?.schedule ?? "") : prefixIdOf("alert", alert.id);
}

/** An attempt that has been recorded; `failure` says why the person was not reached, for the alert's story. */
export type PageReport = { readonly effectId: string; readonly failure: string | null };
