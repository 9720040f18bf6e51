// What an integration type is: its options, and a pure `translate` from a sender's request to events. Adding a
// type takes one file in `types/` and one line in `registered.ts`.
import type { AlertUrgency } from "../domain/alert.ts";
import type { OutgoingEvent, Said } from "../domain/announcement.ts";
import type { AlertReference } from "../domain/opsgenie-identifiers.ts";
import type { FieldError } from "../domain/refusal.ts";

/** A request as a sender made it, read but not interpreted. */
export type InboundRequest = {
  readonly method: string;
  /** The whole URL's path and query, as it was asked for. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Query parameters; repeated ones are lists. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The body as JSON or a form; null when there is none, or it is neither. */
  readonly body: unknown;
  /** The body as text (invalid UTF-8 replaced). */
  readonly text: string;
};

/** What may be shown with an alert beside its description. */
export type AdditionalDatum = {
  readonly format: "text" | "link" | "img" | "email" | "phone" | "datetime";
  readonly label: string;
  readonly value: string;
};

export type CreateEvent = {
  readonly kind: "create";
  /** The sender's identifier of what happened; null = none given, one is made. */
  readonly thirdpartyId: string | null;
  readonly title: string;
  readonly description: string | null;
  /** Null = the integration's default. */
  readonly urgency: AlertUrgency | null;
  readonly tags: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly incident: boolean;
  readonly incidentSeverity: string | null;
  readonly incidentMessage: string | null;
  readonly dedupKeys: readonly string[];
  readonly additionalData: readonly AdditionalDatum[];
  readonly trail?: Trail;
};

/** The accounts of Tocsin that it has come through; no type says it itself. */
type Trail = readonly string[];

export type InboundEvent =
  | CreateEvent
  | {
      readonly kind: "acknowledge" | "resolve";
      readonly thirdpartyId: string | null;
      readonly dedupKeys: readonly string[];
      /** Where the alert is named by what we answered; `thirdpartyId` counts when no alert is found by it. */
      readonly reference?: AlertReference;
      readonly trail?: Trail;
    }
  /** Something said of an alert: it becomes its comment. */
  | {
      readonly kind: "note";
      readonly thirdpartyId: string | null;
      readonly reference?: AlertReference;
      readonly body: string;
      readonly author: string | null;
    }
  /** Understood and not for us: answered 200, logged with the reason. `isRecord`: the log is what it was sent for. */
  | { readonly kind: "ignored"; readonly reason: string; readonly isRecord?: true }
  /** Not to be understood: answered 422, logged all the same. */
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/** An option of a type, as the listing shows it. */
export type OptionDescription = {
  /** As in `option_<key>`. */
  readonly key: string;
  readonly type: "string" | "boolean" | "integer" | "secret";
  readonly required: boolean;
  readonly default: string | boolean | number | null;
  readonly help: string;
  /** Its value is shown to account admins alone, and reads as a secret does to others. */
  readonly adminsOnly?: true;
};

/** An integration's options, by key. */
export type Options = Readonly<Record<string, unknown>>;

/** How a sender proves who it is, where it has a way of its own. */
export type Authentication = {
  /** Headers that carry the integration's `token` as it is, beside those that every type reads. */
  readonly tokenHeaders?: readonly string[];
  /** A field of the query or body that carries the integration's `token`. */
  readonly tokenField?: string;
  /** A signature made with a secret option, asked for when that is set. */
  readonly signature?: Signature;
};

export type Signature = {
  /** The secret option's key. Its value is kept: a hash cannot sign. */
  readonly option: string;
  readonly header: string;
  readonly encoding: "hex" | "base64";
  /** What stands before the signature in its header. */
  readonly prefix?: string;
  /**
   * Headers, the first that is there counts, whose value is signed before the body: `<value><join><body>`. Where the
   * header's name is the user's choice (`anyName`), any other that holds seconds since 1970 may be the one.
   */
  readonly timestamp?: {
    readonly headers: readonly string[];
    readonly join: string;
    readonly anyName?: boolean;
  };
};

/** What there is to tell. */
export type Told = {
  readonly event: OutgoingEvent;
  /** When it happened (epoch ms). */
  readonly at: number;
  readonly said: Said;
  /** Where people look at it; null for what has no page, or without an address of the deployment. */
  readonly url: string | null;
};

/** An integration's secret options, by key. */
type Secrets = Readonly<Record<string, string>>;

/** A request to be made: a POST of this as JSON. */
export type OutgoingRequest = {
  readonly url: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signed with this by Standard Webhooks; null = as it is. */
  readonly signedWith?: string | null;
};

/** Which events it tells of, to which address, in which words: the counterpart of `translate`. */
export type Outgoing = {
  /** The events it can tell of, and whether it does unless its option says otherwise. */
  readonly events: Readonly<Partial<Record<OutgoingEvent, boolean>>>;
  /** The option with the address. */
  readonly addressOption: string;
  /** Whether its requests are signed with the secret option `secret`. */
  readonly signs: boolean;
  /** Pure; null when there is nothing to say of it. */
  readonly announce: (told: Told, options: Options, secrets: Secrets) => OutgoingRequest | null;
  /** Whether an answer means that this very message will never be taken. */
  readonly refuses: (status: number) => boolean;
};

export type IntegrationType = {
  /** snake_case; what an integration stores. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The type's own options, beside those that every type has. */
  readonly options: readonly OptionDescription[];
  readonly supports: {
    readonly create: boolean;
    readonly acknowledge: boolean;
    readonly resolve: boolean;
  };
  readonly authentication?: Authentication;
  /** Comes through AWS SNS as well: wrapped, signed, and with subscriptions to be confirmed. */
  readonly sns?: boolean;
  /** Tells another service what happens here; then its senders have nothing to say. */
  readonly outgoing?: Outgoing;
  /** What is wrong with options as a whole; each error names `option_<key>`. */
  readonly check?: (options: Options) => readonly FieldError[];
  /** Pure; must not throw for any request. `options` are the integration's, by key, secrets left out. */
  readonly translate: (request: InboundRequest, options: Options) => readonly InboundEvent[];
};
