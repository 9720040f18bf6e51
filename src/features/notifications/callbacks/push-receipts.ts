// A browser's word that it has shown a push message: the message is delivered, which no push service tells. The
// address is signed for one notification.
import type { Context } from "hono";
import { refuse } from "../../../domain/shared/refusal.ts";
import { openSession } from "../../../kernel/db/database.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { countFailure } from "../../../kernel/http/failure-limit.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { readClaims } from "../../../kernel/links.ts";
import { PUSH_RECEIPT } from "../../people/channels/push-receipt.ts";
import { notifyWatchers } from "../../stubs.ts";
import { recordPushReceipt } from "../pages/push-receipt-rows.ts";

const NOT_SIGNED = refuse("forbidden", "this address is not valid");

/** `POST /callbacks/push/<token>`. Repeated ones change nothing. */
export async function servePushReceipt(context: Context<Environment>): Promise<Response> {
  const { env, req } = context;
  const read = await readClaims(env, req.param("token") ?? "", ["acc", "rec", "sub"], ["dev"]);
  if (read.kind !== "claims" || read.purpose !== PUSH_RECEIPT.purpose) {
    const refusal = await countFailure(env, req.header("cf-connecting-ip"));
    return respond(refusal ?? NOT_SIGNED, context.get("requestId"));
  }
  const [accountId = "", id = "", accountUserId = "", subscriptionId = ""] = read.claims;
  const db = openSession(env.DB, null, true);
  const key = { accountId, accountUserId, id };
  const watched = await recordPushReceipt(db, key, subscriptionId, Date.now());
  await notifyWatchers(env, watched);
  return new Response(null, { status: 204 });
}
