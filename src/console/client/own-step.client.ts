// A step of one's own on an alert, without leaving the page: its result is shown at once, and taken
// back if the server refuses it. Scroll position and focus stay where they are.
import { UNDO_MS } from "../../domain/alerts/undo-time.ts";
import type { LiveRegion } from "./region.client.ts";

export type Flash = {
  readonly tone: "good" | "bad";
  readonly text: string;
  /** The path of the action that undoes the step. */
  readonly undo?: string;
};

/** A step that is shown before the server has confirmed it. */
export type Expected = {
  /** Shows the state before the step again. */
  readonly takeBack: () => void;
  /** Shows the step's message, refreshes the page's content and restores the focus. */
  readonly settle: (flash: Flash) => Promise<void>;
};

/** How long the message of a step that succeeded is shown (ms): with Undo, while it is possible. */
const GOOD_MS = 10_000;

/** The form that undoes the step, with the session's token from another form of the page. */
function undoForm(action: string): HTMLFormElement {
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  form.className = "row";
  form.dataset.retry = "yes";
  const token = document.querySelector<HTMLInputElement>("input[name=form_token]")?.value ?? "";
  const { pathname, search } = window.location;
  const fields = {
    form_token: token,
    once: Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join("-"),
    back: `${pathname}${search}`,
  };
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    form.append(input);
  }
  const button = document.createElement("button");
  Object.assign(button, { type: "submit", className: "button plain", textContent: "Undo" });
  form.append(button);
  return form;
}

/** Shows a message where it shifts nothing, and a screen reader announces it. */
function showFlash({ tone, text, undo }: Flash): void {
  const notice = document.createElement("div");
  notice.className = `notice ${tone}`;
  const words = document.createElement("div");
  words.className = "notice-text";
  words.textContent = text;
  notice.append(words);
  if (undo !== undefined) notice.append(undoForm(undo));
  document.getElementById("toast")?.replaceChildren(notice);
  if (tone === "good") setTimeout(() => notice.remove(), undo === undefined ? GOOD_MS : UNDO_MS);
}

/** The row or the page's content to which a form or its button belongs; looked up again after a refresh. */
function placeOf(form: HTMLElement): () => HTMLElement | null {
  const id = form.closest(".alert")?.id;
  return () =>
    id === undefined
      ? document.querySelector<HTMLElement>("[data-live]")
      : document.getElementById(id);
}

/** Focuses what replaces a pressed button that is gone. */
function restoreFocus(place: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  const selectors = [".answers button", ".buttons button", ".alert-title", "a, button"];
  const found = selectors.map((it) => place?.querySelector<HTMLElement>(it)).find(Boolean);
  found?.focus({ preventScroll: true });
}

/** The status that a button of a row leads to, by the path to which it submits. */
function statusAfter(pressed: HTMLElement): string | undefined {
  const action = pressed.getAttribute("formaction") ?? "";
  if (action.endsWith("/acknowledge")) return "acknowledged";
  return action.endsWith("/resolve") ? "resolved" : undefined;
}

/** Shows the status that the form's step leads to, if the page can do so; null if it cannot. */
export function expectStep(
  form: HTMLFormElement,
  pressed: HTMLElement,
  region: LiveRegion | null,
): Expected | null {
  const status = pressed.dataset.becomes ?? form.dataset.becomes ?? statusAfter(pressed);
  const isOnPage = region?.element?.contains(form) || form.closest("#toast") !== null;
  if (!region?.element || !isOnPage) return null;
  const place = placeOf(pressed);
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
