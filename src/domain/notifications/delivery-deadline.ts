// How long a delivery report may take before a message counts as not delivered. Pure.

import { providerOf } from "./provider-id.ts";
import type { ProviderOutcome } from "./provider-order.ts";

type Setting = string | undefined;

export type DeadlineSettings = {
  readonly SMS_UNDELIVERED_SECONDS?: Setting;
  readonly VOICE_UNDELIVERED_SECONDS?: Setting;
  readonly EMAIL_UNDELIVERED_SECONDS?: Setting;
};

/** The channels whose providers report deliveries. */
export type ReportedChannel = "sms" | "voice" | "email";

const VARIABLES: Record<ReportedChannel, keyof DeadlineSettings> = {
  sms: "SMS_UNDELIVERED_SECONDS",
  voice: "VOICE_UNDELIVERED_SECONDS",
  email: "EMAIL_UNDELIVERED_SECONDS",
};

/** Longer than a queue can delay a message (seconds). */
const TOO_LONG = 12 * 3600;

/** The deadline of a channel's delivery reports (seconds after sending); null: none. */
export function deliveryDeadline(
  settings: DeadlineSettings,
  channel: ReportedChannel,
): number | null {
  const seconds = Number(settings[VARIABLES[channel]] || "off");
  return seconds >= 1 && seconds < TOO_LONG ? Math.floor(seconds) : null;
}

/** A notification as far as it says something of its provider. Times in epoch ms. */
export type RecordedDelivery = {
  readonly accountUserId: string;
  readonly channel: ReportedChannel;
  readonly status: string;
  readonly providerId: string | null;
  readonly reason: string | null;
  readonly sentAt: number | null;
  readonly deliveredAt: number | null;
  readonly failedAt: number | null;
};

/** How the reason of a notification without a delivery report begins. */
export const UNCONFIRMED = "no delivery report within ";

/** The reason of a notification without a delivery report in time. */
export const unconfirmedReason = (seconds: number): string => `${UNCONFIRMED}${seconds} seconds`;

/**
 * What a notification says of its provider; null if nothing yet, or it was never accepted.
 *
 * @param deadlineSeconds null: reports are not waited for
 */
export function outcomeOf(
  row: RecordedDelivery,
  deadlineSeconds: number | null,
  now: number,
): ProviderOutcome | null {
  const { channel, status, sentAt, deliveredAt, failedAt, accountUserId } = row;
  const provider = providerOf(channel, row.providerId);
  if (provider === null || sentAt === null) return null;
  if (status === "delivered" && deliveredAt !== null) {
    const latencyMs = Math.max(0, deliveredAt - sentAt);
    return { provider, at: deliveredAt, kind: "delivered", latencyMs };
  }
  if (status === "failed" && failedAt !== null) {
    return row.reason?.startsWith(UNCONFIRMED)
      ? { provider, at: failedAt, kind: "unconfirmed" }
      : { provider, at: failedAt, kind: "undelivered", recipient: accountUserId };
  }
  if (status !== "sent" || deadlineSeconds === null) return null;
  const dueAt = sentAt + deadlineSeconds * 1000;
  return dueAt > now ? null : { provider, at: dueAt, kind: "unconfirmed" };
}
