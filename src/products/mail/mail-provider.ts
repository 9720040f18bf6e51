// The interface of a provider of mail: one file per provider implements it.

import type { NotificationKey } from "../../domain/notifications/page.ts";
import type { Proof } from "../../domain/operations/provider-health.ts";
import { type MailProviderName, mailProvidersOf } from "../../domain/people/mail-provider.ts";
import { hasLinks } from "../../kernel/links.ts";
import type { CallbackRequest, ProviderReport } from "../callback.ts";
import type { Sent } from "../channel.ts";

/** A rendered mail. `headers` contains only headers that every provider accepts. */
export type Letter = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type OutgoingMail = {
  readonly letter: Letter;
  /** The same for every attempt of the same mail. */
  readonly id: string;
  /** Gets the delivery reports; null: none. */
  readonly notification: NotificationKey | null;
  readonly timeoutMs: number;
};

/** A delivery report, with the notification that it is about. */
export type MailReport = ProviderReport & { readonly notification: NotificationKey };

export type MailProvider = {
  readonly name: MailProviderName;
  /** The name as people know it. */
  readonly title: string;
  /** Sends a mail. Never throws. */
  readonly send: (env: Cloudflare.Env, mail: OutgoingMail) => Promise<Sent>;
  /** Asks for something cheap that proves our credentials and credit. Unset: it has nothing to ask. */
  readonly prove?: (env: Cloudflare.Env, timeoutMs: number) => Promise<Proof>;
  /** Whether its callbacks can be verified; otherwise their paths answer 404. */
  readonly canVerify: (env: Cloudflare.Env) => boolean;
  /** Whether the provider has signed a callback. Never throws. */
  readonly isSigned: (env: Cloudflare.Env, request: CallbackRequest) => Promise<boolean>;
  /** Parses the body of a callback; null if it is not about the delivery of a notification. */
  readonly readReport: (body: string) => MailReport | null;
  /** What a callback may be used for once; absent where the signature covers the body. */
  readonly claimOf?: (body: string) => string;
};

/** Whether this deployment sends mail. */
export const isMailSetUp = (env: Cloudflare.Env): boolean =>
  mailProvidersOf(env, env.EMAIL !== undefined).length > 0;

/** Whether it can send signed links to its public URL by mail. */
export const canSendLinks = (env: Cloudflare.Env): boolean => hasLinks(env) && isMailSetUp(env);

/** The name of the sender. */
export const SENDER_NAME = "Tocsin";

/** The domain of our `Message-ID`s. */
export const mailDomain = (env: Cloudflare.Env): string => env.EMAIL_FROM.split("@")[1] ?? "tocsin";

/** The notification as one text of letters, digits and dashes. */
export const notificationTag = ({ accountId, accountUserId, id }: NotificationKey): string =>
  `${accountId}-${accountUserId}-${id}`;

/** Parses the text again; null for any other. */
export function readNotificationTag(tag: unknown): NotificationKey | null {
  const match = /^(\w{1,40})-(\w{1,40})-(\w{1,40})$/.exec(typeof tag === "string" ? tag : "");
  const [, accountId = "", accountUserId = "", id = ""] = match ?? [];
  return match && { accountId, accountUserId, id };
}
