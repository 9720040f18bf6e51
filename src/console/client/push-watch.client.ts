// Notices that this device receives no push messages any more: its browser dropped the subscription,
// or the permission was withdrawn. Push services do not tell, and a page would just not arrive.

import { element } from "./element.client.ts";

/** The endpoint of this device's subscription, from when push was enabled here. */
const ENDPOINT_KEY = "push-endpoint";

/** When this device last said that it is in use (epoch ms). */
const SEEN_KEY = "push-seen";
const SEEN_EVERY_MS = 86_400_000;

/** Remembers that this device is to receive push messages. */
export function expectPush(endpoint: string): void {
  localStorage.setItem(ENDPOINT_KEY, endpoint);
  localStorage.setItem(SEEN_KEY, String(Date.now()));
}

const expectNone = (): void => localStorage.removeItem(ENDPOINT_KEY);

async function currentEndpoint(): Promise<string | null> {
  if (!("serviceWorker" in navigator && "Notification" in window)) return null;
  if (Notification.permission !== "granted") return null;
  const worker = await navigator.serviceWorker.ready;
  return (await worker.pushManager?.getSubscription())?.endpoint ?? null;
}

function showEnded(): void {
  const link = element("a", { href: "/settings#push" }, "Enable them again");
  const dismiss = element("button", { type: "button", class: "link" }, "turn this reminder off");
  const text = element("p", {}, "This device no longer receives push notifications. ", link);
  text.append(" or ", dismiss, ".");
  const line = element("div", { class: "notice warn", role: "status" }, text);
  dismiss.addEventListener("click", () => {
    expectNone();
    line.remove();
  });
  document.getElementById("connection")?.after(line);
}

/** Whether the settings list this device; null on pages without the list. */
function isListed(endpoint: string): boolean | null {
  const list = document.querySelector("[data-push-devices]");
  if (list === null) return null;
  const listed = [...list.querySelectorAll<HTMLElement>("[data-endpoint]")];
  return listed.some((it) => it.dataset.endpoint === endpoint);
}

/** Removing this device from the list is meant: it is not to be enabled again. */
function watchRemoval(endpoint: string): void {
  document.addEventListener("submit", ({ target }) => {
    const row = target instanceof HTMLFormElement ? target.closest("li") : null;
    const removed = row?.querySelector<HTMLElement>("[data-endpoint]")?.dataset.endpoint;
    if (removed === endpoint) expectNone();
  });
}

/** Says that this device is in use. Null if that was said lately, or cannot be said now. */
async function isSubscribed(endpoint: string): Promise<boolean | null> {
  if (Date.now() < Number(localStorage.getItem(SEEN_KEY)) + SEEN_EVERY_MS) return null;
  const token = document.querySelector<HTMLInputElement>("input[name=form_token]")?.value;
  if (token === undefined) return null;
  const response = await fetch("/settings/push/seen", {
    method: "POST",
    body: new URLSearchParams({ endpoint, form_token: token }),
  });
  if (!response.ok) return null;
  localStorage.setItem(SEEN_KEY, String(Date.now()));
  const answer = (await response.json()) as { isSubscribed: boolean };
  return answer.isSubscribed;
}

/** Shows a line if this device was to receive push messages and does not any more. */
export async function watchPush(): Promise<void> {
  const endpoint = localStorage.getItem(ENDPOINT_KEY);
  if (endpoint === null || document.getElementById("connection") === null) return;
  watchRemoval(endpoint);
  const current = await currentEndpoint();
  if (current !== endpoint || isListed(endpoint) === false) showEnded();
  else if ((await isSubscribed(endpoint)) === false) showEnded();
}
