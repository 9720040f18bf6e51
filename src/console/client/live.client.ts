// Live updates: pages that show alerts are refreshed when an alert changes. Without a connection
// they poll.
import { LiveRegion } from "./region.client.ts";

// The WebSocket on which the server says which alerts have changed. Reconnects with back-off; a
// connection that answers no ping is closed.

/**
 * A message of the server: alerts that changed, or that the page may be outdated. Without a version
 * only the comments or notifications of an alert changed.
 */
type LiveMessage = {
  readonly refresh?: boolean;
  readonly changes?: readonly { readonly id: string; readonly version: number | null }[];
};

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const PING_EVERY_MS = 30_000;
const PONG_TIMEOUT_MS = 10_000;

/** The close code of a session that has ended: connecting again is of no use. */
const SESSION_ENDED = 4401;

export class LiveSocket {
  readonly #since: () => number;
  readonly #receive: (message: LiveMessage) => void;
  #socket: WebSocket | null = null;
  #failures = 0;
  #isEnded = false;
  #retry: number | undefined;
  #ping: number | undefined;
  #deadline: number | undefined;

  /** @param since when the content that the page shows was rendered (epoch ms) */
  constructor(since: () => number, receive: (message: LiveMessage) => void) {
    this.#since = since;
    this.#receive = receive;
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  connect(): void {
    if (this.#socket !== null || this.#isEnded) return;
    clearTimeout(this.#retry);
    const url = new URL(`/live?since=${this.#since()}`, window.location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#onText(String(data)));
    socket.addEventListener("open", () => {
      this.#ping = window.setInterval(() => this.#probe(socket), PING_EVERY_MS);
    });
    socket.addEventListener("close", ({ code }) => {
      if (this.#socket === socket) this.#onClose(code);
    });
  }

  /** Connects, or finds out whether the connection survived a time without network. */
  check(): void {
    if (this.#socket !== null && this.isConnected) this.#probe(this.#socket);
    else this.connect();
  }

  /** Closes it without connecting again: the page is left, and may be restored by "back". */
  close(): void {
    const socket = this.#socket;
    this.#forget();
    socket?.close();
  }

  #onText(text: string): void {
    clearTimeout(this.#deadline);
    this.#failures = 0;
    if (text !== "pong") this.#receive(JSON.parse(text) as LiveMessage);
  }

  #probe(socket: WebSocket): void {
    socket.send("ping");
    clearTimeout(this.#deadline);
    this.#deadline = window.setTimeout(() => {
      // A dead connection may take minutes to close: it is given up at once.
      if (this.#socket !== socket) return;
      socket.close();
      this.#onClose(0);
    }, PONG_TIMEOUT_MS);
  }

  #onClose(code: number): void {
    this.#forget();
    this.#isEnded = code === SESSION_ENDED;
    if (this.#isEnded) {
      this.#receive({ refresh: true });
      return;
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS);
    this.#failures += 1;
    // At random, since a deployment closes the sockets of all consoles at once.
    this.#retry = window.setTimeout(() => this.connect(), pause * (0.5 + Math.random()));
  }

  #forget(): void {
    this.#socket = null;
    clearInterval(this.#ping);
    clearTimeout(this.#deadline);
    clearTimeout(this.#retry);
  }
}

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
  const receive = ({ refresh = false, changes: all = [] }: LiveMessage) => {
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
