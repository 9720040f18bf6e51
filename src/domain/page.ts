// A page on its way to a person: what the alert's object hands to the queue, and what the consumer says back.
import type { AlertUrgency, Page } from "./alert.ts";
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
