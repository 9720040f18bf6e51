// Defines an integration type: its options and a pure `translate` from a sender's request to
// events. To add a type, add one file in `types/` and one line in `all-types.ts`.
import type { AdditionalDatum, AlertUrgency } from "../domain/alerts/alert.ts";
import type { ContentChanges, ReportedMembers } from "../domain/alerts/commands.ts";
import type { AnnouncementPayload, OutgoingEvent } from "../domain/integrations/announcement.ts";
import type { AlertReference } from "../domain/integrations/opsgenie-identifiers.ts";
import type { FieldError } from "../domain/shared/refusal.ts";
import type { TokenSource } from "./outgoing/access-token.ts";

/** A sender's request, parsed but not interpreted. */
export type InboundRequest = {
  readonly method: string;
  /** The path and query of the request's URL. */
  readonly url: string;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Query parameters; a repeated one is a list. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The body parsed as JSON or a form; null if it is empty or neither. */
  readonly body: unknown;
  /** The body as text (invalid UTF-8 replaced). */
  readonly text: string;
};

/** Creates an alert, or counts as a repeat of the open alert with the same identifier. */
export type CreateEvent = {
  readonly kind: "create";
  /** The sender's identifier of the alert; null = one is generated. */
  readonly thirdpartyId: string | null;
  readonly title: string;
  readonly description: string | null;
  /** Null = the integration's default urgency. */
  readonly urgency: AlertUrgency | null;
  readonly tags: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly incident: boolean;
  readonly incidentSeverity: string | null;
  readonly incidentMessage: string | null;
  readonly dedupKeys: readonly string[];
  readonly additionalData: readonly AdditionalDatum[];
  /** What fires of the things that the event is about, if the sender names them. */
  readonly members?: ReportedMembers;
  /** What whoever looks at the event's log must know. */
  readonly warning?: string;
  readonly trail?: Trail;
};

/** The Tocsin accounts that forwarded the event; types never set it. */
type Trail = readonly string[];

/** What a request means for the integration. */
export type InboundEvent =
  | CreateEvent
  | {
      readonly kind: "acknowledge" | "resolve";
      readonly thirdpartyId: string | null;
      readonly dedupKeys: readonly string[];
      /** The alert, if named by an id from our responses; `thirdpartyId` is the fallback. */
      readonly reference?: AlertReference;
      /** Of a resolve: what has ended. The alert ends unless something else still fires. */
      readonly ended?: readonly string[];
      readonly trail?: Trail;
    }
  /** Changes the alert, or withdraws its acknowledgement. */
  | {
      readonly kind: "change" | "unacknowledge";
      readonly thirdpartyId: string;
      readonly dedupKeys: readonly [];
      readonly reference?: AlertReference;
      /** Empty for `unacknowledge`. */
      readonly changes: Pick<ContentChanges, "title" | "description" | "urgency">;
      readonly trail?: Trail;
    }
  /** A note on an alert; stored as a comment. */
  | {
      readonly kind: "note";
      readonly thirdpartyId: string | null;
      readonly reference?: AlertReference;
      readonly body: string;
      readonly author: string | null;
    }
  /**
   * Changes nothing: answered with 200 and logged with the reason. `isRecord`: the sender sent it
   * for the log. `isUnknown`: the type does not know its state, which is logged as a warning, and
   * shown at the integration. `isWarning`: understood, but somebody should look at it.
   */
  | {
      readonly kind: "ignored";
      readonly reason: string;
      readonly isRecord?: true;
      readonly isUnknown?: true;
      readonly isWarning?: true;
    }
  /** Not understood: answered with 422 and logged. */
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/** An option of a type, as the API lists it. */
export type OptionDescription = {
  /** The key in the API's `option_<key>`. */
  readonly key: string;
  readonly type: "string" | "boolean" | "integer" | "secret";
  readonly required: boolean;
  readonly default: string | boolean | number | null;
  readonly help: string;
  /** Its value is shown to account admins only; others see it as they see a secret. */
  readonly adminsOnly?: true;
};

/** An integration's options, by key. */
export type Options = Readonly<Record<string, unknown>>;

/** How a sender authenticates, beyond the ways that every type accepts. */
export type Authentication = {
  /** Further headers that carry the integration's `token`. */
  readonly tokenHeaders?: readonly string[];
  /** A field of the query or body that carries the integration's `token`. */
  readonly tokenField?: string;
  /** A signature by a secret option, required if that option is set. */
  readonly signature?: Signature;
};

/** An HMAC-SHA256 signature of the body, and optionally of a timestamp before it. */
export type Signature = {
  /** The secret option's key. Its value is stored, not only a hash: verification needs it. */
  readonly option: string;
  readonly header: string;
  readonly encoding: "hex" | "base64";
  /** The prefix of the signature in its header. */
  readonly prefix?: string;
  /**
   * Headers with the timestamp, by precedence; the signed content is `<value><join><body>`. With
   * `anyName`, users choose the header's name, so any header with Unix seconds can be the one.
   */
  readonly timestamp?: {
    readonly headers: readonly string[];
    readonly join: string;
    readonly anyName?: boolean;
  };
};

/** A message to send: an event with its payload. */
export type OutgoingMessage = {
  readonly event: OutgoingEvent;
  /** When the event happened (epoch ms). */
  readonly at: number;
  readonly payload: AnnouncementPayload;
  /** The event's page in the console; null if it has none or the deployment's base URL is unset. */
  readonly url: string | null;
  /**
   * Where an app's requests come to: this deployment's URL, without a slash at its end, and the
   * `prefix_id` of the integration. Null if the deployment's base URL is unset.
   */
  readonly app: { readonly origin: string; readonly integrationId: string } | null;
};

/** An integration's secret options, by key. */
type Secrets = Readonly<Record<string, string>>;

/** An HTTP request to send with this body as JSON. */
export type OutgoingRequest = {
  /** `POST` by default. */
  readonly method?: "POST" | "PUT" | "PATCH";
  readonly url: string;
  readonly body: unknown;
  /** Sent as a form in place of `body`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The secret that signs it by Standard Webhooks; null = unsigned. */
  readonly signedWith?: string | null;
};

/** The message of an alert in a chat: later events change it and reply to it. */
export type PostedMessage = { readonly channel: string; readonly messageId: string };

/** What the answer to a call means. `lost`: the posted message is no longer there. */
export type ChatOutcome =
  | { readonly kind: "done"; readonly posted: PostedMessage | null }
  | { readonly kind: "refused" | "again" | "lost"; readonly reason: string };

/**
 * How an app of a chat product keeps one message per alert up to date. `announce` of the type posts
 * a message; its answer says which one it is.
 */
export type ChatApp = {
  /** The secret options without which nothing can be sent. */
  readonly needs: readonly string[];
  /** The calls for an event of an alert whose message is posted, in order. Pure. */
  readonly follow: (
    message: OutgoingMessage,
    posted: PostedMessage,
    options: Options,
    secrets: Secrets,
  ) => readonly OutgoingRequest[];
  /** Reads the answer to a call. `body`: parsed, null if it is not JSON. Pure. */
  readonly read: (status: number, body: unknown) => ChatOutcome;
  /** Where the calls' bearer tokens come from; unset if `announce` and `follow` set them. */
  readonly tokens?: (options: Options, secrets: Secrets) => TokenSource;
};

/** How a type sends events: the counterpart of `translate`. */
export type Outgoing = {
  /** The events that it can send; the value is the default of the event's option. */
  readonly events: Readonly<Partial<Record<OutgoingEvent, boolean>>>;
  /** The key of the option that has the receiver's URL; null if the type itself knows it. */
  readonly addressOption: string | null;
  /** Whether requests are signed with the secret option `secret`. */
  readonly signs: boolean;
  /** Builds the request. Pure; null if there is nothing to send for the event. */
  readonly announce: (
    message: OutgoingMessage,
    options: Options,
    secrets: Secrets,
  ) => OutgoingRequest | null;
  /** Whether a response status means that this message will never be accepted. */
  readonly refuses: (status: number) => boolean;
  /** Set if an alert has one message that follows it. */
  readonly chat?: ChatApp;
};

/** A status, or all of a hundred. */
export type RepeatedAnswer = number | "4xx" | "5xx";

/**
 * An integration type: how requests of one kind of sender become events, or how events are sent to
 * another service.
 */
export type IntegrationType = {
  /** The snake_case name that integrations store. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The type's own options, in addition to the common ones. */
  readonly options: readonly OptionDescription[];
  readonly supports: {
    readonly create: boolean;
    readonly acknowledge: boolean;
    readonly resolve: boolean;
  };
  readonly authentication?: Authentication;
  /** Whether its senders can only GET: the default of an integration's `accepts_get`. */
  readonly acceptsGet?: true;
  /** Also accepts AWS SNS deliveries: wrapped, signed, with subscriptions to confirm. */
  readonly sns?: boolean;
  /** The answers that its senders repeat, if not the usual ones (`repeated-answers.ts`). */
  readonly repeats?: readonly RepeatedAnswer[];
  /** The paths of fields that its alerts deliberately do not show. */
  readonly leavesOut?: RegExp;
  /** Set if the type sends events to another service; it then accepts none. */
  readonly outgoing?: Outgoing;
  /** Validates the options as a whole; each error names `option_<key>`. */
  readonly check?: (options: Options) => readonly FieldError[];
  /**
   * Interprets a request. Pure; must not throw. `options` are the integration's, by key, without
   * secrets.
   */
  readonly translate: (request: InboundRequest, options: Options) => readonly InboundEvent[];
};
