// A page on its way to a person: what the alert's object hands to the queue, and what the consumer says back.
import type { AlertUrgency, Page } from "./alert.ts";

/** The queue's message: one person to be reached, with what they are to be told. */
export type PageMessage = {
  readonly accountId: string;
  readonly page: Page;
  readonly alert: {
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
};

/** An attempt that has been recorded; `failure` says why the person was not reached, for the alert's story. */
export type PageReport = { readonly effectId: string; readonly failure: string | null };
