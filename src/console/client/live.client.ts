// Live updates: pages that show alerts are refreshed when an alert changes. Without a connection
// they poll.
import { LiveRegion } from "./region.client.ts";
import { LiveSocket, type Message } from "./socket.client.ts";

/** How soon a page of one alert reflects changes of others: the count in its title (ms). */
const OTHERS_MS = 5_000;

/** Connects a page that shows alerts; null on other pages. */
export function watchAlerts(onRefresh: () => void): LiveRegion | null {
  const region = new LiveRegion(() => socket.isConnected, onRefresh);
  const socket = new LiveSocket(
    () => region.shownAt,
    (message) => receive(message),
  );
  let later: number | undefined;
  const receive = ({ refresh = false, changes: all = [] }: Message) => {
    const { alertId } = region;
    // Comments and notifications are only on the page of their alert.
    const changes = all.filter(({ id, version }) => version !== null || id === alertId);
    if (refresh || changes.some(({ id }) => alertId === null || id === alertId)) {
      clearTimeout(later);
      later = undefined;
      void region.refresh();
    } else if (changes.length > 0) {
      later ??= window.setTimeout(() => {
        later = undefined;
        void region.refresh();
      }, OTHERS_MS);
    }
  };
  if (region.element === null) return null;
  socket.connect();
  window.addEventListener("online", () => {
    socket.check();
    region.retry();
  });
  window.addEventListener("pageshow", () => socket.connect());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") socket.check();
  });
  window.addEventListener("pagehide", () => socket.close());
  return region;
}
