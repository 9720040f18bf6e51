// The callbacks of Mattermost: buttons of alerts, the dialogs that they open, and slash commands. What a
// person should know is shown to them alone.
import type { Hono } from "hono";
import { CHAT_TITLES } from "../../../domain/people/chat.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { stringOf } from "../../../domain/shared/json.ts";
import { refuse } from "../../../domain/shared/refusal.ts";
import { baseUrl } from "../../../domain/shared/urls.ts";
import { all } from "../../../kernel/db/select.ts";
import { respond } from "../../../kernel/http/answers.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { isSameSecret } from "../../../kernel/same-secret.ts";
import { callProvider } from "../../../products/call-provider.ts";
import {
  BUTTONS_MS,
  dialogToken,
  endOfButtons,
  endOfDialog,
} from "../../../products/mattermost/action-token.ts";
import { callbacksOf } from "../../../products/mattermost/alert-attachment.ts";
import {
  type DialogClaim,
  type DialogKind,
  type MattermostPress,
  type MattermostSubmission,
  readClaim,
  readMattermostCommand,
  readMattermostPress,
  readMattermostSubmission,
  stateOf,
} from "../../../products/mattermost/read-requests.ts";
import { escapeMarkdown } from "../../../products/mattermost/text.ts";
import { jsonRequest } from "../../../products/messenger.ts";
import { truncateText } from "../../../products/outgoing/message-text.ts";
import type { OutgoingIntegration } from "../../integrations/deliveries/rows.ts";
import { selectReceivers } from "../../people/account-users/receiver-names.ts";
import type { ChatMember } from "../../people/chat-accounts/rows.ts";
import { findMember, memberContext } from "./chat-person.ts";
import { type ChatRequest, type ChatSigning, fromChat } from "./chat-request.ts";
import { wordsFor } from "./chat-words.ts";
import { sendLink } from "./mattermost-messages.ts";
import { MAX_COMMENT, performAction, performCommand, performComment } from "./perform.ts";

const PRODUCT = {
  product: "mattermost",
  title: CHAT_TITLES.mattermost,
  type: "mattermost_app",
  notSigned: "forbidden",
  // Claims outlive the tokens of buttons.
  validMs: BUTTONS_MS,
} as const;

const idOf = ({ id }: OutgoingIntegration): string => prefixIdOf("integration", id);

const subjectOf = (integration: OutgoingIntegration, { alertId }: DialogClaim) => ({
  integrationId: idOf(integration),
  alertId,
});

const textIn = (body: Uint8Array): string => new TextDecoder().decode(body);

/** When the token of a button ends (epoch ms); null for anything else. */
const endOfPress = (integration: OutgoingIntegration, claim: DialogClaim): number | null =>
  endOfButtons(claim.token, integration.secrets.bot_token ?? "", subjectOf(integration, claim));

/** The same of a dialog's, which is that of the person who has opened it. */
const endOfSubmission = (integration: OutgoingIntegration, claim: DialogClaim): number | null => {
  const { dialog, userId } = claim;
  const subject = { ...subjectOf(integration, claim), dialog, userId };
  return endOfDialog(claim.token, integration.secrets.bot_token ?? "", subject);
};

/**
 * Buttons repeat the token that we gave them, which is another one as soon as the alert has changed: what
 * somebody does counts once with each. Asking for a dialog changes nothing.
 */
const PRESSES: ChatSigning = {
  ...PRODUCT,
  canVerify: ({ secrets }) => Boolean(secrets.bot_token),
  isSigned: (integration, _, body) => endOfPress(integration, readClaim(textIn(body))) !== null,
  claimOf: ({ body, integration }) => {
    const press = readMattermostPress(body, integration.options.server);
    if (press?.act.kind !== "action") return null;
    return [readClaim(body).token, press.person.userId, JSON.stringify(press.act.action)];
  },
  repeated: (words) => ephemeral(words),
};

/** Dialogs repeat a token of their own, and each counts once. */
const DIALOGS: ChatSigning = {
  ...PRESSES,
  isSigned: (integration, _, body) =>
    endOfSubmission(integration, readClaim(textIn(body))) !== null,
  claimOf: ({ body }) => [readClaim(body).token],
  repeated: (words) => inDialog(words),
};

/** Commands have the token that Mattermost made for them. */
const COMMANDS: ChatSigning = {
  ...PRODUCT,
  canVerify: ({ secrets }) => Boolean(secrets.command_tokens),
  isSigned: ({ secrets }, _, body) => {
    const token = new URLSearchParams(textIn(body)).get("token") ?? "";
    const known = (secrets.command_tokens ?? "").split(/\s+/).filter((it) => it !== "");
    return known.some((it) => isSameSecret(it, token));
  },
  claimOf: ({ body, integration }) => {
    const form = new URLSearchParams(body);
    const command = readMattermostCommand(form, integration.options.server);
    return [JSON.stringify(command), form.get("trigger_id") ?? ""];
  },
};

const MALFORMED = refuse("malformed", "this is not a request of Mattermost's");

/** The longest text of an answer, and the limits of a dialog. */
const MAX_TEXT = 3_500;
const MAX_CHOICES = 1_000;
const MAX_CHOICE = 100;

/** Shown to the person alone, in the channel. */
const ephemeral = (text: string): Response =>
  Response.json({
    ephemeral_text: escapeMarkdown(truncateText(text, MAX_TEXT)),
    skip_slack_parsing: true,
  });

/** Shown in the dialog, which stays open. */
const inDialog = (text: string): Response => Response.json({ error: text });

const malformed = ({ context }: ChatRequest) => respond(MALFORMED, context.get("requestId"));

/** `POST /callbacks/mattermost/:integration/actions`. */
async function serveAction(request: ChatRequest): Promise<Response> {
  const press = readMattermostPress(request.body, request.integration.options.server);
  if (press === null) return malformed(request);
  const { act } = press;
  const end = endOfPress(request.integration, readClaim(request.body)) ?? 0;
  const member = end < request.now ? null : await findMember(request, press.person);
  if (member !== null && act.kind === "ask") return openDialog(request, press, act);
  const words =
    member !== null && act.kind === "action"
      ? await performAction(memberContext(request, member), press.alertId, act.action)
      : null;
  if (member !== null && words === null) return Response.json({});
  // Nothing was done.
  request.release();
  if (end < request.now) return ephemeral(TOO_OLD);
  if (member === null || words === null) return ephemeral(await sendLink(request, press.person));
  return ephemeral(wordsFor(member, words, request.now));
}

const TOO_OLD = "This message is too old to be answered here. Answer the alert in Tocsin.";

type Ask = Extract<MattermostPress["act"], { kind: "ask" }>;

/** Asks for the team or person, or for the comment. */
async function openDialog(
  request: ChatRequest,
  { person: { userId }, alertId }: MattermostPress,
  { dialog, triggerId }: Ask,
): Promise<Response> {
  const { env, integration, now } = request;
  const app = { origin: baseUrl(env.PUBLIC_URL), integrationId: idOf(integration) };
  const subject = { integrationId: idOf(integration), alertId, dialog, userId };
  const token = dialogToken(integration.secrets.bot_token ?? "", subject, now);
  const server = baseUrl(stringOf(integration.options.server));
  const body = {
    trigger_id: triggerId,
    url: `${callbacksOf(app)}/dialogs`,
    dialog: { ...(await buildDialog(request, dialog)), state: stateOf(token, alertId, dialog) },
  };
  const url = `${server}/api/v4/actions/dialogs/open`;
  const authorization = { authorization: `Bearer ${integration.secrets.bot_token}` };
  const answer = await callProvider(env, jsonRequest("POST", url, body, authorization));
  const isOpen = typeof answer === "object" && answer.status < 300;
  return isOpen ? Response.json({}) : ephemeral("The dialog could not be opened. Try again.");
}

async function buildDialog({ db, integration }: ChatRequest, dialog: DialogKind) {
  if (dialog === "comment") {
    const field = { display_name: "Comment", name: "value", type: "textarea" };
    const elements = [{ ...field, max_length: MAX_COMMENT }];
    return { callback_id: dialog, title: "Comment", submit_label: "Comment", elements };
  }
  const receivers = await all(db, selectReceivers(integration.accountId, "", MAX_CHOICES));
  const options = receivers.map(({ prefixId, name }) => ({
    text: truncateText(name || prefixId, MAX_CHOICE),
    value: prefixId,
  }));
  const elements = [{ display_name: "Team or person", name: "value", type: "select", options }];
  return { callback_id: dialog, title: "Hand off", submit_label: "Hand off", elements };
}

/** `POST /callbacks/mattermost/:integration/dialogs`. */
async function serveDialog(request: ChatRequest): Promise<Response> {
  const { integration, body, now } = request;
  const submitted = readMattermostSubmission(body, integration.options.server);
  const end = endOfSubmission(integration, readClaim(body)) ?? 0;
  const member = submitted && end >= now ? await findMember(request, submitted.person) : null;
  const text = submitted && member ? await submit(request, member, submitted) : null;
  if (member !== null && text === null) return Response.json({});
  request.release();
  if (submitted === null) return malformed(request);
  if (end < now) return inDialog("It was open for too long. Press the button again.");
  return inDialog(text ?? "Press a button of the alert to link your account first.");
}

/** Does what the dialog was opened for. Returns why not; null if it is done. */
async function submit(
  request: ChatRequest,
  member: ChatMember,
  { alertId, dialog, value }: MattermostSubmission,
): Promise<string | null> {
  const context = memberContext(request, member);
  if (dialog === "hand_off") {
    const action = { kind: "hand_off", destinationId: value } as const;
    const words = await performAction(context, alertId, action);
    return words === null ? null : wordsFor(member, words, request.now);
  }
  return performComment(request, context, alertId, value);
}

/** `POST /callbacks/mattermost/:integration/commands`. */
async function serveCommand(request: ChatRequest): Promise<Response> {
  const form = new URLSearchParams(request.body);
  const command = readMattermostCommand(form, request.integration.options.server);
  if (command === null) return malformed(request);
  const member = await findMember(request, command.person);
  const text =
    member === null
      ? await sendLink(request, command.person)
      : await performCommand(request, memberContext(request, member), command);
  return Response.json({
    response_type: "ephemeral",
    text: escapeMarkdown(truncateText(text, MAX_TEXT)),
    skip_slack_parsing: true,
  });
}

export function mountMattermost(app: Hono<Environment>): void {
  const base = "/callbacks/mattermost/:integration";
  app.post(`${base}/actions`, fromChat(PRESSES, serveAction));
  app.post(`${base}/dialogs`, fromChat(DIALOGS, serveDialog));
  app.post(`${base}/commands`, fromChat(COMMANDS, serveCommand));
}
