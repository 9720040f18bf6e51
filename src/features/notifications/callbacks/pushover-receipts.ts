// Pushover's call when a person acknowledges an emergency in its app: it answers the alert as that
// person. The address is signed for one person and one alert, since Pushover does not sign.
import type { Context } from "hono";
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { openSession } from "../../../kernel/db/database.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import { countFailure } from "../../../kernel/http/failure-limit.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { readClaims } from "../../../kernel/links.ts";
import { pushover } from "../../../products/messengers/pushover.ts";
import { acknowledgeAlert } from "../../alerts/alerts/verbs.ts";
import { readMemberName } from "../../people/channel-addresses/rows.ts";
import { answererContext } from "./answerer-context.ts";
import { actOnce, isAnswered } from "./once.ts";

const UNKNOWN = refuse("not_found", "no such endpoint");
const NOT_SIGNED = refuse("forbidden", "this address is not valid");

/** `POST /callbacks/pushover/<token>`. */
export async function servePushoverReceipt(context: Context<Environment>): Promise<Response> {
  const { env, req } = context;
  const requestId = context.get("requestId");
  if (!env.PUSHOVER_TOKEN || !env.LINK_SECRET) return respond(UNKNOWN, requestId);
  const read = await readClaims(env, req.param("token") ?? "", ["acc", "rec", "sub"]);
  if (read.kind !== "claims" || read.purpose !== pushover.callbackPath) {
    const refusal = await countFailure(env, req.header("cf-connecting-ip"));
    return respond(refusal ?? NOT_SIGNED, requestId);
  }
  const bytes = await readBytes(req.raw);
  if (isRefusal(bytes)) return respond(bytes, requestId);
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const [accountId = "", alertId = "", accountUserId = ""] = read.claims;
  const db = openSession(env.DB, null, true);
  const member = await readMemberName(db, accountId, accountUserId);
  if (member !== null && form.get("acknowledged") === "1") {
    const answerer = { accountId, accountUserId, name: member.name };
    const as = answererContext(context, db, answerer);
    const acknowledge = () => acknowledgeAlert(as, { form: "id", value: alertId });
    // Each message has a token of its own, and can be acknowledged once. A signature can be written in several ways.
    const what = (req.param("token") ?? "").split(".").slice(0, 2);
    const answered = await actOnce(
      db,
      { by: "pushover", what, now: as.now },
      acknowledge,
      isAnswered,
    );
    // Pushover would repeat a call that fails: only an outage is worth it.
    if (isRefusal(answered) && answered.reason === "unavailable") {
      return respond(answered, requestId);
    }
  }
  return new Response(null, { status: 204 });
}
