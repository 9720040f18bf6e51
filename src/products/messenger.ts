// The interface of a messenger: a channel whose addresses people add themselves. Everything here is
// pure: the request that sends a message, and what the provider's answer means. `call-provider.ts`
// makes the call.
import type { AlertUrgency, PageEvent } from "../domain/alerts/alert.ts";
import { parseRetryAfter } from "../domain/integrations/delivery-attempts.ts";
import type { AddressSettings, MessengerChannel } from "../domain/people/messengers.ts";
import type { Sent } from "./channel.ts";

/** One value of an address, as a person enters it. */
export type AddressField = {
  readonly key: string;
  readonly label: string;
  readonly help?: string;
  readonly required: boolean;
  /** Never shown again once stored. */
  readonly secret?: true;
  /** A URL that we call: validated against internal hosts. */
  readonly url?: true;
  /** Used if the person leaves it empty. */
  readonly initial?: string;
  /** What the value must match, and the error, to follow the field's name, if it does not. */
  readonly format?: { readonly pattern: RegExp; readonly fault: string };
};

/** A message as messengers send it: plain text, of any length, without control characters. */
export type MessengerContent = {
  /** The id of the notification, as the idempotency key. */
  readonly id: string;
  readonly accountUserId: string;
  /** When the message was decided (epoch ms). */
  readonly at: number;
  /** `test`: the code that proves an address. */
  readonly event: PageEvent | "test";
  /** One line. */
  readonly title: string;
  /** Empty if the title says everything. */
  readonly body: string;
  /** The page to open or respond; null if the deployment has no links. */
  readonly url: string | null;
  /** Null for a message that is not about an alert. */
  readonly urgency: AlertUrgency | null;
  /** The `prefix_id` of the alert; null for a bundle and for other messages. */
  readonly alertId: string | null;
  /** Its ULID, for buttons that name it. */
  readonly recordId: string | null;
  /** Whether the person is asked to answer this one alert. */
  readonly asks: boolean;
  /** When the person is no longer asked (epoch ms); null: it is not known. */
  readonly until: number | null;
  /** The URL that the provider calls back; null without one. */
  readonly callbackUrl: string | null;
  /** The URL that Twilio's delivery reports come to; null without one. */
  readonly statusUrl: string | null;
};

export type ProviderRequest = {
  readonly method: "POST" | "PUT";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type ProviderAnswer = {
  readonly status: number;
  readonly retryAfter: string | null;
  /** The parsed JSON; null if it is none. */
  readonly body: unknown;
};

/** The texts that replace the buttons of a message once it is answered. */
export type Closing = {
  readonly title: string;
  /** `Acknowledged`, `Resolved` and so on. */
  readonly outcome: string;
};

/** To whom an address belongs. */
export type Addressee = { readonly accountId: string; readonly accountUserId: string };

/** `permanent`: not before somebody changes something. */
export type FurtherSettings =
  | { readonly kind: "settings"; readonly settings: AddressSettings }
  | { readonly kind: "permanent" | "temporary"; readonly reason: string };

/** An enabled app of an account in a chat, and who it writes to there. */
export type ChatReceiver = {
  readonly userId: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
};

/** What is stored of the apps of a person's account. */
export type ChatApps = {
  /** The secrets of the oldest enabled app of an integration type that has the secret `key`; null without one. */
  readonly readSecrets: (
    type: string,
    key: string,
  ) => Promise<Readonly<Record<string, string>> | null>;
  /** The person's oldest Teams account with its tenant's bot; null without one. */
  readonly readTeamsReceiver: () => Promise<ChatReceiver | null>;
};

export type Messenger = {
  readonly channel: MessengerChannel;
  /** The product's name. */
  readonly title: string;
  /** What a person needs, in one or two sentences. */
  readonly about: string;
  readonly fields: readonly AddressField[];
  /** `code`: by six digits sent to the address. `link`: by following a link to the provider. */
  readonly proof: "code" | "link";
  readonly isSetUp: (env: Cloudflare.Env) => boolean;
  /** The integration type by which the account's own app writes: without one, it reaches nobody. */
  readonly appType?: string;
  /**
   * Obtains what sending needs beside the address' own settings and is the account's or the person's. Unset
   * if the deployment has it all.
   */
  readonly furtherSettings?: (env: Cloudflare.Env, apps: ChatApps) => Promise<FurtherSettings>;
  /** The path of the provider's callbacks, which a signed token follows. */
  readonly callbackPath?: string;
  /** Deterministic, so that a retry is identical. */
  readonly request: (
    env: Cloudflare.Env,
    settings: AddressSettings,
    content: MessengerContent,
  ) => ProviderRequest;
  readonly read: (answer: ProviderAnswer, now: number) => Sent;
  /** Forgets what a request was authorized with, which was answered by 401. Unset if it does not change. */
  readonly refused?: (request: ProviderRequest) => void;
  /** The request that ends a sent message because somebody has answered. */
  readonly close?: (
    env: Cloudflare.Env,
    settings: AddressSettings,
    providerId: string,
    closing: Closing,
  ) => ProviderRequest;
};

/** A JSON request. */
export function jsonRequest(
  method: ProviderRequest["method"],
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ProviderRequest {
  const json = { "Content-Type": "application/json; charset=utf-8" };
  return { method, url, headers: { ...json, ...headers }, body: JSON.stringify(body) };
}

const idText = (id: unknown): string | null =>
  typeof id === "string" || typeof id === "number" ? String(id).slice(0, 255) : null;

/**
 * Classifies an answer by its status: 2xx is sent; 408, 425, 429 and 5xx are temporary, not before
 * `Retry-After`; anything else is permanent.
 *
 * @param id the provider's id of the message
 * @param words what the provider documents for a status, without an address
 */
export function outcomeOf(
  title: string,
  { status, retryAfter }: ProviderAnswer,
  now: number,
  id: unknown,
  words: Readonly<Record<number, string>>,
): Sent {
  if (status >= 200 && status < 300) return { kind: "sent", providerId: idText(id) };
  const meaning = words[status];
  const reason = `${title} answered ${status}${meaning === undefined ? "" : `: ${meaning}`}`;
  const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500;
  if (!isTemporary) return { kind: "permanent", reason };
  const retryAfterMs = parseRetryAfter(retryAfter, now);
  return { kind: "temporary", reason, ...(retryAfterMs !== null && { retryAfterMs }) };
}
