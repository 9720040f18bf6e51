// Notifies open consoles of what belongs to an alert and is no step of it: comments, and what became
// of notifications.
import type { WatchedAlert } from "../../db/alerts/live/watched-account-rows.ts";
import { liveObject } from "../../objects/shared/stubs.ts";

/** Never throws, and is not retried: consoles refresh in any case, later. */
export async function notifyWatchers(
  env: Cloudflare.Env,
  watched: readonly WatchedAlert[],
): Promise<void> {
  await Promise.all(
    watched.map(({ accountId, alertId }) =>
      liveObject(env, accountId)
        .changed({ id: alertId, version: null })
        .catch((error: unknown) => {
          const reason = String(error).slice(0, 200);
          console.warn({ message: "open consoles could not be notified", error: reason });
        }),
    ),
  );
}
