// One HTTP request of an outgoing integration: to an allowed URL, signed, with a timeout of ten
// seconds, without redirects, reading only the start of the response. Never throws; logs nothing.
import {
  type AttemptOutcome,
  parseRetryAfter,
} from "../../../domain/integrations/delivery-attempts.ts";
import { outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import { readStart } from "../../../domain/integrations/response-start.ts";
import type { Outgoing, OutgoingRequest } from "../../../products/integration-type.ts";
import { TRAIL_HEADER } from "../../../products/outgoing/trail.ts";
import { signWebhook } from "../../../products/standard-webhooks.ts";

const TIMEOUT_MS = 10_000;
const TIMED_OUT = new DOMException("no answer in time", "TimeoutError");
/** How much of a response is read (bytes). */
const MAX_READ = 1_024;
/** How much of a response the reason contains (characters). */
const MAX_EXCERPT = 200;

export type Envelope = {
  /** The same for every attempt. */
  readonly id: string;
  readonly userAgent: string;
  readonly trail: string;
};

/** Sends the request and classifies the response. */
export const sendOutgoing = (
  { refuses }: Outgoing,
  request: OutgoingRequest,
  envelope: Envelope,
  allowedHosts: ReadonlySet<string>,
): Promise<AttemptOutcome> =>
  sendRequest(request, envelope, allowedHosts, (response) => classify(response, refuses));

/**
 * Sends a request.
 *
 * @param read reads the response within the timeout
 * @returns what it read, or why there was no response
 */
export async function sendRequest<Result>(
  request: OutgoingRequest,
  envelope: Envelope,
  allowedHosts: ReadonlySet<string>,
  read: (response: Response) => Promise<Result>,
): Promise<Result | AttemptOutcome> {
  const fault = outboundUrlFault(request.url, allowedHosts);
  if (fault !== null) return outcome("refused", null, `the address ${fault}`);
  const controller = new AbortController();
  // Cleared below: a timer that outlives the attempt would keep the object awake.
  const timer = setTimeout(() => controller.abort(TIMED_OUT), TIMEOUT_MS);
  try {
    const body = bodyOf(request);
    const response = await fetch(request.url, {
      method: request.method ?? "POST",
      headers: headersOf(request, envelope, body),
      body,
      redirect: "manual",
      signal: controller.signal,
    });
    return await read(response);
  } catch (error) {
    const isTimeout = error === TIMED_OUT || controller.signal.aborted;
    return outcome("again", null, isTimeout ? "no answer within 10 seconds" : "no connection");
  } finally {
    clearTimeout(timer);
  }
}

const bodyOf = ({ body, form }: OutgoingRequest): string =>
  form === undefined ? JSON.stringify(body) : new URLSearchParams(form).toString();

function headersOf(request: OutgoingRequest, envelope: Envelope, body: string) {
  const { id, userAgent, trail } = envelope;
  const seconds = Math.floor(Date.now() / 1000);
  const headers: Record<string, string> = {
    "content-type":
      request.form === undefined
        ? "application/json; charset=utf-8"
        : "application/x-www-form-urlencoded",
    "user-agent": userAgent,
    [TRAIL_HEADER]: trail,
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    ...request.headers,
  };
  if (request.signedWith) {
    headers["webhook-signature"] = signWebhook(request.signedWith, id, seconds, body);
  }
  return headers;
}

async function classify(response: Response, refuses: Outgoing["refuses"]): Promise<AttemptOutcome> {
  const { status } = response;
  const excerpt = await readExcerpt(response).catch(() => "");
  if (status >= 200 && status < 300) return outcome("delivered", status, null);
  const answer = `it answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}`;
  if (status >= 300 && status < 400) {
    return outcome("again", status, `it answered ${status}: redirects are not followed`);
  }
  if (status === 410) return outcome("gone", status, answer);
  if (refuses(status)) return outcome("refused", status, answer);
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
  return { ...outcome("again", status, answer), retryAfterMs };
}

/** Reads the start of a response, as one line. */
async function readExcerpt(response: Response): Promise<string> {
  const { text } = await readStart(response, MAX_READ);
  return text
    .slice(0, MAX_EXCERPT)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .toWellFormed();
}

/** The outcome of an attempt after which the receiver asked for no pause. */
export const outcome = (
  kind: AttemptOutcome["kind"],
  responseCode: number | null,
  reason: string | null,
): AttemptOutcome => ({ kind, responseCode, reason, retryAfterMs: null });
