// Shared by the callbacks of chat products: 404 unless the path names an enabled integration that has
// what its requests are verified with, 403 (or 401) without a valid signature. The path names the
// integration, since each account has an app of its own.
import { createHash } from "node:crypto";
import type { Context as HonoContext } from "hono";
import { claimChatRequest } from "../../db/integrations/chat-rows.ts";
import {
  type OutgoingIntegration,
  selectOutgoingIntegration,
} from "../../db/integrations/outgoing-rows.ts";
import { openSession } from "../../db/shared/database.ts";
import { first } from "../../db/shared/select.ts";
import type { ChatProduct } from "../../domain/people/chat.ts";
import { isPrefixId } from "../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { HOUR } from "../../domain/shared/time.ts";
import { countFailure, lookUpCredential } from "../../http/access/failure-limit.ts";
import { respond } from "../../http/answers.ts";
import { readBytes } from "../../http/parameters/body.ts";
import type { Environment } from "../../http/serve.ts";

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
    return refuse("unavailable", `the keys of ${signing.title} cannot be read now`);
  }
  if (!isSigned) {
    const notSigned = refuse(signing.notSigned, `this is not signed by ${signing.title}`);
    return (await countFailure(env, address)) ?? notSigned;
  }
  const body = new TextDecoder().decode(bytes);
  return { context, env, db, signing, integration, body, now };
}

/** Wraps a handler that gets only requests that the product has signed. */
export const fromChat =
  (signing: ChatSigning, handle: (request: ChatRequest) => Promise<Response>) =>
  async (context: HonoContext<Environment>): Promise<Response> => {
    const request = await readRequest(signing, context);
    return isRefusal(request) ? respond(request, context.get("requestId")) : handle(request);
  };

const REPLAYED = refuse("forbidden", "this request was received before");

/** How long the tokens of makers that sign no bodies are valid (ms), and so a request captured with one. */
const TOKEN_MS = HOUR;

/** The same for a request whose token does not cover its body. */
export const refuseRepeatedBody = (request: ChatRequest): Promise<Response | null> =>
  refuseReplay(request, createHash("sha256").update(request.body).digest("hex"), TOKEN_MS);

/**
 * Claims a request that must be performed once; the response to one that was received before.
 *
 * @param signature what is unique to the request
 * @param toleranceMs how long a signature is valid
 */
export async function refuseReplay(
  { context, db, integration, now }: ChatRequest,
  signature: string,
  toleranceMs: number,
): Promise<Response | null> {
  const { accountId, id } = integration;
  // A timestamp may be ahead of our clock.
  const since = now - 2 * toleranceMs;
  const isNew = await claimChatRequest(db, accountId, id, signature, now, since);
  return isNew ? null : respond(REPLAYED, context.get("requestId"));
}
