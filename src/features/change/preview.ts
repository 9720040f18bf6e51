// Previews of changes: the verb reads, checks and decides as it does to write, so that a preview
// shows exactly what would happen.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { type Decided, isWritten } from "./change.ts";
import type { Context } from "./context.ts";

/**
 * Runs a verb and previews its change. Nothing is written.
 *
 * @returns the preview as answers show it, or the verb's refusal
 */
export async function preview(
  context: Context,
  verb: () => Promise<Decided<unknown>>,
): Promise<unknown | Refusal> {
  const decided = await verb();
  if (isRefusal(decided)) return decided;
  const change = isWritten(decided) ? decided : null;
  const effect = decided.effect ? await decided.effect() : change?.onCall;
  if (!effect) throw new Error("the verb has no preview");
  return effect.preview(context, change ?? {});
}
