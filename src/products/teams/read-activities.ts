// What Teams sends to a bot, in the words of every product (https://learn.microsoft.com/azure/bot-service/rest-api/
// bot-framework-rest-connector-activities). A person is named by their id for the bot, and their tenant.
// Pure.
import type { ChatPerson } from "../../domain/people/chat.ts";
import { stringAt, valueAt } from "../../domain/shared/json.ts";
import type { ChatAction, ChatCommand, ChatReply } from "../outgoing/chat-request.ts";
import {
  ALERT_ID,
  actionNamed,
  type FormKind,
  formNamed,
  type Mentioned,
  namedPerson,
  readWrittenCommand,
} from "../outgoing/read-actions.ts";
import { inputId } from "./alert-card.ts";

/** Where an activity is, and where its answer goes. */
export type TeamsPlace = {
  /** The URL of Teams for the person's region; the token of the request names it too. */
  readonly service: string;
  readonly conversation: string;
  readonly isPersonal: boolean;
};

type OfAlert = { readonly person: ChatPerson; readonly alertId: string };

export type TeamsActivity =
  | ({ readonly kind: "action"; readonly action: ChatAction } & OfAlert)
  | ({ readonly kind: "submission"; readonly form: FormKind; readonly value: string } & OfAlert)
  | { readonly kind: "command"; readonly command: ChatCommand }
  /** A message that is no command. `isToBot`: not only among people. */
  | { readonly kind: "message"; readonly reply: ChatReply; readonly isToBot: boolean }
  /** An action of a card that is not ours. */
  | { readonly kind: "unknown_action" }
  | { readonly kind: "other" };

const OTHER: TeamsActivity = { kind: "other" };
const UNKNOWN_ACTION: TeamsActivity = { kind: "unknown_action" };

/** Ids of people begin with 29, those of bots with 28. */
const USER = /^29:[\w-]{10,200}$/;
const TENANT = /^[0-9a-f-]{36}$/i;

const tenantOf = (activity: unknown): string =>
  stringAt(activity, "conversation", "tenantId") ||
  stringAt(activity, "channelData", "tenant", "id");

function personOf(activity: unknown): ChatPerson | null {
  const [tenant, userId] = [tenantOf(activity), stringAt(activity, "from", "id")];
  if (!TENANT.test(tenant) || !USER.test(userId)) return null;
  return namedPerson(tenant.toLowerCase(), userId, stringAt(activity, "from", "name"));
}

/** Where an activity is. */
export const placeOf = (activity: unknown): TeamsPlace => ({
  service: stringAt(activity, "serviceUrl"),
  conversation: stringAt(activity, "conversation", "id"),
  isPersonal: stringAt(activity, "conversation", "conversationType") === "personal",
});

function readInvoke(activity: unknown, person: ChatPerson): TeamsActivity {
  if (valueAt(activity, "name") !== "adaptiveCard/action") return OTHER;
  const verb = stringAt(activity, "value", "action", "verb");
  const data = valueAt(activity, "value", "action", "data");
  const alertId = stringAt(data, "alert");
  if (!ALERT_ID.test(alertId)) return UNKNOWN_ACTION;
  const value = stringAt(data, inputId(verb)).toWellFormed().trim();
  const form = formNamed(verb);
  if (form !== undefined) return { kind: "submission", person, alertId, form, value };
  const action = actionNamed(verb, value);
  return action === null ? UNKNOWN_ACTION : { kind: "action", person, alertId, action };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Teams writes mentions as elements, and some spaces as entities. */
const plain = (text: string): string =>
  text
    .replace(/<\/?at[^>]*>/g, "")
    .replace(/&nbsp;|\u00a0/g, " ")
    .trim();

type Words = {
  /** Without the mention of the bot. */
  readonly text: string;
  readonly isToBot: boolean;
  /** The first person whom it mentions. */
  readonly mentioned: Mentioned | null;
};

function wordsOf(activity: unknown): Words {
  const bot = stringAt(activity, "recipient", "id");
  const mentions = listOf(valueAt(activity, "entities")).filter(
    (it) => valueAt(it, "type") === "mention",
  );
  const toBot = mentions.filter((it) => stringAt(it, "mentioned", "id") === bot);
  const text = toBot.reduce<string>(
    (rest, it) => rest.replace(stringAt(it, "text") || "\u0000", ""),
    stringAt(activity, "text"),
  );
  const isToBot = toBot.length > 0 || placeOf(activity).isPersonal;
  const person = mentions.find((it) => USER.test(stringAt(it, "mentioned", "id")));
  const mark = stringAt(person, "text");
  const start = mark === "" ? -1 : text.indexOf(mark);
  const words = { text: plain(text), isToBot };
  if (start < 0) return { ...words, mentioned: null };
  const id = stringAt(person, "mentioned", "id");
  return { ...words, mentioned: { id, rest: plain(text.slice(start + mark.length)) } };
}

function readMessage(activity: unknown, person: ChatPerson): TeamsActivity {
  const { text, isToBot, mentioned } = wordsOf(activity);
  const command = isToBot ? readWrittenCommand(person, text, mentioned) : null;
  if (command !== null) return { kind: "command", command };
  const { conversation: channel } = placeOf(activity);
  const messageId = stringAt(activity, "id");
  const reply = { person, channel, threadId: null, messageId, text: text.toWellFormed() };
  return { kind: "message", reply, isToBot };
}

/** Reads an activity. `tenant`: the integration's; those of others are ignored. */
export function readTeamsActivity(activity: unknown, tenant: string): TeamsActivity {
  const person = personOf(activity);
  if (person === null || person.workspaceId !== tenant.toLowerCase()) return OTHER;
  switch (valueAt(activity, "type")) {
    case "invoke":
      return readInvoke(activity, person);
    case "message":
      return readMessage(activity, person);
    default:
      return OTHER;
  }
}
