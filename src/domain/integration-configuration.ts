// What an integration's inbox has to know of it: a copy of the configuration, pushed by every write to it.
import type { AlertUrgency } from "./alert.ts";

/** A secret that was replaced, and until when it is accepted (epoch ms). */
export type Previous = { readonly sha256: string | null; readonly until: number };

export type IntegrationConfiguration = {
  readonly id: string;
  readonly prefixId: string;
  readonly accountId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly urgency: AlertUrgency;
  /** The type's snake_case name. */
  readonly integrationType: string;
  /** Options by key, secrets left out. */
  readonly options: Readonly<Record<string, unknown>>;
  /** SHA-256 of the token, hexadecimal; null = none is asked for. */
  readonly tokenSha256: string | null;
  /** Secret options whose value is kept, by key: those that signatures are checked with. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What a sender that can only be given a key has instead of the URL. */
  readonly intakeKey: string;
  /** The token before a rotation, while it is still accepted; `sha256` null = none was asked for. */
  readonly previousToken?: Previous;
  /** The intake key before a rotation. */
  readonly previousIntakeKey?: Previous;
  readonly receivers: {
    readonly teamIds: readonly string[];
    readonly routerIds: readonly string[];
    readonly accountUserIds: readonly string[];
  };
  /** Those not yet over when this was read, by start (epoch ms); half-open: `endAt` is no longer in it. */
  readonly maintenanceWindows: readonly { readonly startAt: number; readonly endAt: number }[];
  /** When the inbox first received something (epoch ms); null = never: configuration is not pushed to it. */
  readonly receivedAt: number | null;
  readonly region: string | null;
  /** Epoch ms of the last change, of its maintenance windows too: an older copy never replaces a newer one. */
  readonly updatedAt: number;
};
