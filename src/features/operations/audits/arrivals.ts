// Probes end in the queue's consumer, which reports them to the operations object.

import type { ProbeMessage } from "../../../domain/operations/probe.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { configuredProviders, proveProviders } from "../../people/channels/configured-providers.ts";
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

const logFailure = (what: string, error: unknown) =>
  logFault(`${what} could not be reported`, error);
