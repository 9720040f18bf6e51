// Waits for the end of all work, where nothing is killed any more.
import { api, countNotifications, type Target } from "./load.ts";

/** The counts of a request that failed. */
const FAILED = { queued: -1, sent: -1 };
/** Without progress for this long (ms), something is stuck. */
const STALLED_MS = 90_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Waits until nothing is open and every mail is sent, or progress stops. */
export async function waitUntilSettled(target: Target): Promise<void> {
  let [quiet, progressAt, before] = [0, Date.now(), ""];
  while (quiet < 3 && Date.now() < progressAt + STALLED_MS) {
    await pause(500);
    await fetch(`${target.url()}/cdn-cgi/handler/scheduled`).catch(() => null);
    const paths = ["/alerts?status=open", "/alerts?status=queued"];
    const lists = await Promise.all(paths.map((path) => api(target, path).catch(() => null)));
    const { queued = 0, sent = 0 } = await countNotifications(target).catch(() => FAILED);
    const waiting = [...lists.map((it) => Number(it?.total_count ?? -1)), queued];
    const counts = String([...waiting, sent]);
    if (counts !== before) progressAt = Date.now();
    quiet = counts === before && waiting.every((it) => it === 0) ? quiet + 1 : 0;
    before = counts;
  }
  // Time for the last page's confirmation and the last logs.
  await pause(3_000);
}
