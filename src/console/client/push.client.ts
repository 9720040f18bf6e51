// Subscribes this device to push messages, and says why it cannot.
import { deviceName } from "../../domain/access/device-name.ts";
import { expectPush } from "./push-watch.client.ts";

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
