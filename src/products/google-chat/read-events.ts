// What Google Chat sends to an app, in the words of every product
// (https://developers.google.com/workspace/chat/api/reference/rest/v1/Event). A person's id is the same
// in every Google Workspace; their workspace here is the app's project. Pure.
import type { ChatPerson } from "../../domain/people/chat.ts";
import { stringAt, valueAt } from "../../domain/shared/json.ts";
import type { AlertAction } from "../outgoing/alert-actions.ts";
import type { ChatAction, ChatCommand, ChatReply } from "../outgoing/chat-request.ts";
import {
  ALERT_ID,
  actionNamed,
  formNamed,
  type Mentioned,
  namedPerson,
  readWrittenCommand,
} from "../outgoing/read-actions.ts";
import { ALERT_PARAMETER } from "./alert-card.ts";

/** What a dialog asks for. */
export type GoogleDialog = Extract<AlertAction, "snooze" | "hand_off" | "comment">;

type OfAlert = { readonly person: ChatPerson; readonly alertId: string };

export type GoogleChatEvent =
  | ({ readonly kind: "action"; readonly action: ChatAction } & OfAlert)
  | ({ readonly kind: "ask"; readonly dialog: GoogleDialog } & OfAlert)
  | ({
      readonly kind: "submission";
      readonly dialog: GoogleDialog;
      readonly value: string;
    } & OfAlert)
  | { readonly kind: "command"; readonly command: ChatCommand }
  /** A message to the app that is no command. */
  | { readonly kind: "message"; readonly reply: ChatReply }
  /** Somebody has added the app to a space. */
  | { readonly kind: "added" }
  | { readonly kind: "other" };

const OTHER: GoogleChatEvent = { kind: "other" };

const USER = /^users\/\w{1,60}$/;

function personOf(event: unknown, project: string): ChatPerson | null {
  const userId = stringAt(event, "user", "name");
  if (!USER.test(userId) || valueAt(event, "user", "type") === "BOT") return null;
  return namedPerson(project, userId, stringAt(event, "user", "displayName"));
}

/** Whether the event is in a direct message with the app, which has no private messages. */
export const isDirectMessage = (event: unknown): boolean =>
  stringAt(event, "space", "spaceType") === "DIRECT_MESSAGE" ||
  stringAt(event, "space", "type") === "DM";

/** The thread in which the event is; empty if it has none. */
export const threadOf = (event: unknown): string => stringAt(event, "message", "thread", "name");

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const dialogNamed = (name: string): GoogleDialog | undefined =>
  name === "snooze" ? name : formNamed(name);

function readClick(event: unknown, person: ChatPerson): GoogleChatEvent {
  const name = stringAt(event, "action", "actionMethodName");
  const parameters = listOf(valueAt(event, "action", "parameters"));
  const alert = parameters.find((it) => stringAt(it, "key") === ALERT_PARAMETER);
  const alertId = stringAt(alert, "value");
  if (!ALERT_ID.test(alertId)) return OTHER;
  const dialog = dialogNamed(name);
  const step = stringAt(event, "dialogEventType");
  if (dialog === undefined) {
    const action = actionNamed(name, "");
    return action === null ? OTHER : { kind: "action", person, alertId, action };
  }
  if (step === "REQUEST_DIALOG") return { kind: "ask", person, alertId, dialog };
  if (step !== "SUBMIT_DIALOG") return OTHER;
  const input = stringAt(event, "common", "formInputs", "value", "stringInputs", "value", 0);
  return { kind: "submission", person, alertId, dialog, value: input.toWellFormed().trim() };
}

/** The first person whom a message mentions, and what follows. */
function mentionedIn(message: unknown): Mentioned | null {
  const mention = listOf(valueAt(message, "annotations")).find(
    (it) => valueAt(it, "userMention", "user", "type") === "HUMAN",
  );
  const id = stringAt(mention, "userMention", "user", "name");
  if (!USER.test(id)) return null;
  const [start, length] = [valueAt(mention, "startIndex"), valueAt(mention, "length")];
  const end = (typeof start === "number" ? start : 0) + (typeof length === "number" ? length : 0);
  return { id, rest: stringAt(message, "text").slice(end) };
}

/** The commands by their ids in the app's configuration. */
const COMMANDS: Readonly<Record<string, string>> = { 1: "oncall", 2: "page" };

/** The command's name; empty for a message that is none. */
function commandOf(event: unknown): string {
  const id =
    valueAt(event, "appCommandMetadata", "appCommandId") ??
    valueAt(event, "message", "slashCommand", "commandId");
  return COMMANDS[String(id)] ?? "";
}

function readMessage(event: unknown, person: ChatPerson): GoogleChatEvent {
  const message = valueAt(event, "message");
  const written = stringAt(message, "argumentText").trim();
  const command = readWrittenCommand(
    person,
    `${commandOf(event)} ${written}`,
    mentionedIn(message),
  );
  if (command !== null) return { kind: "command", command };
  const [channel, messageId] = [threadOf(event), stringAt(message, "name")];
  const reply = { person, channel, threadId: null, messageId, text: written.toWellFormed() };
  return { kind: "message", reply };
}

/** Reads an event. `project`: the number of the app's project. */
export function readGoogleChatEvent(event: unknown, project: string): GoogleChatEvent {
  const type = valueAt(event, "type");
  if (type === "ADDED_TO_SPACE") return { kind: "added" };
  const person = personOf(event, project);
  if (person === null) return OTHER;
  if (type === "CARD_CLICKED") return readClick(event, person);
  return type === "MESSAGE" || type === "APP_COMMAND" ? readMessage(event, person) : OTHER;
}
