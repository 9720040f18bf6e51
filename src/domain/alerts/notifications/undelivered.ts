// Queue message: a provider reported that a message it had accepted was not delivered. Pure.
import type { Channel } from "../../people/contact.ts";

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
