// Has each provider send an SMS to the deployment's second number, notes arrivals, and counts losses.
import {
  isNewlyLost,
  isProofDue,
  isProofText,
  isUnproven,
  proofIntervalMs,
  proofNumber,
  type SmsProof,
} from "../../../domain/operations/sms-proof.ts";
import { type PhoneProviderName, phoneProvidersOf } from "../../../domain/people/phone-provider.ts";
import { tagged } from "../../../domain/shared/message-versions.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import type { OperationsStorage } from "./operations-state.ts";

export class SmsProofRun {
  readonly #env: Cloudflare.Env;
  readonly #storage: OperationsStorage;

  constructor(env: Cloudflare.Env, storage: OperationsStorage) {
    this.#env = env;
    this.#storage = storage;
  }

  /** Sends what is due. Never throws. `now` in epoch ms. */
  async send(now: number): Promise<void> {
    if (proofNumber(this.#env.SMS_PROOF_NUMBER) === null) return;
    const interval = proofIntervalMs(this.#env.SMS_PROOF_MINUTES);
    const { smsProofs } = this.#storage.audit;
    for (const name of phoneProvidersOf(this.#env, "sms")) {
      const earlier = smsProofs[name];
      if (!isProofDue(earlier, now, interval)) continue;
      const code = crypto.randomUUID().slice(0, 8).toUpperCase();
      const isAfterLoss = earlier !== undefined && isUnproven(earlier, now);
      // Stored first: it may arrive at once.
      this.#set(name, { code, sentAt: Date.now(), arrivedAt: null, isLost: false, isAfterLoss });
      this.#count(name, "sent");
      await this.#env.PAGES.send(tagged({ smsProof: { provider: name, code } })).catch(() =>
        console.error({ message: "the queue takes no message" }),
      );
    }
  }

  /** Notes that a provider did not take an SMS. */
  refused(name: PhoneProviderName, code: string): void {
    const proof = this.#storage.audit.smsProofs[name];
    if (proof?.code !== code || proof.arrivedAt !== null || proof.isLost) return;
    this.#set(name, { ...proof, isLost: true });
    this.#count(name, "refused");
  }

  /** Notes the arrival of an SMS at the second number. */
  arrived(text: string): void {
    const now = Date.now();
    for (const [name, proof] of this.#all()) {
      if (proof.arrivedAt !== null || !isProofText(proof, text)) continue;
      this.#set(name, { ...proof, arrivedAt: now });
      const seconds = Math.max(0, now - proof.sentAt) / SECOND;
      this.#storage.counts.observe("tocsin_sms_proof_seconds", { provider: name }, seconds);
      this.#count(name, "arrived");
    }
  }

  /** Counts those that should have arrived as lost, once. */
  countLosses(now: number): void {
    for (const [name, proof] of this.#all()) {
      if (!isNewlyLost(proof, now)) continue;
      this.#set(name, { ...proof, isLost: true });
      this.#count(name, "lost");
    }
  }

  #all(): (readonly [PhoneProviderName, SmsProof])[] {
    return Object.entries(this.#storage.audit.smsProofs) as [PhoneProviderName, SmsProof][];
  }

  #set(name: PhoneProviderName, proof: SmsProof): void {
    const { smsProofs } = this.#storage.audit;
    this.#storage.change({ smsProofs: { ...smsProofs, [name]: proof } });
  }

  #count(provider: PhoneProviderName, outcome: "sent" | "arrived" | "lost" | "refused"): void {
    this.#storage.counts.count("tocsin_sms_proof_total", { provider, outcome });
    this.#storage.record({});
  }
}
