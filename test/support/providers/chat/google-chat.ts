// A fake Google Chat. It checks calls against the documentation, keeps the messages of a space, sends
// events with a signed token, and can fail:
// - https://developers.google.com/identity/protocols/oauth2/service-account: a form with grant_type and assertion
//   (RS256; iss, scope, aud, iat, exp at most an hour later); the answer has access_token and expires_in
// - https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages: POST /v1/{space}/messages
//   with `messageReplyOption`, PATCH /v1/{message}?updateMask=…; a message has name, thread.name; text ≤ 4,096
//   characters, all ≤ 32,000 bytes; errors {error: {code, message, status}}
// - …/workspace/chat/api/reference/rest/v1/cards: header with a title; buttons with text and onClick; an action has
//   function, parameters of key and value, and interaction OPEN_DIALOG
// - …/workspace/chat/verify-requests-from-chat: a bearer token by chat@system.gserviceaccount.com for the project's number
// - …/workspace/chat/api/reference/rest/v1/Event: CARD_CLICKED with action.actionMethodName and parameters,
//   dialogEventType, common.formInputs; MESSAGE with argumentText, annotations, slashCommand
import { verify } from "hono/jwt";
import { type Account, call, type Reply } from "../../api/api.ts";
import { serveAt } from "../outbound.ts";
import { isMessage } from "./google-chat-message.ts";
import { forgeToken, publishKeys, signToken } from "./maker-key.ts";

const SPACE = "spaces/AAAAtocsin1";
const PROJECT = "123456789012";
const ISSUER = "chat@system.gserviceaccount.com";
const EMAIL = "tocsin@project.iam.gserviceaccount.com";
const TOKEN_URL = "https://oauth2.googleapis.com/token";

type Json = Record<string, any>;

export type GoogleMessage = { readonly name: string; readonly thread: string; body: Json };

export type GoogleChat = {
  readonly messages: GoogleMessage[];
  /** Answers instead of accepting, first one first. */
  readonly failures: (() => Response)[];
  /** How many access tokens were given. */
  tokens: number;
  /** The latest message of an alert. */
  readonly rootOf: (alertId: string) => GoogleMessage | undefined;
  readonly threadOf: (message: GoogleMessage) => string[];
  /** The JSON key of the app's service account. */
  readonly key: string;
};

export const failing = (code: number, status: string) => () =>
  Response.json({ error: { code, message: "secret +14155550123", status } }, { status: code });

let ids = 0;
const newId = () => {
  ids += 1;
  return `m${ids}`;
};

function answer(chat: GoogleChat, method: string, url: URL, sent: Json): Response {
  const path = url.pathname.slice("/v1/".length);
  const found = chat.messages.find(({ name }) => name === path);
  if (!isMessage(sent)) return failing(400, "INVALID_ARGUMENT")();
  if (method === "PATCH") {
    if (found === undefined) return failing(404, "NOT_FOUND")();
    if (url.searchParams.get("updateMask") !== "cardsV2") return failing(400, "INVALID_ARGUMENT")();
    found.body = { ...found.body, cardsV2: sent.cardsV2 };
    return Response.json({ name: found.name, thread: { name: found.thread } });
  }
  if (method !== "POST" || path !== `${SPACE}/messages`) return failing(404, "NOT_FOUND")();
  const asked = sent.thread?.name;
  if (asked !== undefined && !chat.messages.some(({ thread }) => thread === asked)) {
    return failing(404, "NOT_FOUND")();
  }
  const id = newId();
  const thread = asked ?? `${SPACE}/threads/${id}`;
  const created = { name: `${SPACE}/messages/${id}`, thread, body: sent };
  chat.messages.push(created);
  return Response.json({ name: created.name, thread: { name: thread } });
}

/** Starts Google Chat, with a service account of an app. */
export async function openGoogleChat(): Promise<GoogleChat> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  };
  const pair = (await crypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const pkcs8 = Buffer.from(
    (await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer,
  );
  const pem = `-----BEGIN PRIVATE KEY-----\n${pkcs8.toString("base64")}\n-----END PRIVATE KEY-----\n`;
  const chat: GoogleChat = {
    ...{ messages: [], failures: [], tokens: 0 },
    rootOf: (alertId) =>
      chat.messages.findLast(({ body }) =>
        (body.cardsV2 ?? []).some(({ cardId }: Json) => cardId === alertId),
      ),
    threadOf: ({ name, thread }) =>
      chat.messages
        .filter((it) => it.thread === thread && it.name !== name)
        .map(({ body }) => body.text),
    key: JSON.stringify({ type: "service_account", client_email: EMAIL, private_key: pem }),
  };
  serveAt("oauth2.googleapis.com", async ({ body }) => {
    const form = new URLSearchParams(new TextDecoder().decode(body));
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") {
      return Response.json({ error: "unsupported_grant_type" }, { status: 400 });
    }
    const claims = await verify(form.get("assertion") ?? "", pair.publicKey, {
      alg: "RS256",
      iss: EMAIL,
      aud: TOKEN_URL,
    }).catch(() => null);
    const isLimited = claims?.scope === "https://www.googleapis.com/auth/chat.bot";
    if (!isLimited || Number(claims?.exp) - Number(claims?.iat) > 3_600) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    chat.tokens += 1;
    return Response.json({ access_token: "ya29.token", expires_in: 3_599, token_type: "Bearer" });
  });
  serveAt("chat.googleapis.com", ({ method, url, headers, body }) => {
    const failure = chat.failures.shift();
    if (failure) return failure();
    if (headers.get("authorization") !== "Bearer ya29.token") {
      return failing(401, "UNAUTHENTICATED")();
    }
    return answer(chat, method, url, JSON.parse(new TextDecoder().decode(body)));
  });
  publishKeys("www.googleapis.com", `/service_accounts/v1/jwk/${ISSUER}`);
  return chat;
}

export type GoogleApp = {
  readonly id: string;
  readonly prefixId: string;
  /** Sends an event; its token is Google's for the app unless it says otherwise. */
  readonly send: (event: Json, more?: { claims?: Json; forged?: boolean }) => Promise<Reply>;
  /** Sends the same request again. */
  readonly sendAgain: () => Promise<Reply>;
};

/** Creates a `google_chat_app` for an account; `more` overrides its parameters. */
export async function makeGoogleApp(
  account: Account,
  { key }: GoogleChat,
  more: Record<string, unknown> = {},
): Promise<GoogleApp> {
  const made = await account.api("POST", "/integrations", {
    ...{ name: "Google Chat", urgency: "low", integration_type_id: "google_chat_app" },
    ...{ option_space: SPACE, option_service_account: key, option_project_number: PROJECT },
    ...{ option_everything: true, account_user_ids: [account.accountUserId] },
    ...more,
  });
  if (made.status !== 201) throw new Error(made.text);
  const path = `/callbacks/google-chat/${made.body.prefix_id}/events`;
  let last: { body: string; headers: Record<string, string> } = { body: "", headers: {} };
  const sendAgain = () => call("POST", path, last);
  return {
    id: made.body.id,
    prefixId: made.body.prefix_id,
    sendAgain,
    send: async (event, { claims = {}, forged = false } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const whole = { iss: ISSUER, aud: PROJECT, iat: now, exp: now + 3_600, ...claims };
      const token = await (forged ? forgeToken(whole) : signToken(whole));
      const body = JSON.stringify({ eventTime: new Date().toISOString(), ...event });
      const authorization = { Authorization: `Bearer ${token}` };
      last = { body, headers: { "Content-Type": "application/json", ...authorization } };
      return sendAgain();
    },
  };
}

const userOf = (name: string) => ({
  name: `users/${name}`,
  displayName: name,
  type: "HUMAN",
});

const inSpace = (user: string) => ({
  user: userOf(user),
  space: { name: SPACE, type: "ROOM", spaceType: "SPACE" },
});

type Click = { readonly step?: string; readonly value?: string };

/** A press of a button of a message, or of its dialog. */
export function clicked(
  { name, thread, body }: GoogleMessage,
  action: string,
  user: string,
  { step, value }: Click = {},
) {
  const [root] = body.cardsV2;
  return {
    type: "CARD_CLICKED",
    ...inSpace(user),
    message: { name, thread: { name: thread } },
    action: { actionMethodName: action, parameters: [{ key: "alert", value: root.cardId }] },
    ...(step !== undefined && { dialogEventType: step, isDialogEvent: true }),
    common: {
      invokedFunction: action,
      ...(value !== undefined && { formInputs: { value: { stringInputs: { value: [value] } } } }),
    },
  };
}

type Written = { readonly command?: number; readonly thread?: string; readonly mentions?: string };

/** A message to the app: a mention, or a command by its id. */
export function wrote(user: string, text: string, { command, thread, mentions }: Written = {}) {
  const start = mentions === undefined ? -1 : text.indexOf(`@${mentions}`);
  const mention = {
    ...{ type: "USER_MENTION", startIndex: start, length: (mentions?.length ?? 0) + 1 },
    userMention: { user: userOf(mentions ?? ""), type: "MENTION" },
  };
  return {
    type: "MESSAGE",
    ...inSpace(user),
    message: {
      name: `${SPACE}/messages/${newId()}`,
      thread: { name: thread ?? `${SPACE}/threads/${newId()}` },
      ...{ text, argumentText: text.replace(/^\/\w+/, "") },
      annotations: start < 0 ? [] : [mention],
      ...(command !== undefined && { slashCommand: { commandId: String(command) } }),
    },
  };
}
