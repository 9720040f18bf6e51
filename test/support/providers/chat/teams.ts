// A fake Teams with its Bot Connector. It checks calls against the documentation, keeps the conversations
// of a channel and of people, sends activities with a signed token, and can fail:
// - https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication: a form with
//   grant_type, client_id, client_secret, scope to the tenant's endpoint; requests to the bot have a token by
//   https://api.botframework.com for the app's id, whose claim `serviceurl` is the activity's, and keys have endorsements
// - …/bot-framework-rest-connector-api-reference: POST /v3/conversations (isGroup, bot, members, tenantId, channelData,
//   activity; the answer has id and activityId), POST …/{conversation}/activities, PUT …/activities/{activity}; errors
//   {error: {code, message}}
// - https://learn.microsoft.com/microsoftteams/platform/bots/how-to/conversations/channel-and-group-conversations: a message
//   in a channel begins a conversation, whose id has `;messageid=`; mentions are entities, and <at> in the text
// - …/task-modules-and-cards/cards/universal-actions-for-adaptive-cards/work-with-universal-actions-for-adaptive-cards: an
//   invoke `adaptiveCard/action`; the answer has statusCode, type and value
import { type Account, call, type Reply } from "../../api/api.ts";
import { serveAt } from "../outbound.ts";
import { forgeToken, publishKeys, signToken } from "./maker-key.ts";
import { cardIn, executed, isMessage } from "./teams-message.ts";

const CHANNEL = "19:0123456789abcdef0123456789abcdef@thread.tacv2";
const TENANT = "11111111-2222-3333-4444-555555555555";
const APP = "66666666-7777-8888-9999-aaaaaaaaaaaa";
const SECRET = "only-microsoft~knows";
const ISSUER = "https://api.botframework.com";
const SERVICE = "https://smba.trafficmanager.net/emea/";

type Json = Record<string, any>;

export type TeamsMessage = { readonly id: string; readonly conversation: string; body: Json };

export type Teams = {
  readonly messages: TeamsMessage[];
  /** Answers instead of accepting, first one first. */
  readonly failures: (() => Response)[];
  /** How many access tokens were given. */
  tokens: number;
  /** Whether people have the app, so that the bot can write to them. */
  isInstalled: boolean;
  /** The latest message of an alert. */
  readonly rootOf: (alertId: string) => TeamsMessage | undefined;
  /** The texts of a conversation, without the message that began it. */
  readonly textsIn: (conversation: string) => string[];
};

export const failing = (status: number, code: string) => () =>
  Response.json({ error: { code, message: "secret +14155550123" } }, { status });

let ids = 1_700_000_000_000;
const newId = () => {
  ids += 1;
  return String(ids);
};

/** A person's id for the bot. */
const userId = (name: string): string => `29:1${name}-0123456789`;

/** A person's conversation with the bot. */
export const personal = (name: string): string => `a:${userId(name)}`;

function begin(teams: Teams, sent: Json): Response {
  if (sent.bot?.id !== `28:${APP}` || sent.tenantId !== TENANT) return failing(400, "BadSyntax")();
  if (!sent.isGroup) {
    const [member] = sent.members;
    if (!teams.isInstalled) return failing(403, "BotNotInConversationRoster")();
    return Response.json({ id: `a:${member.id}` }, { status: 201 });
  }
  if (sent.channelData?.channel?.id !== CHANNEL) return failing(404, "ConversationNotFound")();
  if (!isMessage(sent.activity)) return failing(400, "BadSyntax")();
  const id = newId();
  const conversation = `${CHANNEL};messageid=${id}`;
  teams.messages.push({ id, conversation, body: sent.activity });
  return Response.json({ id: conversation, activityId: id }, { status: 201 });
}

function answer(teams: Teams, method: string, path: string, sent: Json): Response {
  if (method === "POST" && path.endsWith("/v3/conversations")) return begin(teams, sent);
  const [, conversation = "", id] =
    /\/v3\/conversations\/([^/]+)\/activities(?:\/(\d+))?$/.exec(path) ?? [];
  const within = decodeURIComponent(conversation);
  if (!isMessage(sent)) return failing(400, "BadSyntax")();
  const isKnown =
    within.startsWith("a:") || teams.messages.some(({ conversation: it }) => it === within);
  if (!isKnown) return failing(404, "ConversationNotFound")();
  if (method === "POST") {
    const created = { id: newId(), conversation: within, body: sent };
    teams.messages.push(created);
    return Response.json({ id: created.id }, { status: 201 });
  }
  const found = teams.messages.find((it) => it.id === id);
  if (method !== "PUT" || found === undefined || sent.id !== id) {
    return failing(404, "ActivityNotFoundInConversation")();
  }
  found.body = sent;
  return Response.json({ id });
}

/** Starts Teams. */
export function openTeams(): Teams {
  const teams: Teams = {
    ...{ messages: [], failures: [], tokens: 0, isInstalled: true },
    rootOf: (alertId) =>
      teams.messages.findLast(({ body }) =>
        executed(cardIn(body) ?? {}).some(({ data }) => data.alert === alertId),
      ),
    textsIn: (conversation) =>
      teams.messages
        .filter((it) => it.conversation === conversation && cardIn(it.body) === undefined)
        .map(({ body }) => body.text),
  };
  serveAt("login.microsoftonline.com", ({ url, body }) => {
    const form = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)));
    const isRight =
      url.pathname === `/${TENANT}/oauth2/v2.0/token` &&
      form.grant_type === "client_credentials" &&
      form.client_id === APP &&
      form.client_secret === SECRET &&
      form.scope === "https://api.botframework.com/.default";
    if (isRight) teams.tokens += 1;
    return isRight
      ? Response.json({ access_token: "eyJ.bot", expires_in: 3_599, token_type: "Bearer" })
      : Response.json({ error: "invalid_client" }, { status: 401 });
  });
  serveAt("smba.trafficmanager.net", ({ method, url, headers, body }) => {
    const failure = teams.failures.shift();
    if (failure) return failure();
    if (headers.get("authorization") !== "Bearer eyJ.bot") return failing(401, "Unauthorized")();
    return answer(teams, method, url.pathname, JSON.parse(new TextDecoder().decode(body)));
  });
  publishKeys("login.botframework.com", "/v1/.well-known/keys", {
    endorsements: ["webchat", "msteams"],
  });
  return teams;
}

export type TeamsApp = {
  readonly id: string;
  readonly prefixId: string;
  /** Sends an activity; its token is the Bot Connector's for the app unless it says otherwise. */
  readonly send: (activity: Json, more?: { claims?: Json; forged?: boolean }) => Promise<Reply>;
  /** Sends the same request again. */
  readonly sendAgain: () => Promise<Reply>;
};

/** Creates a `teams_app` for an account; `more` overrides its parameters. */
export async function makeTeamsApp(
  account: Account,
  more: Record<string, unknown> = {},
): Promise<TeamsApp> {
  const made = await account.api("POST", "/integrations", {
    ...{ name: "Teams", urgency: "low", integration_type_id: "teams_app" },
    ...{ option_channel: CHANNEL, option_tenant: TENANT, option_app_id: APP },
    ...{ option_client_secret: SECRET, option_everything: true },
    account_user_ids: [account.accountUserId],
    ...more,
  });
  if (made.status !== 201) throw new Error(made.text);
  const path = `/callbacks/teams/${made.body.prefix_id}/messages`;
  let last: { body: string; headers: Record<string, string> } = { body: "", headers: {} };
  const sendAgain = () => call("POST", path, last);
  return {
    id: made.body.id,
    prefixId: made.body.prefix_id,
    sendAgain,
    send: async (activity, { claims = {}, forged = false } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const times = { nbf: now, exp: now + 3_600 };
      const whole = { iss: ISSUER, aud: APP, serviceurl: SERVICE, ...times, ...claims };
      const token = await (forged ? forgeToken(whole) : signToken(whole));
      const body = JSON.stringify({ serviceUrl: SERVICE, channelId: "msteams", ...activity });
      const authorization = { Authorization: `Bearer ${token}` };
      last = { body, headers: { "Content-Type": "application/json", ...authorization } };
      return sendAgain();
    },
  };
}

const BOT = { id: `28:${APP}`, name: "Tocsin" };

/** What every activity of a person has. */
const from = (user: string, conversation: string, conversationType: string) => ({
  id: newId(),
  timestamp: new Date().toISOString(),
  from: { id: userId(user), name: user, aadObjectId: crypto.randomUUID() },
  recipient: BOT,
  conversation: { id: conversation, conversationType, tenantId: TENANT },
  channelData: { tenant: { id: TENANT } },
});

/** A press of an action of a message's card, with the value of its field. */
export function pressed(
  { body, conversation }: TeamsMessage,
  verb: string,
  user: string,
  value?: string,
) {
  const action = executed(cardIn(body) ?? {}).find((it) => it.verb === verb);
  if (!action) throw new Error(`the message has no ${verb}`);
  const typed = value !== undefined && { [`${verb}_value`]: value };
  return {
    type: "invoke",
    name: "adaptiveCard/action",
    ...from(user, conversation, "channel"),
    value: { action: { ...action, data: { ...action.data, ...typed } }, trigger: "manual" },
  };
}

type Written = { readonly conversation?: string; readonly mentions?: string };

const mentionOf = (name: string, id: string) => ({
  type: "mention",
  text: `<at>${name}</at>`,
  mentioned: { id, name },
});

/** A message in a channel that mentions the bot; with `mentions`, also a person, as `<at>name</at>`. */
export function wrote(user: string, text: string, { conversation, mentions }: Written = {}) {
  const people = mentions === undefined ? [] : [mentionOf(mentions, userId(mentions))];
  return {
    type: "message",
    ...from(user, conversation ?? `${CHANNEL};messageid=${newId()}`, "channel"),
    text: `<at>Tocsin</at>&nbsp;${text}`,
    entities: [{ type: "clientInfo", locale: "en" }, mentionOf(BOT.name, BOT.id), ...people],
  };
}

/** A message to other people, which the bot gets by the permission to read the channel. */
export const overheard = (user: string, text: string, conversation: string) => ({
  type: "message",
  ...from(user, conversation, "channel"),
  text,
});

/** A message in a person's own chat with the bot. */
export const wroteInPrivate = (user: string, text: string) => ({
  type: "message",
  ...from(user, personal(user), "personal"),
  text,
});
