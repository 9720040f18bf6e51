// A second tap at the place of a button that was just pressed does nothing if another button is there by now: "Resolve"
// comes where "Acknowledge" was, and whoever taps twice means the first.

/** How long after the first tap, or after another button has come there (ms), and how far from it (px). */
const TWICE_MS = 1_500;
const NEAR_PX = 30;

const buttonAt = (target: EventTarget | null): HTMLButtonElement | null =>
  target instanceof Element ? target.closest("main button:not([type=button])") : null;

/** Where it submits to. */
const actionOf = (button: HTMLButtonElement): string =>
  button.hasAttribute("formaction") ? button.formAction : (button.form?.action ?? "");

export function ignoreSecondTaps(): void {
  let last = { x: 0, y: 0, action: "", isAnswered: true, at: Number.NEGATIVE_INFINITY };
  // However long the answer to the first tap takes.
  document.addEventListener("htmx:after:swap", () => {
    const button = buttonAt(document.elementFromPoint(last.x, last.y));
    if (last.isAnswered || button === null || actionOf(button) === last.action) return;
    last = { ...last, isAnswered: true, at: performance.now() };
  });
  document.addEventListener(
    "click",
    (event) => {
      const { target, detail, clientX: x, clientY: y } = event;
      const button = buttonAt(target);
      // A click without a pointer is a key's.
      if (button === null || detail === 0) return;
      const tap = { x, y, action: actionOf(button), isAnswered: false, at: performance.now() };
      const isThere = Math.hypot(x - last.x, y - last.y) < NEAR_PX;
      if (!isThere || tap.at - last.at >= TWICE_MS || tap.action === last.action) {
        last = tap;
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
}
