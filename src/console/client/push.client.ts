// Subscribes this device to push messages, says why it cannot, and notices that it receives none
// any more: its browser dropped the subscription, or the permission was withdrawn. Push services do
// not tell, and a page would just not arrive.
import { deviceName } from "../../domain/access/device-name.ts";
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

async function subscribe(form: HTMLFormElement, key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(IS_BLOCKED);
  }
  const worker = await navigator.serviceWorker.ready;
  const existing = await worker.pushManager.getSubscription();
  // A subscription is bound to one key: drop one for an earlier key or another deployment.
  await existing?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (await worker.pushManager.subscribe(options)).toJSON();
  const fields = {
    endpoint,
    p256dh: keys?.p256dh,
    auth: keys?.auth,
    name: deviceName(navigator.userAgent),
  };
  for (const [name, value] of Object.entries(fields)) {
    const input = form.elements.namedItem(name);
    if (input instanceof HTMLInputElement) input.value = value ?? "";
  }
  expectPush(endpoint ?? "");
  form.submit();
}

const isOnApple = /iPhone|iPad/.test(navigator.userAgent);

const CAN_BE_ENABLED = "Notifications have buttons to acknowledge and pass on.";
const IS_BLOCKED =
  "Notifications are blocked for this site. Allow them in the settings of the browser or the device, then open this page again.";
const IS_UNSUPPORTED = "This browser cannot receive push notifications.";
const NEEDS_HOME_SCREEN =
  "On an iPhone or iPad, add Tocsin to the home screen first (Share, then “Add to Home Screen”) and open it from there.";

/** Why this device cannot receive push messages; null if it can, or might if it is asked. */
function obstacle(): string | null {
  const isSupported =
    "PushManager" in window && "serviceWorker" in navigator && "Notification" in window;
  if (!isSupported) return isOnApple ? NEEDS_HOME_SCREEN : IS_UNSUPPORTED;
  return Notification.permission === "denied" ? IS_BLOCKED : null;
}

/** Enables the button that subscribes this device, or says why the device cannot be subscribed. */
export function offerPush(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-push-key]");
  const form = button?.closest("form");
  const key = button?.dataset.pushKey;
  if (!button || !form || !key) return;
  const help = form.querySelector<HTMLElement>("[data-push-help]");
  const reason = obstacle();
  if (help) help.textContent = reason ?? CAN_BE_ENABLED;
  if (reason !== null) return;
  button.disabled = false;
  button.addEventListener("click", () => {
    button.disabled = true;
    subscribe(form, key).catch((error: Error) => {
      button.disabled = false;
      if (help) help.textContent = error.message;
    });
  });
}
