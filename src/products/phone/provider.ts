// The interface of a provider of SMS and calls. The channels and the callbacks know only this; one
// folder per provider implements it.
import type { Proof } from "../../domain/operations/provider-health.ts";
import type { PhoneProviderName } from "../../domain/people/phone-provider.ts";
import type { CallbackRequest, ProviderReport } from "../callback.ts";
import type { Sent } from "../channel.ts";

/** A step of a call, independent of the provider's language. */
export type CallStep =
  | { readonly kind: "pause"; readonly seconds: number }
  | { readonly kind: "say"; readonly text: string }
  /** Says the texts and takes one digit during or after them. */
  | { readonly kind: "ask"; readonly texts: readonly string[] };

export type CallScript = readonly CallStep[];

export type OutgoingSms = {
  readonly to: string;
  readonly text: string;
  /** Gets the delivery reports; null: none. */
  readonly statusUrl: string | null;
  readonly timeoutMs: number;
};

type OutgoingCall = {
  readonly to: string;
  readonly script: CallScript;
  /** Gets the digit pressed; null if the script asks for none. */
  readonly answerUrl: string | null;
  readonly statusUrl: string | null;
  readonly timeoutMs: number;
};

/** An SMS to one of our numbers. Numbers are in E.164. */
export type InboundSms = {
  /** The provider's id of it, the same whenever it is sent again. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
};

/** The answer to a call: its id, and the digit, empty if none was pressed. */
export type KeyPress = { readonly id: string; readonly digit: string };

export type PhoneProvider = {
  readonly name: PhoneProviderName;
  /** The name as people know it. */
  readonly title: string;
  /** Whether its callbacks can be verified; otherwise their paths answer 404. */
  readonly canVerify: (env: Cloudflare.Env) => boolean;
  /** Sends a message. Blocks a number that the provider refuses permanently. Never throws. */
  readonly sendSms: (env: Cloudflare.Env, sms: OutgoingSms) => Promise<Sent>;
  /** Makes a call. Never throws. */
  readonly call: (env: Cloudflare.Env, call: OutgoingCall) => Promise<Sent>;
  /** Ends a call, ringing or not; one that is over is refused permanently. Never throws. */
  readonly hangUp: (env: Cloudflare.Env, id: string, timeoutMs: number) => Promise<Sent>;
  /** Asks for something cheap that proves our credentials and credit. Never throws. */
  readonly prove: (env: Cloudflare.Env, timeoutMs: number) => Promise<Proof>;
  /** Whether the provider has signed a callback. Never throws. */
  readonly isSigned: (env: Cloudflare.Env, request: CallbackRequest) => Promise<boolean>;
  /** Parses the body of a delivery report; null if it is not about a delivery. */
  readonly readReport: (body: string) => ProviderReport | null;
  /** Parses the body of an inbound SMS; null if it is none, or has no id. */
  readonly readSms: (body: string) => InboundSms | null;
  /** What it sends and calls from: a number, a name that only sends, or empty. */
  readonly senderOf: (env: Cloudflare.Env) => string;
  /** Whether a number belongs to this deployment. */
  readonly isOwnNumber: (env: Cloudflare.Env, number: string) => boolean;
  /** Answers an inbound SMS, in the response or by a message of its own; null: without a reply. */
  readonly replyToSms: (
    env: Cloudflare.Env,
    sms: InboundSms,
    text: string | null,
  ) => Promise<Response>;
  /** Parses the body of the answer to a call. */
  readonly readKeyPress: (body: string) => KeyPress;
  /** The response that continues a call. */
  readonly continueCall: (script: CallScript, answerUrl: string | null) => Response;
};
