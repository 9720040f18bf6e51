// A tap on what has just come to its place does nothing. After a button was pressed, "Resolve" comes where "Acknowledge"
// was, and whoever taps twice means the first; and a refresh of a list may move its rows under a finger.

/** How long after the first tap, or after another button has come there (ms), and how far from it (px). */
const TWICE_MS = 1_500;
const NEAR_PX = 30;

const buttonAt = (target: EventTarget | null): HTMLButtonElement | null =>
  target instanceof Element ? target.closest("main button:not([type=button])") : null;

/** Where it submits to. */
const actionOf = (button: HTMLButtonElement): string =>
  button.hasAttribute("formaction") ? button.formAction : (button.form?.action ?? "");

let last = { x: 0, y: 0, action: "", isAnswered: true, at: Number.NEGATIVE_INFINITY };

/** However long the answer to the first tap takes. */
function noteAnswer(): void {
  const button = buttonAt(document.elementFromPoint(last.x, last.y));
  if (last.isAnswered || button === null || actionOf(button) === last.action) return;
  last = { ...last, isAnswered: true, at: performance.now() };
}

/** Whether another button was tapped at the same place a moment ago. */
function isSecond({ target, clientX: x, clientY: y }: MouseEvent): boolean {
  const button = buttonAt(target);
  if (button === null) return false;
  const tap = { x, y, action: actionOf(button), isAnswered: false, at: performance.now() };
  const isThere = Math.hypot(x - last.x, y - last.y) < NEAR_PX;
  const isTwice = isThere && tap.at - last.at < TWICE_MS && tap.action !== last.action;
  if (!isTwice) last = tap;
  return isTwice;
}

/** How long a tap on what has just moved does nothing (ms). */
const SHIFT_MS = 400;

/** The links and buttons of the rows of a list. */
const IN_ROWS = "[data-rows] :is(a, button)";

/** What it does. */
const deedOf = (it: Element) => it.getAttribute("formaction") ?? it.getAttribute("href") ?? "";

/** Where they were before the last refresh. */
let before = { at: Number.NEGATIVE_INFINITY, places: new Map<string, DOMRect>() };

function notePlaces(): void {
  const all = [...document.querySelectorAll(IN_ROWS)];
  const places = new Map(all.map((it) => [deedOf(it), it.getBoundingClientRect()]));
  before = { at: performance.now(), places };
}

/** Whether the row's link or button was elsewhere a moment ago. */
function hasMoved({ target, clientX: x, clientY: y }: MouseEvent): boolean {
  const tapped = target instanceof Element ? target.closest(IN_ROWS) : null;
  if (tapped === null || performance.now() - before.at > SHIFT_MS) return false;
  const place = before.places.get(deedOf(tapped));
  return !(place && x >= place.left && x <= place.right && y >= place.top && y <= place.bottom);
}

export function ignoreStrayTaps(): void {
  document.addEventListener("htmx:before:swap", notePlaces);
  document.addEventListener("htmx:after:swap", noteAnswer);
  const guard = (event: MouseEvent) => {
    // A click without a pointer is a key's.
    if (event.detail === 0 || !(isSecond(event) || hasMoved(event))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("click", guard, true);
}
