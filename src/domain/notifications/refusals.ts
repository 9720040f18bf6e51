// What follows when a provider does not accept a message: the next provider, or the next channel.
// Pure.

export type ProviderRefusal =
  | { readonly kind: "temporary"; readonly reason: string; readonly retryAfterMs?: number }
  | {
      readonly kind: "permanent";
      readonly reason: string;
      /** Set if no other provider would deliver to this address either. */
      readonly isRecipientAtFault?: true;
      /** The provider refuses the number until its owner unblocks or changes it. */
      readonly isNumberBlocked?: true;
      /** The provider refused our credentials or our account, not the message. */
      readonly areCredentialsRefused?: true;
    };

/** Whether another provider may accept the message, whatever this one said. */
export const isForNextProvider = (refusal: ProviderRefusal): boolean =>
  refusal.kind === "temporary" || refusal.isRecipientAtFault !== true;

/**
 * The outcome when no provider accepted a message: temporary, and so tried again, if it was so at
 * one of them; permanent at once if the recipient is at fault.
 */
export function outcomeOfRefusals(refusals: readonly ProviderRefusal[]): ProviderRefusal {
  const atRecipient = refusals.find((it) => !isForNextProvider(it));
  if (atRecipient !== undefined) return { kind: "permanent", reason: atRecipient.reason };
  const reason = refusals.map((it) => it.reason).join("; ") || "no provider is configured";
  const pauses = refusals.flatMap((it) => (it.kind === "temporary" ? [it.retryAfterMs ?? 0] : []));
  if (pauses.length === 0) {
    const areRefused = refusals.some((it) => it.kind === "permanent" && it.areCredentialsRefused);
    return { kind: "permanent", reason, ...(areRefused && { areCredentialsRefused: true }) };
  }
  const retryAfterMs = Math.min(...pauses);
  return { kind: "temporary", reason, ...(retryAfterMs > 0 && { retryAfterMs }) };
}
