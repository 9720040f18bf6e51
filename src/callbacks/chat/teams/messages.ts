// Messages that the bot writes in answer to what it receives: into the same conversation, or into the
// personal one with a person, which nobody else reads.
import { callProvider } from "../../../channels/messengers/call-provider.ts";
import { jsonRequest, type ProviderAnswer } from "../../../channels/messengers/messenger.ts";
import type { ChatPerson } from "../../../domain/people/chat.ts";
import {
  forgetToken,
  obtainToken,
  type TokenAnswer,
  type TokenRequest,
} from "../../../integrations/chat/access-token.ts";
import { textAt } from "../../../integrations/chat/json-path.ts";
import { activitiesOf, teamsCall, teamsTokens } from "../../../integrations/chat/teams/api.ts";
import type { TeamsPlace } from "../../../integrations/chat/teams/read-activities.ts";
import { truncateText } from "../../../integrations/outgoing/message-text.ts";
import { linkText } from "../chat-person.ts";
import type { ChatRequest } from "../chat-request.ts";

const MAX_TEXT = 3_500;

const bodyOf = (text: string) => ({
  type: "message",
  text: truncateText(text, MAX_TEXT),
  textFormat: "plain",
});

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** Calls Teams with the bot's token. Null without an answer of success. */
async function call(
  { env, integration, now }: ChatRequest,
  service: string,
  path: string,
  body: unknown,
): Promise<ProviderAnswer | null> {
  const { options, secrets } = integration;
  const [app, tenant] = [String(options.app_id), String(options.tenant)];
  const tokens = teamsTokens(app, tenant, secrets.client_secret ?? "");
  const ask = async ({ url, form }: TokenRequest): Promise<TokenAnswer> => {
    const encoded = new URLSearchParams(form).toString();
    const answer = await callProvider(env, { method: "POST", url, headers: FORM, body: encoded });
    return typeof answer === "string" ? null : answer;
  };
  const obtained = await obtainToken(tokens, ask, now);
  if (obtained.kind !== "token") return null;
  const { url } = teamsCall(service, "POST", path, body);
  const authorization = { Authorization: `Bearer ${obtained.token}` };
  const answer = await callProvider(env, jsonRequest("POST", url, body, authorization));
  if (typeof answer === "string") return null;
  if (answer.status === 401) forgetToken(tokens);
  return answer.status < 300 ? answer : null;
}

/** Writes into the conversation, where everybody in it reads it. */
export async function write(
  request: ChatRequest,
  { service, conversation }: TeamsPlace,
  text: string,
): Promise<void> {
  await call(request, service, activitiesOf(conversation), bodyOf(text));
}

/** Writes to the person alone. Returns whether they get it. */
async function writeInPrivate(
  request: ChatRequest,
  { service, conversation, isPersonal }: TeamsPlace,
  { userId, workspaceId }: ChatPerson,
  text: string,
): Promise<boolean> {
  const begin = async () => {
    const begun = await call(request, service, "", {
      isGroup: false,
      bot: { id: `28:${request.integration.options.app_id}` },
      members: [{ id: userId }],
      tenantId: workspaceId,
      channelData: { tenant: { id: workspaceId } },
    });
    return textAt(begun?.body, "id");
  };
  const personal = isPersonal ? conversation : await begin();
  if (personal === "") return false;
  return (await call(request, service, activitiesOf(personal), bodyOf(text))) !== null;
}

/**
 * Sends the link by which somebody links their account, to them alone: whoever follows it would become
 * that person.
 *
 * @returns what to say where others read it
 */
export async function sendLink(
  request: ChatRequest,
  place: TeamsPlace,
  person: ChatPerson,
): Promise<string> {
  const isSent = await writeInPrivate(request, place, person, await linkText(request, person));
  return isSent
    ? "Link your Microsoft Teams account to Tocsin first: the app has sent you a link in your chat with it."
    : "Link your Microsoft Teams account to Tocsin first: write to the app in a chat of your own with it.";
}
