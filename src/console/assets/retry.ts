// Resends forms while the connection is bad, so that an acknowledgement is not lost. Each form
// carries an idempotency key, so that it takes effect once however often it arrives.

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

/**
 * Sends a form once. Returns the URL to open, "as_page" if the response is a page itself, or null
 * if there was no response.
 */
async function attempt(url: string, fields: URLSearchParams): Promise<URL | "as_page" | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: fields,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status >= 500) return null;
    if (!response.headers.get("content-type")?.includes("json")) return "as_page";
    const { to } = (await response.json()) as { to: string };
    return new URL(to, window.location.href);
  } catch {
    return null;
  }
}

function go(to: URL): void {
  const current = window.location.href.split("#")[0];
  window.location.assign(to);
  if (to.hash !== "" && to.href.split("#")[0] === current) window.location.reload();
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const fields = fieldsOf(form, submitter);
  const button = submitter ?? form.querySelector<HTMLElement>("button");
  const label = button?.textContent ?? "";
  button?.setAttribute("aria-disabled", "true");
  for (let tries = 1; tries <= TRIES; tries += 1) {
    if (button) button.textContent = tries === 1 ? "Sending…" : "Retrying…";
    const result = await attempt(form.action, fields);
    // Submitted again natively; the idempotency key yields the same response.
    if (result === "as_page") return form.submit();
    if (result !== null) return go(result);
    await wait(PAUSE_MS * tries);
  }
  button?.removeAttribute("aria-disabled");
  if (button) button.textContent = label;
  const line = document.getElementById("connection");
  if (!line) return;
  line.textContent = "Not sent: no connection. Try again.";
  line.hidden = false;
}

export function retryForms(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset.retry === undefined || event.defaultPrevented) return;
    event.preventDefault();
    const submitter = (event as SubmitEvent).submitter;
    if (submitter?.getAttribute("aria-disabled") === "true") return;
    void send(form, submitter);
  });
}
