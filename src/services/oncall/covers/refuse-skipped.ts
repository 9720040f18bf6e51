// An override that a rotation made because it skips who is unavailable would be made again at once:
// it cannot be deleted, only changed, overridden, or undone by changing the unavailability.
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";

const SKIPPED = refuse(
  "conflict",
  "the rotation skips who is unavailable; change the unavailability, or override the shift",
);

type StoredOverride = {
  readonly absentAccountUserId?: string | null;
  /** Epoch ms. */
  readonly endAt: number;
};

/** The refusal of a deletion; null if the event is not such an override, or has ended at `now`. */
export const refuseSkipped = (event: StoredOverride, now: number): Refusal | null =>
  event.absentAccountUserId && event.endAt > now ? SKIPPED : null;
