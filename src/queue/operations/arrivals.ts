// What ends in the queue's consumer without a provider: probes, and the canary's messages. Both are
// reported to the operations object.
import type { Sent } from "../../channels/channel.ts";
import type { ChannelMessage } from "../../domain/alerts/notifications/page.ts";
import type { ProbeMessage } from "../../domain/operations/probe.ts";
import { operationsObject } from "../../objects/shared/stubs.ts";

/** Reports a probe's arrival. Never throws: a probe that is not reported counts as lost. */
export async function reportProbe({ probe }: ProbeMessage, env: Cloudflare.Env): Promise<void> {
  await operationsObject(env)
    .probeArrived(probe.id)
    .catch((error: unknown) => logFailure("a probe", error));
}

/** Reports the arrival of a canary event's message in place of sending it. Never throws. */
export async function reportCanary({ alert }: ChannelMessage, env: Cloudflare.Env): Promise<Sent> {
  try {
    await operationsObject(env).canaryArrived(alert?.title ?? "");
  } catch (error) {
    logFailure("a canary event", error);
  }
  return { kind: "sent", providerId: null };
}

const logFailure = (what: string, error: unknown) =>
  console.error({ message: `${what} could not be reported`, error: String(error).slice(0, 200) });
