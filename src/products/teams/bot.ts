// The calls of a Teams bot to people: its access token, and the conversation with one person, which nobody
// else reads (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference).
import { stringOf, valueAt } from "../../domain/shared/json.ts";
import { callProvider } from "../call-provider.ts";
import {
  type ChatReceiver,
  jsonRequest,
  type ProviderAnswer,
  type ProviderRequest,
} from "../messenger.ts";
import {
  forgetToken,
  type ObtainedToken,
  obtainToken,
  type TokenAnswer,
  type TokenRequest,
} from "../outgoing/access-token.ts";
import { teamsCall, teamsTokens } from "./api.ts";

export type TeamsBot = {
  readonly appId: string;
  readonly tenant: string;
  readonly secret: string;
};

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** The bot of a `teams_app` integration. */
export const botOf = ({ options, secrets }: Pick<ChatReceiver, "options" | "secrets">) =>
  ({
    appId: stringOf(options.app_id),
    tenant: stringOf(options.tenant),
    secret: secrets.client_secret ?? "",
  }) satisfies TeamsBot;

/** The bot's access token: one in memory, or a new one. `now`: epoch ms. */
export function botToken(
  env: Cloudflare.Env,
  { appId, tenant, secret }: TeamsBot,
  now: number,
): Promise<ObtainedToken> {
  const ask = async ({ url, form }: TokenRequest): Promise<TokenAnswer> => {
    const body = new URLSearchParams(form).toString();
    const answer = await callProvider(env, { method: "POST", url, headers: FORM, body });
    return typeof answer === "string" ? null : answer;
  };
  return obtainToken(teamsTokens(appId, tenant, secret), ask, now);
}

/** A request of the bot's. `service`: the URL of Teams. */
export function botRequest(
  token: string,
  service: string,
  method: ProviderRequest["method"],
  path: string,
  body: unknown,
): ProviderRequest {
  const { url } = teamsCall(service, method, path, body);
  return jsonRequest(method, url, body, { Authorization: `Bearer ${token}` });
}

/**
 * Opens the conversation with a person; an open one is given again.
 *
 * @param userId the person's id for the bot
 * @returns its id; or the answer without one; null if there was none
 */
export async function openConversation(
  env: Cloudflare.Env,
  { appId, tenant }: TeamsBot,
  token: string,
  service: string,
  userId: string,
): Promise<string | ProviderAnswer | null> {
  const body = {
    isGroup: false,
    bot: { id: `28:${appId}` },
    members: [{ id: userId }],
    tenantId: tenant,
    channelData: { tenant: { id: tenant } },
  };
  const answer = await callProvider(env, botRequest(token, service, "POST", "", body));
  if (typeof answer === "string") return null;
  if (answer.status === 401) forgetToken(token);
  const id = valueAt(answer.body, "id");
  return answer.status < 300 && typeof id === "string" && id !== "" ? id : answer;
}
