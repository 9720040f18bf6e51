// What only the device knows: its time zone and its support for push messages.
import { deviceName } from "../access/device-name.ts";

/** Shows a button that chooses the device's time zone, if the field has another. */
export function offerZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const placeholder of document.querySelectorAll<HTMLElement>("[data-device-zone]")) {
    const select = placeholder.closest("form")?.querySelector<HTMLSelectElement>("select");
    if (!select || !zone || select.value === zone) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = `Use this device's time zone: ${zone}`;
    button.addEventListener("click", () => {
      if (![...select.options].some(({ value }) => value === zone)) {
        select.prepend(new Option(zone, zone));
      }
      select.value = zone;
    });
    placeholder.replaceChildren(button);
  }
}

async function subscribe(form: HTMLFormElement, key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(
      "Notifications are blocked for this site. Allow them in the browser settings first.",
    );
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
  form.submit();
}

/** Shows the button that subscribes this device, if the device supports push messages. */
export function offerPush(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-push-key]");
  const form = button?.closest("form");
  const key = button?.dataset.pushKey;
  if (!button || !form || !key) return;
  if (!("PushManager" in window && "serviceWorker" in navigator && "Notification" in window))
    return;
  const help = form.querySelector<HTMLElement>("[data-push-help]");
  button.hidden = false;
  if (help) help.textContent = "Notifications have buttons to acknowledge and reject.";
  button.addEventListener("click", () => {
    button.disabled = true;
    subscribe(form, key).catch((error: Error) => {
      button.disabled = false;
      if (help) help.textContent = error.message;
    });
  });
}
