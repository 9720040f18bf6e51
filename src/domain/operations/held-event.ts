// Whether a primary needs an event that its standby holds. Pure.

/** What the primary knows of an alert with an event's `Id`. Instants in epoch ms. */
export type KnownAlert = {
  readonly createdAt: number;
  /** Null: it is not resolved. */
  readonly resolvedAt: number | null;
};

/** An event that arrives this much later than its copy at the primary is a new one (ms). */
const APART_MS = 30_000;

/**
 * Whether the primary needs an event that the standby has held since `heldAt`: it does not have it, as far as
 * its alerts say. What opens an alert is needed unless one with its `Id` is open, or was when it came; what
 * ends or changes one only while the alert that it is about is.
 */
export function isNeeded(opens: boolean, heldAt: number, alerts: readonly KnownAlert[]): boolean {
  const isOpen = ({ resolvedAt }: KnownAlert) => resolvedAt === null;
  if (!opens) return alerts.some((it) => isOpen(it) && it.createdAt <= heldAt + APART_MS);
  return !alerts.some((it) => isOpen(it) || Number(it.resolvedAt) >= heldAt - APART_MS);
}
