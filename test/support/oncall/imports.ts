// Calendar imports in tests: a server with a calendar, and readings at a time.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { serveAt } from "../providers/outbound.ts";

/** A server of one calendar. `failure`: what it answers instead. */
export type CalendarServer = {
  readonly url: string;
  ical: string;
  etag: string | null;
  failure: (() => Response | Promise<Response>) | null;
  /** Every request, in order. */
  readonly requests: { readonly headers: Headers; readonly redirect: string }[];
};

let servers = 0;

/** Serves a calendar until the test's mocks are restored. */
export function openCalendarServer(ical: string): CalendarServer {
  servers += 1;
  const host = `calendar-${servers}.example.com`;
  const server: CalendarServer = {
    url: `https://${host}/secret/on-call.ics`,
    ical,
    etag: null,
    failure: null,
    requests: [],
  };
  serveAt(host, ({ headers, redirect }) => {
    server.requests.push({ headers, redirect });
    if (server.failure !== null) return server.failure();
    const { etag } = server;
    if (etag !== null && headers.get("if-none-match") === etag) {
      return new Response(null, { status: 304 });
    }
    return new Response(server.ical, {
      headers: { "content-type": "text/calendar", ...(etag !== null && { etag }) },
    });
  });
  return server;
}

export const importStub = (prefixId: string) => env.CALENDAR_IMPORT.getByName(prefixId);

/** Runs the object's alarm, whenever it is set for. */
export const runImportAlarm = (prefixId: string): Promise<boolean> =>
  runDurableObjectAlarm(importStub(prefixId));

/** Deletes an object whose clock a test has set forward: by the real clock it would wait for it. */
export async function forgetObject(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, async (_, { storage }) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
  });
  await evictDurableObject(stub);
}
