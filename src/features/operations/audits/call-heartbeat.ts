// Calls the outside heartbeat URL: whoever watches it notices when the calls stop.
import { SECOND } from "../../../domain/shared/time.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";

const TIMEOUT_MS = 10 * SECOND;

/** Calls the URL by GET. Returns whether it answered with success. Never throws or logs the URL. */
export async function callHeartbeat(url: string): Promise<boolean> {
  try {
    const response = await withTimeout(TIMEOUT_MS, fetch(url, { redirect: "manual" }));
    await response.body?.cancel();
    if (response.ok) return true;
    console.error({ message: "the heartbeat URL refused a call", status: response.status });
  } catch {
    console.error({ message: "the heartbeat URL could not be reached" });
  }
  return false;
}
