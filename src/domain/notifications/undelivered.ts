// Queue messages about messages that a provider had accepted: it reported that one was not
// delivered; or it is time to see whether it reported anything. Pure.
import type { Channel } from "../people/contact.ts";
import type { ReportedChannel } from "./delivery-deadline.ts";

export type UndeliveredMessage = {
  readonly accountId: string;
  readonly undelivered: {
    readonly accountUserId: string;
    readonly channel: Channel;
    /** The notifications of one message; a bundle has several. */
    readonly notificationIds: readonly string[];
    /** As text, without an address. */
    readonly reason: string;
    /** When it was reported (epoch ms). */
    readonly at: number;
    /** Whether another provider may reach the same address. */
    readonly isProviderAtFault?: boolean;
  };
};

/** Sent with a delay of `seconds`. */
export type UnconfirmedMessage = {
  readonly accountId: string;
  readonly unconfirmed: {
    readonly accountUserId: string;
    readonly channel: ReportedChannel;
    /** The notifications of one message; a bundle has several. */
    readonly notificationIds: readonly string[];
    readonly seconds: number;
  };
};

/** Whether a queue message is a valid undelivered message. */
export function isUndeliveredMessage(body: unknown): body is UndeliveredMessage {
  const message = body as Partial<UndeliveredMessage> | null | undefined;
  const { accountUserId, channel, notificationIds, reason, at } = message?.undelivered ?? {};
  const texts = [message?.accountId, accountUserId, channel, reason];
  const isWhole = Array.isArray(notificationIds) && Number.isFinite(at);
  return isWhole && texts.every((it) => typeof it === "string");
}

/** Whether a queue message is a valid unconfirmed message. */
export function isUnconfirmedMessage(body: unknown): body is UnconfirmedMessage {
  const message = body as Partial<UnconfirmedMessage> | null | undefined;
  const { accountUserId, channel, notificationIds, seconds } = message?.unconfirmed ?? {};
  const isWhole = Array.isArray(notificationIds) && Number.isFinite(seconds);
  return (
    isWhole && [message?.accountId, accountUserId, channel].every((it) => typeof it === "string")
  );
}
