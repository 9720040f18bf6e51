// Microsoft Teams: the account's bot writes to the Teams account that a person has linked, in their own
// chat with it. An open alert has the buttons Acknowledge and Pass on; the message changes once anybody
// has answered.
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import { stringAt } from "../../domain/shared/json.ts";
import { oneLine } from "../content.ts";
import {
  type FurtherSettings,
  type Messenger,
  outcomeOf,
  type ProviderAnswer,
} from "../messenger.ts";
import { forgetToken } from "../outgoing/access-token.ts";
import { answerCard } from "./alert-card.ts";
import { activitiesOf, readTeamsAnswer, TEAMS_SERVICE } from "./api.ts";
import { botOf, botRequest, botToken, openConversation, type TeamsBot } from "./bot.ts";

const MAX_TITLE = 300;
const MAX_BODY = 3_000;

const NOT_LINKED: FurtherSettings = {
  kind: "permanent",
  reason:
    "no Microsoft Teams account is linked: press a button of an alert there, or write to the app, and follow its link",
};

/** The conversations with people, by the bot's app and the person's id for it. */
const conversations = new Map<string, string>();
const MAX_CONVERSATIONS = 10_000;

function readAnswer(answer: ProviderAnswer, now: number) {
  const { status, body } = answer;
  const read = readTeamsAnswer(status, body);
  if (read.kind === "done") return outcomeOf("Teams", answer, now, stringAt(body, "id"), {});
  const kind = read.kind === "again" ? ("temporary" as const) : ("permanent" as const);
  return { kind, reason: read.reason };
}

async function conversationWith(
  env: Cloudflare.Env,
  bot: TeamsBot,
  token: string,
  service: string,
  userId: string,
): Promise<string | Exclude<FurtherSettings, { kind: "settings" }>> {
  const key = `${bot.appId} ${userId}`;
  const known = conversations.get(key);
  if (known !== undefined) return known;
  const opened = await openConversation(env, bot, token, service, userId);
  if (opened === null) return { kind: "temporary", reason: "Teams could not be reached" };
  if (typeof opened !== "string") {
    const read = readAnswer(opened, Date.now());
    return read.kind === "sent" ? { kind: "temporary", reason: "Teams opened no chat" } : read;
  }
  if (conversations.size >= MAX_CONVERSATIONS) conversations.clear();
  conversations.set(key, opened);
  return opened;
}

export const teams: Messenger = {
  channel: "teams",
  title: MESSENGER_TITLES.teams,
  about:
    "Your account's Teams app writes to the Teams account that you have linked. You answer by the buttons of its messages.",
  proof: "code",
  fields: [],
  isSetUp: (env) => Boolean(env.PUBLIC_URL),
  appType: "teams_app",
  furtherSettings: async (env, apps) => {
    const receiver = await apps.readTeamsReceiver();
    if (receiver === null) return NOT_LINKED;
    const { options, userId } = receiver;
    const bot = botOf(receiver);
    const service = options.service_url ? String(options.service_url) : TEAMS_SERVICE;
    const obtained = await botToken(env, bot, Date.now());
    if (obtained.kind !== "token") {
      const kind = obtained.kind === "again" ? "temporary" : "permanent";
      return { kind, reason: obtained.reason };
    }
    const { token } = obtained;
    const conversation = await conversationWith(env, bot, token, service, userId);
    if (typeof conversation !== "string") return conversation;
    return { kind: "settings", settings: { service, token, conversation } };
  },
  request: (_, { service = "", token = "", conversation = "" }, content) => {
    const { title, body, url, asks, recordId } = content;
    const line = (title || "Tocsin").slice(0, MAX_TITLE).toWellFormed();
    const text = body.slice(0, MAX_BODY).toWellFormed();
    const alertId = asks ? recordId : null;
    return botRequest(token, service, "POST", activitiesOf(conversation), {
      type: "message",
      // Shown in notifications.
      summary: line,
      attachments: [answerCard(line, text, url, alertId)],
    });
  },
  read: readAnswer,
  refused: ({ headers }) => forgetToken((headers.Authorization ?? "").replace(/^Bearer /, "")),
  close: (_, { service = "", token = "", conversation = "" }, id, { outcome, title }) =>
    botRequest(token, service, "PUT", activitiesOf(conversation, id), {
      type: "message",
      id,
      attachments: [answerCard(oneLine(`${outcome}: ${title}`), "", null, null)],
    }),
};
