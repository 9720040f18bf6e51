// Queue message: a provider is to send an SMS to our own number. Pure.
import type { PhoneProviderName } from "../people/phone-provider.ts";

export type SmsProofMessage = {
  readonly smsProof: { readonly provider: PhoneProviderName; readonly code: string };
};

export function isSmsProofMessage(body: unknown): body is SmsProofMessage {
  const value = body as Partial<SmsProofMessage> | null | undefined;
  return typeof value?.smsProof?.code === "string";
}
