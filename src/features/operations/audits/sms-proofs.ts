// Sends the SMS to our own number, as any page is sent: by the consumer.
import { proofNumber, proofText } from "../../../domain/operations/sms-proof.ts";
import type { SmsProofMessage } from "../../../domain/operations/sms-proof-message.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { countAnswer } from "../../people/channels/fail-over.ts";
import { phoneProviders } from "../../people/channels/phone-providers.ts";
import { operationsObject } from "../../stubs.ts";

const TIMEOUT_MS = 10 * SECOND;

/** Sends it once, and reports a refusal. Never throws: one that is not sent does not arrive, which is noticed. */
export async function sendSmsProof(
  { smsProof: { provider: name, code } }: SmsProofMessage,
  env: Cloudflare.Env,
): Promise<void> {
  const to = proofNumber(env.SMS_PROOF_NUMBER);
  const provider = phoneProviders(env, "sms").find((it) => it.name === name);
  if (to === null || provider === undefined) return;
  const message = { to, text: proofText(code), statusUrl: null, timeoutMs: TIMEOUT_MS };
  const givenAt = Date.now();
  const sent = await provider.sendSms(env, message);
  countAnswer("sms", name, sent, givenAt);
  if (sent.kind === "sent") return;
  try {
    await operationsObject(env).smsProofRefused(name, code);
  } catch (error) {
    logFault("a refused SMS could not be reported", error);
  }
}
