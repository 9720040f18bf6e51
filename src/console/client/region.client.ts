// The part of a page that shows alerts and is refreshed by htmx: at once when the server reports a
// change, rarely while connected, and by polling otherwise.

/** An htmx request (`detail.ctx` of its events). */
export type HtmxRequest = {
  readonly sourceElement?: Element;
  readonly status?: string;
  readonly select?: string | null;
  readonly text?: string;
  readonly response?: { readonly status: number };
  readonly request?: { readonly signal?: AbortSignal };
  readonly hx?: { readonly redirect?: string };
};

export const requestIn = (event: Event) => (event as CustomEvent<{ ctx?: HtmxRequest }>).detail.ctx;

/** The minimum interval between two refreshes (ms); more where a refresh takes long. */
const INTERVAL_MS = 300;
const INTERVAL_PER_DURATION = 3;

/** While connected, only a poll this long after the last refresh is let through (ms). */
const CONNECTED_POLL_MS = 60_000;

export class LiveRegion {
  readonly #isConnected: () => boolean;
  readonly #onRefresh: () => void;
  #startedAt = Number.NEGATIVE_INFINITY;
  #duration = 0;
  #refreshedAt = Date.now();
  #isRunning = false;
  #isOutdated = false;
  /** Whether the last refresh failed: the page may lack a change that was pushed to it. */
  #hasFailed = false;
  #timer: number | undefined;
  #waiting: (() => void)[] = [];

  /** @param onRefresh called after each refresh that succeeded */
  constructor(isConnected: () => boolean, onRefresh: () => void) {
    this.#isConnected = isConnected;
    this.#onRefresh = onRefresh;
    document.addEventListener("every", (event) => this.#onPoll(event), true);
    document.addEventListener("htmx:before:request", (event) => {
      if (requestIn(event)?.sourceElement === this.element) this.#onStart();
    });
    document.addEventListener("htmx:finally:request", (event) => {
      const request = requestIn(event);
      if (this.#isRunning && request?.sourceElement === this.element)
        this.#onEnd(request?.status === "swapped");
    });
  }

  /** The element; null on pages without one. */
  get element(): HTMLElement | null {
    return document.querySelector<HTMLElement>("[data-live]");
  }

  /** The id of the only alert that it shows; null if it shows a list. */
  get alertId(): string | null {
    return this.element?.dataset.live || null;
  }

  /** When its content was rendered (epoch ms). */
  get shownAt(): number {
    return Number(this.element?.dataset.shown ?? 0);
  }

  /** Refreshes it, soon; resolves after a refresh that began after the call. */
  refresh(): Promise<void> {
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isOutdated = true;
    this.#schedule();
    return done;
  }

  /** Refreshes it if the last attempt failed. */
  retry(): void {
    if (this.#hasFailed) void this.refresh();
  }

  #schedule(): void {
    if (this.#isRunning || !this.#isOutdated) return;
    const interval = Math.max(INTERVAL_MS, INTERVAL_PER_DURATION * this.#duration);
    const wait = this.#startedAt + interval - performance.now();
    clearTimeout(this.#timer);
    if (wait > 0) this.#timer = window.setTimeout(() => this.#schedule(), wait);
    else this.element?.dispatchEvent(new CustomEvent("live"));
  }

  #onPoll(event: Event): void {
    if (event.target !== this.element || !this.#isConnected() || this.#hasFailed) return;
    if (Date.now() - this.#refreshedAt < CONNECTED_POLL_MS) event.stopImmediatePropagation();
  }

  #onStart(): void {
    this.#isRunning = true;
    this.#isOutdated = false;
    this.#startedAt = performance.now();
  }

  #onEnd(isSwapped: boolean): void {
    this.#isRunning = false;
    this.#duration = performance.now() - this.#startedAt;
    this.#hasFailed = !isSwapped;
    if (isSwapped) {
      this.#refreshedAt = Date.now();
      this.#onRefresh();
    }
    if (this.#isOutdated) this.#schedule();
    else for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
