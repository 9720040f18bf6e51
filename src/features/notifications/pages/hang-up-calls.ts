// Hangs up calls about an alert that somebody has answered elsewhere. A call about several alerts
// goes on until all of them are answered; the call that gave the answer says goodbye by itself.
import { hasCalls, lastAnswer } from "../../../domain/notifications/close-message.ts";
import { statement } from "../../../kernel/db/database.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Sent } from "../../../products/channel.ts";
import { hangUp } from "../channels/hang-up.ts";
import { markClosed } from "./open-message-rows.ts";
import { markHangingUp, type RingingCall, selectRinging } from "./ringing-call-rows.ts";

/** Hangs up the calls about an alert that nobody needs to answer. Safe to repeat. */
export async function hangUpCalls(
  accountId: string,
  alertId: string,
  env: Cloudflare.Env,
): Promise<readonly Sent[]> {
  if (!hasCalls(env)) return [];
  const rows = await all(env.DB, selectRinging(accountId, alertId, Date.now()));
  const calls = [...Map.groupBy(rows, ({ providerId }) => providerId).values()];
  const answered = calls.filter((call) => call.every(({ isAnswered }) => isAnswered));
  return Promise.all(answered.map((call) => endCall(call, env)));
}

/** Ends one call, which is about one alert or several. */
async function endCall(call: readonly RingingCall[], env: Cloudflare.Env): Promise<Sent> {
  const providerId = call[0]?.providerId ?? "";
  const answer = lastAnswer(call.flatMap(({ entries }) => entries));
  const reason = `hung up: ${answer ?? "nobody needs to answer"}`;
  const marked = await all(env.DB, markHangingUp(call, reason, Date.now()));
  if (marked.length === 0) return { kind: "sent", providerId };
  const ended = await hangUp(env, providerId);
  if (ended.kind !== "temporary") await statement(env.DB, markClosed(call, Date.now())).run();
  return ended;
}
