// Sends a delivery of an app in a chat: the first event of an alert posts its message, later ones
// change it and reply to it. A delivery may be several calls; those that are done are not repeated
// when it is retried.

import type { AnnouncementPayload } from "../../../domain/integrations/announcement.ts";
import {
  type AttemptOutcome,
  parseRetryAfter,
} from "../../../domain/integrations/delivery-attempts.ts";
import { readStart } from "../../../domain/integrations/response-start.ts";
import { parseJson } from "../../../domain/shared/json.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import type {
  ChatApp,
  OutgoingMessage,
  OutgoingRequest,
  PostedMessage,
} from "../../../products/integration-type.ts";
import {
  forgetToken,
  obtainToken,
  type TokenRequest,
  type TokenSource,
} from "../../../products/outgoing/access-token.ts";
import { type OutgoingIntegration, readChatMessage, storeChatMessage } from "./rows.ts";
import { outcome } from "./send-outgoing.ts";

/** An answer repeats the message. */
const MAX_ANSWER = 262_144;

/** What a delivery has done: so many calls; the message that it posted, which is not stored yet. */
type Done = { readonly calls: number; readonly posted: PostedMessage | null };

const NOTHING: Done = { calls: 0, posted: null };

export type ChatProgress = {
  readonly of: (deliveryId: string) => Done;
  readonly store: (deliveryId: string, done: Done) => void;
  readonly clear: (deliveryId: string) => void;
};

/** The progress of deliveries in an object's storage. */
export function chatProgress(kv: SyncKvStorage): ChatProgress {
  const keyOf = (deliveryId: string) => `chat:${deliveryId}`;
  return {
    of: (deliveryId) => kv.get<Done>(keyOf(deliveryId)) ?? NOTHING,
    store: (deliveryId, done) => kv.put(keyOf(deliveryId), done),
    clear: (deliveryId) => {
      // Most deliveries have no progress, and a delete is billed.
      if (kv.get(keyOf(deliveryId)) !== undefined) kv.delete(keyOf(deliveryId));
    },
  };
}

type Task = {
  readonly db: Connection;
  readonly integration: OutgoingIntegration;
  readonly deliveryId: string;
  readonly announced: OutgoingMessage;
  readonly chat: ChatApp;
  readonly progress: ChatProgress;
};

/** Sends a request; the outcome if there was no response. */
type Send = <Result>(
  request: OutgoingRequest,
  read: (response: Response) => Promise<Result>,
) => Promise<Result | AttemptOutcome>;

type Called = {
  readonly attempt: AttemptOutcome;
  readonly posted: PostedMessage | null;
  readonly isLost: boolean;
};

const NO_DATABASE = outcome("again", null, "the database cannot be reached");
const DELIVERED = outcome("delivered", 200, null);

/**
 * Sends a delivery. Never throws.
 *
 * @param post the request that posts the message of its own
 */
export async function sendToChat(
  task: Task,
  post: OutgoingRequest,
  send: Send,
): Promise<AttemptOutcome> {
  const { chat, integration } = task;
  const missing = chat.needs.find((key) => !integration.secrets[key]);
  if (missing !== undefined) return outcome("refused", null, `the option ${missing} is not set`);
  try {
    const tokens = chat.tokens?.(integration.options, integration.secrets);
    if (tokens === undefined) return await sendCalls(task, post, send);
    return await sendWithToken(tokens, send, (it) => sendCalls(task, post, it));
  } catch {
    return NO_DATABASE;
  }
}

/** Sends with an access token, which is forgotten once it is refused. */
async function sendWithToken(
  tokens: TokenSource,
  send: Send,
  sendAll: (send: Send) => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const ask = async ({ url, form }: TokenRequest) => {
    const answer = await send({ url, form, body: null }, async (response) => ({
      status: response.status,
      body: parseJson((await readStart(response, MAX_ANSWER)).text),
    }));
    return "status" in answer ? answer : null;
  };
  const obtained = await obtainToken(tokens, ask, Date.now());
  if (obtained.kind !== "token") return outcome(obtained.kind, null, obtained.reason);
  const authorization = `Bearer ${obtained.token}`;
  const attempt = await sendAll((request, read) =>
    send({ ...request, headers: { ...request.headers, authorization } }, read),
  );
  if (attempt.responseCode === 401) forgetToken(obtained.token);
  return attempt;
}

async function sendCalls(task: Task, post: OutgoingRequest, send: Send): Promise<AttemptOutcome> {
  const { db, integration, deliveryId, announced, chat, progress } = task;
  const alertId = alertIdOf(announced.payload);
  const { calls, posted: unstored } = progress.of(deliveryId);
  if (unstored !== null) return storePosted(task, unstored);
  const posted =
    alertId && (await readChatMessage(db, integration.accountId, integration.id, alertId));
  if (!posted) return postMessage(task, post, send);
  const requests = chat.follow(announced, posted, integration.options, integration.secrets);
  for (const [i, request] of requests.entries()) {
    if (i < calls) continue;
    const { attempt, isLost } = await call(chat, request, send);
    // Somebody deleted the message: the alert gets another one.
    if (isLost) return postMessage(task, post, send);
    if (attempt.kind !== "delivered") return attempt;
    progress.store(deliveryId, { calls: i + 1, posted: null });
  }
  return DELIVERED;
}

async function postMessage(task: Task, post: OutgoingRequest, send: Send): Promise<AttemptOutcome> {
  const { deliveryId, announced, chat, progress } = task;
  const { attempt, posted } = await call(chat, post, send);
  if (attempt.kind !== "delivered" || posted === null) return attempt;
  if (announced.payload.about !== "alert") return attempt;
  progress.store(deliveryId, { calls: 0, posted });
  return storePosted(task, posted);
}

/** Stores which message is the alert's. */
async function storePosted(
  { db, integration: { id, accountId }, announced }: Task,
  posted: PostedMessage,
): Promise<AttemptOutcome> {
  const alertId = alertIdOf(announced.payload);
  if (alertId !== null) {
    await storeChatMessage(db, { accountId, integrationId: id, alertId, ...posted });
  }
  return DELIVERED;
}

/** The alert that an announcement is about; null if it is about none. */
function alertIdOf(payload: AnnouncementPayload): string | null {
  if (payload.about !== "alert" && payload.about !== "comment") return null;
  const id = payload.about === "alert" ? payload.alert.id : payload.comment.alert_id;
  return typeof id === "string" ? id : null;
}

async function call(chat: ChatApp, request: OutgoingRequest, send: Send): Promise<Called> {
  const called = await send(request, (response) => readAnswer(chat, response));
  return "attempt" in called ? called : { attempt: called, posted: null, isLost: false };
}

async function readAnswer(chat: ChatApp, response: Response): Promise<Called> {
  const { status, headers } = response;
  const { text } = await readStart(response, MAX_ANSWER);
  const read = chat.read(status, parseJson(text));
  if (read.kind === "done") {
    return { attempt: outcome("delivered", status, null), posted: read.posted, isLost: false };
  }
  const { kind, reason } = read;
  const attempt = outcome(kind === "again" ? "again" : "refused", status, reason);
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), Date.now());
  const paused = kind === "again" ? { ...attempt, retryAfterMs } : attempt;
  return { attempt: paused, posted: null, isLost: kind === "lost" };
}
