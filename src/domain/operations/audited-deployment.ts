// What the operations object says of the deployment that it audits, for those who run it. Instants in epoch ms.
import type { Breach } from "./invariants.ts";
import type { ChannelProviders, ProviderHealths } from "./provider-health.ts";

/** When something was last called, by the outcome. */
export type Heartbeats = Readonly<Partial<Record<"sent" | "failed" | "withheld", number>>>;

export type AuditedDeployment = {
  /** When the latest audit began; null before the first. */
  readonly auditedAt: number | null;
  readonly breaches: readonly Breach[];
  readonly heartbeats: Heartbeats;
  readonly providers: ProviderHealths;
  /** The channels with their providers; null: not known yet. */
  readonly channels: readonly ChannelProviders[] | null;
  /** As an audit last measured it; null: none could. */
  readonly database: { readonly bytes: number; readonly usedShare: number } | null;
};
