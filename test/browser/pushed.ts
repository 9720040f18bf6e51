// Push messages in a browser: delivered to the console's service worker, and their buttons pressed.
import type { Page, Worker } from "playwright-core";

const TIMEOUT_MS = 120_000;

/** Polls until there is a result; the timeout allows for a busy machine. */
export async function poll<Found>(
  read: () => Promise<Found>,
  timeout = TIMEOUT_MS,
): Promise<Found> {
  const end = Date.now() + timeout;
  for (;;) {
    const found = await read();
    if (found || Date.now() > end) return found;
    await new Promise((done) => setTimeout(done, 200));
  }
}

export async function serviceWorker(page: Page): Promise<Worker> {
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  const found = await poll(async () => page.context().serviceWorkers()[0]);
  if (!found) throw new Error("there is no service worker");
  return found;
}

/** Delivers a decrypted push message to the service worker. */
async function push(page: Page, origin: string, payload: unknown): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((found) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const one = registrations.findLast(({ isDeleted }) => !isDeleted);
      if (one) found(one.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.deliverPushMessage", {
    origin,
    registrationId: await registration,
    data: JSON.stringify(payload),
  });
}

/**
 * Pushes a message until it is shown.
 *
 * @returns the actions of its buttons
 */
export const shownActions = (page: Page, worker: Worker, origin: string, payload: unknown) =>
  poll(async () => {
    // The browser drops messages before it is ready. A repeated one replaces the first by its tag, and if both come late,
    // what an answer shows: it is repeated only after long.
    await push(page, origin, payload);
    return poll(async () => {
      const shown = await worker.evaluate(
        "self.registration.getNotifications().then((all) => all.map((it) => it.actions.map((a) => a.action)))",
      );
      return (shown as string[][])[0];
    }, 30_000);
  });

/** Presses a button of the notification that is shown. */
export async function pressAction(worker: Worker, action: string): Promise<void> {
  await worker.evaluate(
    `self.registration.getNotifications().then(([notification]) => self.dispatchEvent(
      new NotificationEvent("notificationclick", { notification, action: ${JSON.stringify(action)} })))`,
  );
}

/** The titles of the notifications that are shown. */
export const shownTitles = async (worker: Worker): Promise<readonly string[]> =>
  (await worker.evaluate(
    "self.registration.getNotifications().then((all) => all.map((it) => it.title))",
  )) as string[];

/** Records the requests that the service worker makes from now on. */
export async function recordRequests(worker: Worker): Promise<void> {
  await worker.evaluate(`
    self.recorded = [];
    const own = self.fetch;
    self.fetch = (input, init) => {
      self.recorded.push((init?.method ?? "GET") + " " + (input.url ?? input));
      return own(input, init);
    };
  `);
}

export const recordedRequests = async (worker: Worker): Promise<readonly string[]> =>
  (await worker.evaluate("self.recorded")) as string[];
