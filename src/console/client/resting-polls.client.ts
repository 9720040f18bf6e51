// Polls of a page that nobody looks at rest: a tab in the background, and one that nobody has touched
// for half an hour. They go on as soon as somebody does. What may hang on a wall does not rest: alerts,
// and who is on call.

/** How long a page is polled for without anybody touching it (ms). */
const REST_AFTER_MS = 1_800_000;

const TOUCHES = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"] as const;

/** Elements that are polled for as long as the page is open. */
const LASTING = "[data-live], [data-lasting]";

/** Lets the polls of all other elements rest. */
export function restPolls(): void {
  let touchedAt = Date.now();
  const touch = () => {
    touchedAt = Date.now();
  };
  for (const name of TOUCHES) {
    document.addEventListener(name, touch, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", touch);
  const rest = (event: Event) => {
    if (event.target instanceof HTMLElement && event.target.matches(LASTING)) return;
    const isResting = document.hidden || Date.now() - touchedAt >= REST_AFTER_MS;
    if (isResting) event.stopImmediatePropagation();
  };
  document.addEventListener("every", rest, true);
}
