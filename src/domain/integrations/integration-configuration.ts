// The configuration an integration's inbox needs: a copy, pushed by every write to the integration.
import type { AlertUrgency } from "../alerts/alert.ts";

/** A rotated secret that is still accepted until `until` (epoch ms). */
export type PreviousSecret = { readonly sha256: string | null; readonly until: number };

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
  /** SHA-256 of the token, hexadecimal; null = no token is required. */
  readonly tokenSha256: string | null;
  /** Secret options whose value is stored, by key: those used to verify signatures. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The key for senders that accept only a key, not a URL. */
  readonly intakeKey: string;
  /** The previous token while it is still accepted; `sha256` null = none was required. */
  readonly previousToken?: PreviousSecret;
  /** The previous intake key while it is still accepted. */
  readonly previousIntakeKey?: PreviousSecret;
  // The next four are absent in what an older version stored, which accepted every id and method.
  /** Whether its id is enough to post to it: the integration's own setting and the account's. */
  readonly acceptsId?: boolean;
  /** Whether a GET creates and resolves alerts. */
  readonly acceptsGet?: boolean;
  /** The version of its address, and until when the one before it is accepted (epoch ms). */
  readonly addressVersion?: number;
  readonly previousAddressUntil?: number | null;
  readonly receivers: {
    readonly teamIds: readonly string[];
    readonly routerIds: readonly string[];
    readonly accountUserIds: readonly string[];
  };
  /** Windows that had not ended when read, ordered by start (epoch ms); `endAt` is exclusive. */
  readonly maintenanceWindows: readonly { readonly startAt: number; readonly endAt: number }[];
  /** When the inbox first received an event (epoch ms); null = never. */
  readonly receivedAt: number | null;
  /** Where its inbox is created, as in "weur"; null = where the deployment's objects are. */
  readonly region: string | null;
  /**
   * Last change, maintenance windows included (epoch ms): older copies never replace newer ones.
   */
  readonly updatedAt: number;
};
