// A step of one's own on an alert, without leaving the page: its result is shown at once, and taken
// back if the server refuses it. Scroll position and focus stay where they are.
import type { LiveRegion } from "./region.ts";

export type Flash = { readonly tone: "good" | "bad"; readonly text: string };

/** A step that is shown before the server has confirmed it. */
export type Expected = {
  /** Shows the state before the step again. */
  readonly takeBack: () => void;
  /** Shows the step's message, refreshes the page's content and restores the focus. */
  readonly settle: (flash: Flash) => Promise<void>;
};

/** How long the message of a step that succeeded is shown (ms). */
const GOOD_MS = 10_000;

/** Shows a message where it shifts nothing, and a screen reader announces it. */
function showFlash({ tone, text }: Flash): void {
  const notice = document.createElement("div");
  notice.className = `notice ${tone}`;
  notice.textContent = text;
  document.getElementById("toast")?.replaceChildren(notice);
  if (tone === "good") setTimeout(() => notice.remove(), GOOD_MS);
}

/** The row or the page's content to which a form belongs; looked up again after a refresh. */
function placeOf(form: HTMLFormElement): () => HTMLElement | null {
  const id = form.closest("[data-row]")?.id;
  return () =>
    id === undefined
      ? document.querySelector<HTMLElement>("[data-live]")
      : document.getElementById(id);
}

/** Focuses what replaces a pressed button that is gone. */
function restoreFocus(place: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  const selectors = [".answers button", ".buttons button", "[data-open]", "a, button"];
  const found = selectors.map((it) => place?.querySelector<HTMLElement>(it)).find(Boolean);
  found?.focus({ preventScroll: true });
}

/** Shows the status that the form's step leads to, if the page can do so; null if it cannot. */
export function expectStep(form: HTMLFormElement, region: LiveRegion | null): Expected | null {
  const status = form.dataset.becomes;
  if (region?.element?.contains(form) !== true) return null;
  const place = placeOf(form);
  const badge = place()?.querySelector<HTMLElement>(".badge.state") ?? null;
  const before = badge && { className: badge.className, text: badge.textContent };
  if (badge && status !== undefined) {
    badge.textContent = status;
    badge.className = "badge state expected";
  }
  const takeBack = () => {
    if (badge?.classList.contains("expected") !== true || before === null) return;
    badge.className = before.className;
    badge.textContent = before.text;
  };
  return {
    takeBack,
    settle: async (flash) => {
      if (flash.tone === "bad") takeBack();
      showFlash(flash);
      await region.refresh();
      // A refresh that failed must not leave what was only expected.
      takeBack();
      restoreFocus(place());
    },
  };
}
