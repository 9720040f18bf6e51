// Calls to Teams by the Bot Connector, and what its answers mean (https://learn.microsoft.com/azure/bot-service/
// rest-api/bot-framework-rest-connector-api-reference: errors have a `code`).
import { stringAt } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import type { ChatOutcome, OutgoingRequest } from "../integration-type.ts";
import type { TokenSource } from "../outgoing/access-token.ts";

/** Teams of the public cloud, for all regions. */
export const TEAMS_SERVICE = "https://smba.trafficmanager.net/teams";

const SCOPE = "https://api.botframework.com/.default";

/**
 * Where the bot's tokens come from (https://learn.microsoft.com/azure/bot-service/rest-api/
 * bot-framework-rest-connector-authentication).
 */
export const teamsTokens = (appId: string, tenant: string, secret: string): TokenSource => ({
  title: "Microsoft",
  credentials: [appId, tenant, secret],
  request: async () => ({
    url: `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    form: {
      grant_type: "client_credentials",
      client_id: appId,
      client_secret: secret,
      scope: SCOPE,
    },
  }),
});

/** A call; its token is added when it is sent. `service`: the URL of Teams. */
export const teamsCall = (
  service: string,
  method: "POST" | "PUT",
  path: string,
  body: unknown,
): OutgoingRequest => ({
  method,
  url: joinUrl(service, `/v3/conversations${path}`),
  body,
});

/** The path of a conversation's activities; of one of them, with its id. */
export const activitiesOf = (conversation: string, activity?: string): string =>
  `/${encodeURIComponent(conversation)}/activities${activity === undefined ? "" : `/${encodeURIComponent(activity)}`}`;

/** The conversation or the message was deleted. */
const LOST: ReadonlySet<string> = new Set([
  "ActivityNotFoundInConversation",
  "ConversationNotFound",
  "MessageNotFound",
]);

/** Reads an answer. Its body may repeat the message: only the error's code is passed on. */
export function readTeamsAnswer(status: number, body: unknown): ChatOutcome {
  if (status >= 200 && status < 300) {
    // Of a new conversation; a reply's answer has only its id.
    const [channel, messageId] = [stringAt(body, "id"), stringAt(body, "activityId")];
    const isPosted = channel !== "" && messageId !== "";
    return { kind: "done", posted: isPosted ? { channel, messageId } : null };
  }
  const code = stringAt(body, "error", "code");
  const error = /^\w{1,60}$/.test(code) ? code : "";
  const reason = `Teams answered ${status}${error === "" ? "" : `: ${error}`}`;
  // The token has expired, or was withdrawn: the next attempt has a new one. 412: another edit is under way.
  const isTemporary = [401, 408, 412, 429].includes(status) || status >= 500;
  if (isTemporary || error === "") return { kind: "again", reason };
  return { kind: LOST.has(error) ? "lost" : "refused", reason };
}
