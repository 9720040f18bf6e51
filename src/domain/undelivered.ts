// The queue's message that what a provider took has not arrived after all. Pure.
import type { Channel } from "./contact.ts";

export type UndeliveredMessage = {
  readonly accountId: string;
  readonly undelivered: {
    readonly accountUserId: string;
    readonly channel: Channel;
    /** Of one message: a bundle has several. */
    readonly notificationIds: readonly string[];
    /** In words; names no address. */
    readonly reason: string;
    /** When it was reported (epoch ms). */
    readonly at: number;
  };
};

export function isUndeliveredMessage(body: unknown): body is UndeliveredMessage {
  const given = body as Partial<UndeliveredMessage> | null | undefined;
  const { accountUserId, channel, notificationIds, reason, at } = given?.undelivered ?? {};
  const texts = [given?.accountId, accountUserId, channel, reason];
  const isWhole = Array.isArray(notificationIds) && Number.isFinite(at);
  return isWhole && texts.every((it) => typeof it === "string");
}
