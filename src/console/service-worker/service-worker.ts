// The service worker: shows push messages as notifications with actions, and the offline page
// without a connection.
export type {};

declare const self: ServiceWorkerGlobalScope;

const OFFLINE = "/offline";
const KEPT = "tocsin-1";
const SHELL = [OFFLINE, "/assets/style.css", "/assets/offline.js", "/assets/icon.svg"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const forgetOld = caches
    .keys()
    .then((names) => Promise.all(names.filter((it) => it !== KEPT).map((it) => caches.delete(it))));
  event.waitUntil(forgetOld.then(() => self.clients.claim()));
});

/** Fetches a page and stores the time of the last response, which the offline page shows. */
async function open(request: Request): Promise<Response> {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    await cache.put("/last-answer", new Response(String(Date.now())));
    return response;
  } catch {
    const kept = await cache.match(OFFLINE);
    return kept ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(open(request));
    return;
  }
  const { pathname, origin } = new URL(request.url);
  if (origin === self.location.origin && SHELL.includes(pathname)) {
    event.respondWith(
      fetch(request).catch(async () => (await caches.match(pathname)) ?? Response.error()),
    );
  }
});

/** The payload of a push message; see `src/channels/push.ts`. */
type Pushed = {
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly alert: { readonly id: string; readonly urgency: string } | null;
  readonly url?: string;
};

/** The options that TypeScript's DOM types lack. */
type Shown = NotificationOptions & {
  readonly actions?: readonly { readonly action: string; readonly title: string }[];
  readonly renotify?: boolean;
  readonly timestamp?: number;
};

const BUTTONS = [
  { action: "acknowledge", title: "Acknowledge" },
  { action: "reject", title: "Reject" },
];

self.addEventListener("push", (event) => {
  const pushed = event.data?.json() as Pushed | undefined;
  if (!pushed) return;
  const asks = pushed.type === "alert.open" && pushed.url !== undefined;
  const options: Shown = {
    body: pushed.body,
    tag: pushed.tag,
    renotify: true,
    icon: "/assets/icon-192.png",
    badge: "/assets/icon-192.png",
    timestamp: Date.now(),
    requireInteraction: asks && ["critical", "high"].includes(pushed.alert?.urgency ?? ""),
    data: pushed,
    ...(asks && { actions: BUTTONS }),
  };
  event.waitUntil(self.registration.showNotification(pushed.title, options));
});

/** The page that a notification opens. */
function pageOf({ alert, url }: Pushed): string {
  if (alert) return `/alerts/${alert.id}`;
  return url ?? "/alerts";
}

const TRIES = 5;

/** Sends the action to the URL of the push message, with retries. */
async function answer(pushed: Pushed, action: string): Promise<boolean> {
  const address = new URL(pushed.url ?? "/", self.location.origin);
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

async function say(pushed: Pushed, title: string): Promise<void> {
  await self.registration.showNotification(title, {
    body: pushed.title,
    tag: pushed.tag,
    icon: "/assets/icon-192.png",
    data: { ...pushed, url: undefined },
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
  const pushed = event.notification.data as Pushed;
  event.notification.close();
  const { action } = event;
  if (action !== "acknowledge" && action !== "reject") {
    event.waitUntil(openPage(pageOf(pushed)));
    return;
  }
  const done = action === "acknowledge" ? "Acknowledged" : "Rejected";
  event.waitUntil(
    answer(pushed, action).then((good) =>
      good
        ? say(pushed, done)
        : say(pushed, `Not ${done.toLowerCase()}: open the alert and try again`),
    ),
  );
});
