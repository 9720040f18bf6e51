// Shared by the callbacks of chat products: 404 unless the path names an enabled integration that has
// what its requests are verified with, 403 (or 401) without a valid signature. The path names the
// integration, since each account has an app of its own.
import type { Context as HonoContext } from "hono";
import type { ChatProduct } from "../../../domain/people/chat.ts";
import { isPrefixId } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { openSession } from "../../../kernel/db/database.ts";
import { first } from "../../../kernel/db/select.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import { countFailure, lookUpCredential } from "../../../kernel/http/failure-limit.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import {
  type OutgoingIntegration,
  selectOutgoingIntegration,
} from "../../integrations/deliveries/rows.ts";
import { actOnce } from "../callbacks/once.ts";
import { refusedWords } from "../callbacks/provider-request.ts";

/** How a product signs its requests. */
export type ChatSigning = {
  readonly product: ChatProduct;
  readonly title: string;
  /** The name of the integration type. */
  readonly type: string;
  /** `unknown`: the product's keys cannot be read now. */
  readonly isSigned: (
    integration: OutgoingIntegration,
    headers: Headers,
    body: Uint8Array,
    now: number,
  ) => boolean | Promise<boolean | "unknown">;
  /** Whether the integration has what its requests are verified with; otherwise they get 404. */
  readonly canVerify: (integration: OutgoingIntegration) => boolean;
  /** Why a request is refused that is not signed. */
  readonly notSigned: "forbidden" | "unauthenticated";
  /** What counts once: all that is verified, or read from what is not signed. Null: it may be repeated. */
  readonly claimOf: (request: ChatRequest) => readonly string[] | null;
  /** How long a request that was verified once would still be (ms). */
  readonly validMs: number;
  /** The response to a request that was received before, or is being acted on, if it is not refused. */
  readonly repeated?: (words: string) => Response;
};

export type ChatRequest = {
  readonly context: HonoContext<Environment>;
  readonly env: Cloudflare.Env;
  /** Reads from the primary, so that the latest writes are seen. */
  readonly db: D1DatabaseSession;
  readonly signing: ChatSigning;
  readonly integration: OutgoingIntegration;
  readonly body: string;
  readonly now: number;
  /** Lets the request be made again: nothing was done. */
  readonly release: () => void;
};

const UNKNOWN = refuse("not_found", "no such endpoint");

async function readRequest(
  signing: ChatSigning,
  context: HonoContext<Environment>,
): Promise<ChatRequest | Refusal> {
  const { env, req } = context;
  const address = req.header("cf-connecting-ip");
  const name = req.param("integration") ?? "";
  const db = openSession(env.DB, null, true);
  // The name is public: only the product's signature proves a request.
  const provenance = isPrefixId(name) ? "unproven" : "wrong";
  const presented = { env, address, credential: `chat ${name}`, provenance } as const;
  const integration = await lookUpCredential(presented, () =>
    first(db, selectOutgoingIntegration(name)),
  );
  if (integration === null || isRefusal(integration)) return integration ?? UNKNOWN;
  const isUsable = integration.type === signing.type && integration.enabled;
  if (!isUsable || !signing.canVerify(integration)) {
    return (await countFailure(env, address)) ?? UNKNOWN;
  }
  const bytes = await readBytes(req.raw);
  if (isRefusal(bytes)) return bytes;
  const now = Date.now();
  const isSigned = await signing.isSigned(integration, req.raw.headers, bytes, now);
  if (isSigned === "unknown") {
    const unknown = refuse("unavailable", `the keys of ${signing.title} cannot be read now`);
    return (await countFailure(env, address)) ?? unknown;
  }
  if (!isSigned) {
    const notSigned = refuse(signing.notSigned, `this is not signed by ${signing.title}`);
    return (await countFailure(env, address)) ?? notSigned;
  }
  const body = new TextDecoder().decode(bytes);
  return { context, env, db, signing, integration, body, now, release: () => {} };
}

const REPLAYED = refuse("forbidden", "this request was received before");
const BEFORE = "Your answer was received before.";

/**
 * Wraps a handler that gets only requests that the product has signed, each once: what was verified is
 * claimed, however its signature is written.
 */
export const fromChat =
  (signing: ChatSigning, handle: (request: ChatRequest) => Promise<Response>) =>
  async (context: HonoContext<Environment>): Promise<Response> => {
    const request = await readRequest(signing, context);
    const requestId = context.get("requestId");
    if (isRefusal(request)) return respond(request, requestId);
    const what = signing.claimOf(request);
    if (what === null) return handle(request);
    const { db, integration, now } = request;
    const { accountId, id } = integration;
    // A timestamp may be ahead of our clock.
    const once = { by: id, what, now, accountId, keptMs: 2 * signing.validMs };
    let isDone = true;
    const release = () => {
      isDone = false;
    };
    const act = () => handle({ ...request, release });
    const response = await actOnce(db, once, act, () => isDone);
    if (response === null) return signing.repeated?.(BEFORE) ?? respond(REPLAYED, requestId);
    if (!isRefusal(response)) return response;
    return signing.repeated?.(refusedWords(response)) ?? respond(response, requestId);
  };
