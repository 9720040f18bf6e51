// What the reference model of an alert consists of.

/** A destination: its layers, and who is on call on each until `until`. */
export type ModelDestination = {
  readonly id: string;
  readonly name: string;
  readonly layers: readonly { readonly people: readonly string[]; readonly minutes: number }[];
  readonly repeat: number;
  /** The people who can acknowledge for it. */
  readonly members: readonly string[];
  readonly toldOfDrops: readonly string[];
  /** The destinations to which it reassigns the alert, by id. */
  readonly reassign: readonly string[];
  /** Why the people are notified, and until when (epoch ms) anybody is on call. */
  readonly reason: string;
  readonly until: number;
};

export type ModelWorkflow = {
  readonly of: ModelDestination;
  /** Requested by a responder: it does not count for the status. */
  readonly requested: boolean;
  state: "open" | "acknowledged" | "rejected" | "timed_out" | "cancelled";
  layer: number | null;
  pass: number;
  asked: string[];
  everAsked: string[];
  rejected: string[];
  due: number | null;
  /** The person who acknowledged it; of an open one, who is notified alone of news. */
  by: string | null;
  /** When it was cancelled (epoch ms). */
  cancelledAt: number | null;
};

export type ModelPage = {
  readonly event: string;
  readonly person: string;
  readonly layer: number | null;
  readonly pass: number | null;
  readonly at: number;
  readonly of: ModelWorkflow | null;
};

/** What an event says: its urgency, and things that fire, among others. */
export type ModelSaid = { readonly urgency: string; readonly names: readonly string[] };

/** A person by id, or a sender (`id` null). */
export type ModelCaller = { readonly id: string | null; readonly name: string };

export type Answer =
  | "done"
  | "created"
  | "counted"
  | "finished"
  | "conflict"
  | "invalid"
  | "not_found";

/** An answer that may be undone, with what it changed. */
export type ModelAnswer = {
  readonly type: "acknowledge" | "resolve" | "reject";
  readonly by: string;
  readonly at: number;
  /** The workflows that it concerned, with their states before. */
  readonly workflows: readonly {
    readonly of: ModelWorkflow;
    readonly state: ModelWorkflow["state"];
  }[];
  readonly acknowledgedAt: number | null;
  readonly snoozedUntil: number | null;
  readonly status: string;
};
