// Resends forms while the connection is bad, so that an acknowledgement is not lost. Each form
// carries an idempotency key, so that it takes effect once however often it arrives. A step on an
// alert that is shown on this page does not leave it.

import { UNDO_MS } from "../../domain/alerts/undo-time.ts";
import { element } from "./element.client.ts";
import type { LiveRegion } from "./region.client.ts";

type Flash = {
  readonly tone: "good" | "bad";
  readonly text: string;
  /** The path of the action that undoes the step. */
  readonly undo?: string;
};

/** A step that is shown before the server has confirmed it. */
type Expected = {
  /** Shows the state before the step again. */
  readonly takeBack: () => void;
  /** Shows the step's message, refreshes the page's content and restores the focus. */
  readonly settle: (flash: Flash) => Promise<void>;
};

/** How long the message of a step that succeeded is shown (ms): with Undo, while it is possible. */
const GOOD_MS = 10_000;

/** The form that undoes the step, with the session's token from another form of the page. */
function undoForm(action: string): HTMLFormElement {
  const token = document.querySelector<HTMLInputElement>("input[name=form_token]")?.value ?? "";
  const { pathname, search } = window.location;
  const fields = {
    form_token: token,
    once: Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join("-"),
    back: `${pathname}${search}`,
  };
  return element(
    "form",
    { method: "post", action, class: "row", "data-retry": "yes" },
    ...Object.entries(fields).map(([name, value]) =>
      element("input", { type: "hidden", name, value }),
    ),
    element("button", { type: "submit", class: "button plain" }, "Undo"),
  );
}

/** Shows a message where it shifts nothing, and a screen reader announces it. */
function showFlash({ tone, text, undo }: Flash): void {
  const words = element("div", { class: "notice-text" }, text);
  const button = undo === undefined ? null : undoForm(undo);
  const notice = element("div", { class: `notice ${tone}` }, words, button);
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
function expectStep(
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

const TRIES = 8;
const TIMEOUT_MS = 8_000;
const PAUSE_MS = 1_500;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** What a form submits, without its files. */
export function fieldsOf(form: HTMLFormElement, submitter?: HTMLElement | null): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) {
    if (typeof value === "string") fields.append(name, value);
  }
  return fields;
}

/** Where to go after a submission; with a message if that is the page that is shown. */
type Result = { readonly to: URL; readonly flash: Flash | null };

/**
 * Sends a form once. Returns its result, "as_page" if the response is a page itself, or null if
 * there was no response.
 *
 * @param stays whether the page can show the result without being loaded again
 */
async function attempt(
  url: string,
  fields: URLSearchParams,
  stays: boolean,
): Promise<Result | "as_page" | null> {
  const { pathname, search } = window.location;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { Accept: "application/json", ...(stays && { "X-Page": `${pathname}${search}` }) },
      body: fields,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status >= 500) return null;
    if (!response.headers.get("content-type")?.includes("json")) return "as_page";
    const { to, flash = null } = (await response.json()) as { to: string; flash?: Flash };
    return { to: new URL(to, window.location.href), flash };
  } catch {
    return null;
  }
}

function go(to: URL): void {
  const current = window.location.href.split("#")[0];
  window.location.assign(to);
  if (to.hash !== "" && to.href.split("#")[0] === current) window.location.reload();
}

async function send(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  expected: Expected | null,
): Promise<void> {
  const fields = fieldsOf(form, submitter);
  const button = submitter ?? form.querySelector<HTMLElement>("button");
  const label = button?.textContent ?? "";
  button?.setAttribute("aria-disabled", "true");
  const release = () => {
    button?.removeAttribute("aria-disabled");
    if (button) button.textContent = label;
  };
  // Without the attribute, a button's `formAction` is the path of the page.
  const path = submitter?.getAttribute("formaction");
  const action = path ? new URL(path, document.baseURI).href : form.action;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    if (button) button.textContent = tries === 1 ? "Sending…" : "Retrying…";
    const result = await attempt(action, fields, expected !== null);
    // Submitted again natively; the idempotency key yields the same response.
    if (result === "as_page") {
      form.action = action;
      return form.submit();
    }
    if (result?.flash && expected) {
      await expected.settle(result.flash);
      return release();
    }
    if (result !== null) return go(result.to);
    await wait(PAUSE_MS * tries);
  }
  expected?.takeBack();
  release();
  const line = document.getElementById("connection");
  if (!line) return;
  line.textContent = "Not sent: no connection. Try again.";
  line.hidden = false;
}

/** @param region the part of the page that shows alerts; null if there is none */
export function retryForms(region: LiveRegion | null): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset.retry === undefined || event.defaultPrevented) return;
    event.preventDefault();
    const submitter = (event as SubmitEvent).submitter;
    if (submitter?.getAttribute("aria-disabled") === "true") return;
    void send(form, submitter, expectStep(form, submitter ?? form, region));
  });
}
