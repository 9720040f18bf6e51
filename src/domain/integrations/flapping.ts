// What `pause_for` and `reopen_within` would have changed for past alerts of an integration. Pure.

export type PastAlert = {
  readonly id: string;
  readonly thirdpartyId: string | null;
  /** Epoch ms. */
  readonly createdAt: number;
  /** When it ended without a person (epoch ms); null if a person resolved it, or nobody. */
  readonly healedAt: number | null;
  /** Its sender resolved it: not a timer. */
  readonly isResolvedBySender: boolean;
  /** The account user who acknowledged it last. */
  readonly acknowledgedBy: string | null;
};

export type Effect =
  | { readonly option: "pause_for"; readonly alertId: string }
  | {
      readonly option: "reopen_within";
      readonly alertId: string;
      /** The alert that it would have continued. */
      readonly continuesId: string;
      /** Who would have been notified first, alone; null: the layers as usual. */
      readonly firstId: string | null;
    };

/** The latest alert of an `Id`, as it would have been. */
type Latest = {
  readonly id: string;
  readonly resolvedAt: number | null;
  readonly acknowledgedBy: string | null;
  readonly isNotified: boolean;
};

/**
 * The alerts that would have notified nobody, or continued another one.
 *
 * @param alerts in the order of their creation
 * @param pauseMs, reopenMs the options in ms; 0: off
 */
export function replayPast(
  alerts: readonly PastAlert[],
  { pauseMs, reopenMs }: { readonly pauseMs: number; readonly reopenMs: number },
): readonly Effect[] {
  const latest = new Map<string, Latest>();
  return alerts.flatMap((alert): Effect[] => {
    const { id, thirdpartyId, createdAt, healedAt } = alert;
    const before = thirdpartyId === null ? undefined : latest.get(thirdpartyId);
    const resolvedAt = before?.resolvedAt ?? Number.NEGATIVE_INFINITY;
    const continues = before !== undefined && createdAt < resolvedAt + reopenMs;
    const isAsked = continues && before.isNotified;
    const isPaused = !isAsked && healedAt !== null && healedAt < createdAt + pauseMs;
    if (thirdpartyId !== null) {
      latest.set(thirdpartyId, {
        id: continues ? before.id : id,
        resolvedAt: alert.isResolvedBySender ? healedAt : null,
        // Who was asked again and did not answer has not acknowledged it.
        acknowledgedBy: alert.acknowledgedBy,
        isNotified: !isPaused,
      });
    }
    if (isPaused) return [{ option: "pause_for", alertId: id }];
    if (!continues) return [];
    const firstId = isAsked ? before.acknowledgedBy : null;
    return [{ option: "reopen_within", alertId: id, continuesId: before.id, firstId }];
  });
}
