// What a preview says, as text: a confirmation is valid only for what was shown.
import { createHash } from "node:crypto";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";

/** A preview is at most this much later than the request (ms). */
const PREVIEW_MS = 60_000;

/**
 * Identifies what a previewed change does. Changes of a running shift begin, and lasting ones end, at
 * a time that depends on when the preview was made, which is another one at the confirmation.
 *
 * @param now when the request came (epoch ms)
 * @param further what the page shows beside who is on call
 */
export function previewedText(
  { schedules, window }: OnCallPreview,
  now: number,
  further: unknown = null,
): string {
  const shown = schedules.map(({ schedule_id, changes }) => [
    schedule_id,
    changes.map((it) => [
      Date.parse(it.start_time) <= now + PREVIEW_MS ? "now" : it.start_time,
      Date.parse(it.end_time) >= Date.parse(window.end) ? "on" : it.end_time,
      it.layer,
      it.account_user_ids_before,
      it.account_user_ids_after,
    ]),
  ]);
  return createHash("sha256")
    .update(JSON.stringify([further, shown]))
    .digest("hex");
}
