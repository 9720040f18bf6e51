// Previews of changes. The verb runs as it would to write: reads, checks and decides. The commit
// answers with a preview in place of writing, so that a preview shows exactly what would happen.
import type { OnCallPreview } from "../oncall/on-call/contract.ts";

/** Leaves the verb in place of its commit. Nothing was written. */
export class Previewed extends Error {
  readonly preview: OnCallPreview;

  constructor(preview: OnCallPreview) {
    super("the change was previewed, not written");
    this.preview = preview;
  }
}

/**
 * Runs a verb whose context asks for a preview.
 *
 * @param unchanged the preview if the verb commits nothing
 * @returns the preview, or the verb's refusal
 */
export async function runPreview<Result, Refused extends Result>(
  verb: () => Promise<Result>,
  isRefused: (result: Result) => result is Refused,
  unchanged: OnCallPreview,
): Promise<OnCallPreview | Refused> {
  try {
    const result = await verb();
    return isRefused(result) ? result : unchanged;
  } catch (error) {
    if (error instanceof Previewed) return error.preview;
    throw error;
  }
}
