// The signature of requests to Teams bots: a token of the Bot Connector's for the bot's app
// (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication).
import { parseJson } from "../../../domain/shared/json.ts";
import { placeOf } from "../../../products/teams/read-activities.ts";
import { readSignedToken } from "./signed-token.ts";

const ISSUER = "https://api.botframework.com";
const KEYS_URL = "https://login.botframework.com/v1/.well-known/keys";

/** The channel whose activities come here; the keys of some others sign for those alone. */
const CHANNEL = "msteams";

function signsForTeams({ endorsements }: Readonly<Record<string, unknown>>): boolean {
  return !Array.isArray(endorsements) || endorsements.includes(CHANNEL);
}

/**
 * Whether the Bot Connector has signed a request for an app, and names the URL to which the answer goes:
 * our own token is sent there, too. Never throws.
 *
 * @param body as it was received
 * @param now epoch ms
 * @returns `unknown` if its keys cannot be read
 */
export async function isSignedByTeams(
  appId: string,
  headers: Headers,
  body: Uint8Array,
  now: number,
  keysUrl = KEYS_URL,
): Promise<boolean | "unknown"> {
  const token = await readSignedToken(headers, { keysUrl, issuer: ISSUER, audience: appId }, now);
  if (token === null || token === "unknown") return token ?? false;
  const { service } = placeOf(parseJson(new TextDecoder().decode(body)));
  return service !== "" && token.claims.serviceurl === service && signsForTeams(token.key);
}
