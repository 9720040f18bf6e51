// Waits for the end of all work, where nothing is killed any more.
import type { Target } from "./load.ts";
import { countWaiting, inDatabase } from "./remains.ts";

/** Without progress for this long (ms), something is stuck: longer than any lease or pause. */
const STALLED_MS = 90_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** What is not finished: alerts with a next step, and notifications that are neither sent nor given up. */
const UNFINISHED = `select (select count(*) from alerts where status in ('open', 'queued')) as alerts,
  (select count(*) from notifications where status = 'queued') as notifications,
  (select count(*) from notifications) as total`;

/**
 * Waits until nothing is open, every mail is sent and nothing waits in an object, or progress stops.
 * A page whose queue was killed with it waits in its outbox for up to a minute, and its alert may
 * have ended meanwhile: the database alone does not say so.
 *
 * @param state the folder of the running worker's storage
 * @param target a worker whose cron runs only on request, as in `wrangler dev`
 * @param hasty waits for the alerts alone
 */
export async function waitUntilSettled(
  state: string,
  target?: Target,
  hasty = false,
): Promise<void> {
  let [quiet, progressAt, before] = [0, Date.now(), ""];
  while (quiet < 3 && Date.now() < progressAt + STALLED_MS) {
    await pause(hasty ? 300 : 1_000);
    if (target) await fetch(`${target.url()}/cdn-cgi/handler/scheduled`).catch(() => null);
    const [counts = {}] = inDatabase(state, UNFINISHED);
    const isStored = counts.alerts === 0 && (hasty || counts.notifications === 0);
    // Opens the file of each object: only once the database is quiet.
    const waiting = isStored && !hasty ? countWaiting(state) : 0;
    const now = JSON.stringify(hasty ? counts.alerts : { ...counts, waiting });
    if (now !== before) progressAt = Date.now();
    quiet = isStored && waiting === 0 && now === before ? quiet + 1 : 0;
    before = now;
  }
  // Time for the last page's confirmation and the last logs.
  await pause(3_000);
}
