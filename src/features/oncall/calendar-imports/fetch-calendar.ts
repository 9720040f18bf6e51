// Fetches a calendar from a user's URL: an allowed address, without redirects, limited in time and
// size. Never throws; logs nothing, since the URL is a secret.
import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import type { Validators } from "./reading-rows.ts";

const TIMEOUT_MS = 10_000;
const TIMED_OUT = new DOMException("no answer in time", "TimeoutError");

/**
 * Office 365 sends those who name no browser of its list to an error page: `Mozilla/5.0` and a
 * Chrome are the least that it takes, by what users of other programs report.
 */
const USER_AGENT = "Mozilla/5.0 (X11) Chrome/139.0.0.0 Tocsin/1.0";

/** The largest calendar that is read (bytes). */
const MAX_BYTES = 1_048_576;

export type FetchedCalendar =
  | ({ readonly kind: "read"; readonly text: string } & Validators)
  | { readonly kind: "unchanged" }
  /** `reason`: a sentence without a subject, shown to people. */
  | { readonly kind: "failed"; readonly reason: string };

const failed = (reason: string): FetchedCalendar => ({ kind: "failed", reason });

/** Where a calendar is: at a URL, or in a text. */
type CalendarSource = { readonly url: string | null; readonly ical: string | null };

/** The calendar of a source. `known`: as of `fetchCalendar`; a text is always read. */
export async function fetchSource(
  env: Cloudflare.Env,
  { url, ical }: CalendarSource,
  known: Validators | null,
): Promise<FetchedCalendar> {
  if (url !== null) return fetchCalendar(env, url, known);
  return { kind: "read", text: ical ?? "", etag: null, lastModified: null };
}

/**
 * Fetches a calendar.
 *
 * @param known the validators of an earlier answer: an unchanged calendar is not sent again; null:
 *   it is
 */
export async function fetchCalendar(
  env: Cloudflare.Env,
  url: string,
  known: Validators | null,
): Promise<FetchedCalendar> {
  const fault = outboundUrlFault(url, allowedHosts(env.ALLOWED_HOSTS));
  if (fault !== null) return failed(`the address ${fault}`);
  const controller = new AbortController();
  // Cleared below: a timer that outlives the attempt would keep the object awake.
  const timer = setTimeout(() => controller.abort(TIMED_OUT), TIMEOUT_MS);
  try {
    const headers: Record<string, string> = {
      accept: "text/calendar, text/plain;q=0.5, */*;q=0.1",
      "user-agent": USER_AGENT,
      ...(known?.etag && { "if-none-match": known.etag }),
      ...(known?.lastModified && { "if-modified-since": known.lastModified }),
    };
    const response = await fetch(url, { headers, redirect: "manual", signal: controller.signal });
    return await readAnswer(response, known !== null);
  } catch (error) {
    const isTimeout = error === TIMED_OUT || controller.signal.aborted;
    return failed(isTimeout ? "no answer within 10 seconds" : "no connection");
  } finally {
    clearTimeout(timer);
  }
}

async function readAnswer(response: Response, isConditional: boolean): Promise<FetchedCalendar> {
  const { status, headers, body } = response;
  if (status === 304 && isConditional) return { kind: "unchanged" };
  if (status !== 200) {
    await body?.cancel();
    if (status >= 300 && status < 400) {
      return failed(`the server answered ${status}: redirects are not followed`);
    }
    return failed(`the server answered ${status}`);
  }
  const text = await readText(body);
  if (text === null) return failed("the calendar is larger than 1 MiB");
  return {
    kind: "read",
    text,
    etag: headers.get("etag"),
    lastModified: headers.get("last-modified"),
  };
}

/** Reads a body; null if it is too large. */
async function readText(body: Response["body"]): Promise<string | null> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > MAX_BYTES) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
