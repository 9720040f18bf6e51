// The service worker: shows push messages as notifications with actions, and the offline page
// without a connection.
export type {};

declare const self: ServiceWorkerGlobalScope;

// Set by the build.
declare const STYLE_PATH: string;
declare const OFFLINE_SCRIPT_PATH: string;

const OFFLINE = "/offline";
const CACHE = "tocsin-1";
const LAST_ANSWER = "/last-answer";
const OFFLINE_ASSETS = [OFFLINE, STYLE_PATH, OFFLINE_SCRIPT_PATH, "/assets/icon.svg"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(OFFLINE_ASSETS))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), deleteOld()]));
});

/** Deletes other caches, and what an earlier deployment's offline page needed. */
async function deleteOld(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((it) => it !== CACHE).map((it) => caches.delete(it)));
  const cache = await caches.open(CACHE);
  const needed = [...OFFLINE_ASSETS, LAST_ANSWER];
  const old = (await cache.keys()).filter(({ url }) => !needed.includes(new URL(url).pathname));
  await Promise.all(old.map((it) => cache.delete(it)));
}

/** Fetches a page and stores the time of the last response, which the offline page shows. */
async function fetchPage(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    await cache.put(LAST_ANSWER, new Response(String(Date.now())));
    return response;
  } catch {
    const offline = await cache.match(OFFLINE);
    return offline ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetchPage(request));
    return;
  }
  const { pathname, origin } = new URL(request.url);
  if (origin === self.location.origin && OFFLINE_ASSETS.includes(pathname)) {
    event.respondWith(
      fetch(request).catch(async () => (await caches.match(pathname)) ?? Response.error()),
    );
  }
});

/** What a push message shows; see `src/features/people/channels/push-payload.ts`. */
type PushMessage = {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly data: {
    readonly type: string;
    readonly alert: { readonly id: string; readonly urgency: string } | null;
    readonly url?: string;
    /** The address that is told that the message was shown. */
    readonly receipt?: string;
  };
};

/** A browser that understands declarative messages hands over what it would show. */
type DeclaredPushEvent = PushEvent & { readonly notification?: PushMessage | null };

function messageOf(event: DeclaredPushEvent): PushMessage | undefined {
  const { title, body, tag, data } = event.notification ?? event.data?.json().notification ?? {};
  return title === undefined ? undefined : { title, body, tag, data };
}

/** The options that TypeScript's DOM types lack. */
type ActionOptions = NotificationOptions & {
  readonly actions?: readonly { readonly action: string; readonly title: string }[];
  readonly renotify?: boolean;
  readonly timestamp?: number;
};

/** The buttons of messages that ask for an answer, by type, and what each has done. */
const BUTTONS: Readonly<
  Record<
    string,
    readonly { readonly action: string; readonly title: string; readonly done: string }[]
  >
> = {
  "alert.open": [
    { action: "acknowledge", title: "Acknowledge", done: "Acknowledged" },
    { action: "reject", title: "Pass on", done: "Passed on" },
  ],
  "oncall.cover_request": [
    { action: "accept", title: "Accept", done: "Accepted" },
    { action: "decline", title: "Decline", done: "Declined" },
  ],
};

const buttonsOf = ({ data: { type, url } }: PushMessage) =>
  url === undefined ? [] : (BUTTONS[type] ?? []);

self.addEventListener("push", (event) => {
  const message = messageOf(event);
  if (!message) return;
  const actions = buttonsOf(message).map(({ action, title }) => ({ action, title }));
  const options: ActionOptions = {
    body: message.body,
    tag: message.tag,
    renotify: true,
    icon: "/assets/icon-192.png",
    badge: "/assets/icon-192.png",
    timestamp: Date.now(),
    requireInteraction:
      actions.length > 0 && ["critical", "high"].includes(message.data.alert?.urgency ?? ""),
    data: message,
    ...(actions.length > 0 && { actions }),
  };
  event.waitUntil(
    self.registration
      .showNotification(message.title, options)
      .then(() => sendReceipt(message.data.receipt)),
  );
});

const RECEIPT_TRIES = 3;

/** Tells that a message was shown, so that nobody is called because it was not. */
async function sendReceipt(receipt: string | undefined): Promise<void> {
  if (receipt === undefined) return;
  const { pathname } = new URL(receipt);
  for (let tries = 1; tries <= RECEIPT_TRIES; tries += 1) {
    const response = await fetch(pathname, { method: "POST" }).catch(() => null);
    if (response !== null && response.status < 500) return;
    await new Promise((done) => setTimeout(done, 1_000 * tries));
  }
}

function pageOf({ data: { alert, url } }: PushMessage): string {
  if (alert) return `/alerts/${alert.id}`;
  return url ?? "/alerts";
}

const TRIES = 5;

/** Sends the action to the URL of the push message, with retries. */
async function sendAction(message: PushMessage, action: string): Promise<boolean> {
  const address = new URL(message.data.url ?? "/", self.location.origin);
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      const body = new URLSearchParams({ action });
      const { status } = await fetch(address.pathname, { method: "POST", body });
      if (status < 500) return status < 300;
    } catch {
      // Retried below.
    }
    await new Promise((done) => setTimeout(done, 1_000 * tries));
  }
  return false;
}

async function showResult(message: PushMessage, title: string): Promise<void> {
  await self.registration.showNotification(title, {
    body: message.title,
    tag: message.tag,
    icon: "/assets/icon-192.png",
    data: { ...message, data: { ...message.data, url: undefined } },
  });
}

async function openPage(path: string): Promise<void> {
  const url = new URL(path, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const [open] = windows;
  if (open) {
    await open.focus();
    await open.navigate(url).catch(() => self.clients.openWindow(url));
  } else {
    await self.clients.openWindow(url);
  }
}

self.addEventListener("notificationclick", (event) => {
  const message = event.notification.data as PushMessage;
  event.notification.close();
  const { action } = event;
  const button = buttonsOf(message).find((it) => it.action === action);
  if (!button) {
    event.waitUntil(openPage(pageOf(message)));
    return;
  }
  const { done } = button;
  event.waitUntil(
    sendAction(message, action).then((good) =>
      good
        ? showResult(message, done)
        : showResult(message, `Not ${done.toLowerCase()}: open it to see why`),
    ),
  );
});
