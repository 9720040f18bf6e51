// Resends forms while the connection is bad, so that an acknowledgement is not lost. Each form
// carries an idempotency key, so that it takes effect once however often it arrives. A step on an
// alert that is shown on this page does not leave it.
import { type Expected, expectStep, type Flash } from "./own-step.client.ts";
import type { LiveRegion } from "./region.client.ts";

const TRIES = 8;
const TIMEOUT_MS = 8_000;
const PAUSE_MS = 1_500;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
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
      headers: {
        Accept: "application/json",
        ...(stays && { "X-Page": `${pathname}${search}` }),
      },
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
