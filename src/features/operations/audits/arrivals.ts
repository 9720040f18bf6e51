// What ends in the queue's consumer without a provider: probes, and the canary's messages. Both are
// reported to the operations object.

import type { ChannelMessage } from "../../../domain/notifications/page.ts";
import type { ProbeMessage } from "../../../domain/operations/probe.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import type { Sent } from "../../../products/channel.ts";
import {
  configuredProviders,
  proveProviders,
} from "../../notifications/channels/configured-providers.ts";
import { operationsObject } from "../../stubs.ts";

/** Reports a probe's arrival. Never throws: one that is not reported counts as lost. */
export async function reportProbe({ probe }: ProbeMessage, env: Cloudflare.Env): Promise<void> {
  try {
    await operationsObject(env).probeArrived(probe.id, configuredProviders(env));
  } catch (error) {
    logFailure("a probe", error);
  }
}

/**
 * Asks the providers of a probe, and reports their answers: apart from its message, so that no page
 * waits for them. Never throws: a provider without an answer is asked again.
 */
export async function reportProofs({ probe }: ProbeMessage, env: Cloudflare.Env): Promise<void> {
  try {
    const proofs = await proveProviders(env, probe.providers ?? []);
    if (proofs.size > 0) await operationsObject(env).providersProven(proofs);
  } catch (error) {
    logFailure("what providers proved", error);
  }
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
  logFault(`${what} could not be reported`, error);
