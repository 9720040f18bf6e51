// Proof that SMS arrive: each provider of SMS sends a code to a second number of the deployment's own, and the
// callback of that number reports it. A provider that takes messages and delivers none is found before
// somebody waits for one. Pure.
import type { PhoneProviderName } from "../people/phone-provider.ts";
import { MINUTE } from "../shared/time.ts";
import { LATE_MS } from "./invariants.ts";

/** The latest SMS by a provider to our own number. Instants in epoch ms. */
export type SmsProof = {
  readonly code: string;
  readonly sentAt: number;
  /** When it arrived; null: not yet. */
  readonly arrivedAt: number | null;
  /** Whether it was counted as lost, or the provider did not take it. */
  readonly isLost: boolean;
  /** Whether the one before it did not arrive either. */
  readonly isAfterLoss: boolean;
};

export type SmsProofs = Readonly<Partial<Record<PhoneProviderName, SmsProof>>>;

const DEFAULT_MINUTES = 60;
/** Also how soon a lost one is repeated. */
const LEAST_MINUTES = 5;

/** How often each provider is proven (ms). `minutes`: the setting; what is no number is an hour. */
export function proofIntervalMs(minutes: string | undefined): number {
  const asked = Number(minutes || DEFAULT_MINUTES);
  return Math.max(LEAST_MINUTES, Number.isFinite(asked) ? asked : DEFAULT_MINUTES) * MINUTE;
}

/** The second number in E.164, however it is written in the setting; null: none. */
export function proofNumber(setting: string | undefined): string | null {
  const digits = (setting ?? "").replace(/\D/g, "");
  return digits === "" ? null : `+${digits}`;
}

/** What is sent. */
export const proofText = (code: string): string => `Tocsin checks that SMS arrive: ${code}`;

/** Whether an SMS is the proof's. Carriers and trial accounts add words before or after it. */
export const isProofText = ({ code }: SmsProof, text: string): boolean => text.includes(code);

const isProofLate = ({ arrivedAt, sentAt }: SmsProof, now: number): boolean =>
  arrivedAt === null && now - sentAt > LATE_MS.smsProof;

/** Whether it is to be counted as lost now. */
export const isNewlyLost = (proof: SmsProof, now: number): boolean =>
  !proof.isLost && isProofLate(proof, now);

/** Whether the provider's latest SMS did not arrive: until one does, the next one proves nothing. */
export const isUnproven = (proof: SmsProof, now: number): boolean =>
  proof.arrivedAt === null && (proof.isLost || proof.isAfterLoss || isProofLate(proof, now));

/** Whether the next one is due: a lost one is repeated soon. A time of sending in the future: the clock was set back. */
export function isProofDue(proof: SmsProof | undefined, now: number, intervalMs: number): boolean {
  if (proof === undefined || proof.sentAt > now) return true;
  const wait = isUnproven(proof, now) ? LEAST_MINUTES * MINUTE : intervalMs;
  return now - proof.sentAt >= wait;
}

/** The providers whose latest SMS did not arrive, of those in use. */
export const unprovenProviders = (
  proofs: SmsProofs,
  providers: readonly PhoneProviderName[],
  now: number,
): PhoneProviderName[] =>
  providers.filter((name) => {
    const proof = proofs[name];
    return proof !== undefined && isUnproven(proof, now);
  });
