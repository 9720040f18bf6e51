// A second tap at the place of a button that was just pressed does nothing if another button is there by now: "Resolve"
// comes where "Acknowledge" was, and whoever taps twice means the first.

/** How long after the first tap (ms), and how far from it (px). */
const TWICE_MS = 1_500;
const NEAR_PX = 30;

/** Where it submits to. */
const actionOf = (button: HTMLButtonElement): string =>
  button.hasAttribute("formaction") ? button.formAction : (button.form?.action ?? "");

export function ignoreSecondTaps(): void {
  let last = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0, action: "" };
  document.addEventListener(
    "click",
    (event) => {
      const { target, detail, clientX: x, clientY: y } = event;
      const button =
        target instanceof Element
          ? target.closest<HTMLButtonElement>("main button:not([type=button])")
          : null;
      // A click without a pointer is a key's.
      if (button === null || detail === 0) return;
      const tap = { at: performance.now(), x, y, action: actionOf(button) };
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
