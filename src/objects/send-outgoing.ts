// One attempt to tell another service: to an address that may be called, signed, within ten seconds, no redirect
// followed, and no more of the answer read than a person wants to see. Never throws; logs nothing.
import { Webhook } from "standardwebhooks";
import { type AttemptOutcome, retryAfterOf } from "../domain/delivery-attempts.ts";
import { addressFault } from "../domain/outside-address.ts";
import type { Outgoing, OutgoingRequest } from "../integrations/integration-type.ts";
import { TRAIL_HEADER } from "../integrations/trail.ts";

const TIMEOUT_MS = 10_000;
const TOO_LATE = new DOMException("no answer in time", "TimeoutError");
/** Of an answer (bytes). */
const MOST_READ = 1_024;
/** Of an answer in a reason (characters). */
const MOST_SAID = 200;

export type Envelope = {
  /** The same for every attempt. */
  readonly id: string;
  readonly userAgent: string;
  readonly trail: string;
};

/** Sends, and judges the answer. */
export async function sendOutgoing(
  { refuses }: Outgoing,
  request: OutgoingRequest,
  envelope: Envelope,
  allowedHosts: ReadonlySet<string>,
): Promise<AttemptOutcome> {
  const fault = addressFault(request.url, allowedHosts);
  if (fault !== null) return outcome("refused", null, `the address ${fault}`);
  const patience = new AbortController();
  // No timer outlives the attempt: it would keep its object awake.
  const timer = setTimeout(() => patience.abort(TOO_LATE), TIMEOUT_MS);
  try {
    const body = JSON.stringify(request.body);
    const response = await fetch(request.url, {
      method: "POST",
      headers: headersOf(request, envelope, body),
      body,
      redirect: "manual",
      signal: patience.signal,
    });
    return await judge(response, refuses);
  } catch (error) {
    const isLate = error === TOO_LATE || patience.signal.aborted;
    return outcome("again", null, isLate ? "no answer within 10 seconds" : "no connection");
  } finally {
    clearTimeout(timer);
  }
}

function headersOf(request: OutgoingRequest, envelope: Envelope, body: string) {
  const { id, userAgent, trail } = envelope;
  const now = new Date();
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": userAgent,
    [TRAIL_HEADER]: trail,
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    ...request.headers,
  };
  if (request.signedWith) {
    headers["webhook-signature"] = new Webhook(request.signedWith).sign(id, now, body);
  }
  return headers;
}

async function judge(response: Response, refuses: Outgoing["refuses"]): Promise<AttemptOutcome> {
  const { status } = response;
  const said = await beginning(response).catch(() => "");
  if (status >= 200 && status < 300) return outcome("delivered", status, null);
  const answer = `it answered ${status}${said === "" ? "" : `: ${said}`}`;
  if (status >= 300 && status < 400) {
    return outcome("again", status, `it answered ${status}: redirects are not followed`);
  }
  if (status === 410) return outcome("gone", status, answer);
  if (refuses(status)) return outcome("refused", status, answer);
  const quiet = retryAfterOf(response.headers.get("retry-after"), Date.now());
  return { ...outcome("again", status, answer), retryAfterMs: quiet };
}

/** The first words of an answer, in one line. The rest is not waited for. */
async function beginning({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  while (size < MOST_READ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    text += decoder.decode(value.subarray(0, MOST_READ), { stream: true });
  }
  await reader.cancel();
  return text
    .slice(0, MOST_SAID)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .toWellFormed();
}

const outcome = (
  kind: AttemptOutcome["kind"],
  responseCode: number | null,
  reason: string | null,
): AttemptOutcome => ({ kind, responseCode, reason, retryAfterMs: null });
