// What Discord sends to an app: buttons, menus, submitted forms and commands, in the words of every
// product (https://docs.discord.com/developers/interactions/receiving-and-responding). A person is named
// by their id and the server in which they act. Pure.
import type { ChatPerson } from "../../domain/people/chat.ts";
import { stringAt, valueAt } from "../../domain/shared/json.ts";
import type { ChatAction, ChatCommand } from "../outgoing/chat-request.ts";
import {
  ALERT_ID,
  actionNamed,
  type FormKind,
  formNamed,
  namedPerson,
} from "../outgoing/read-actions.ts";

export type DiscordInteraction =
  /** Discord verifies the URL. */
  | { readonly kind: "ping" }
  | {
      readonly kind: "action";
      readonly person: ChatPerson;
      readonly alertId: string;
      readonly action: ChatAction;
    }
  /** A button that opens a form. */
  | {
      readonly kind: "ask";
      readonly person: ChatPerson;
      readonly alertId: string;
      readonly form: FormKind;
    }
  | {
      readonly kind: "submission";
      readonly person: ChatPerson;
      readonly alertId: string;
      readonly form: FormKind;
      readonly value: string;
    }
  | { readonly kind: "command"; readonly command: ChatCommand }
  | { readonly kind: "other" };

const OTHER: DiscordInteraction = { kind: "other" };

const [PING, COMMAND, COMPONENT, SUBMISSION] = [1, 2, 3, 5];

const ID = /^\d{17,20}$/;

/** Null outside of a server: a direct message has no members. */
function personOf(interaction: unknown): ChatPerson | null {
  const workspaceId = stringAt(interaction, "guild_id");
  const userId = stringAt(interaction, "member", "user", "id");
  if (!ID.test(workspaceId) || !ID.test(userId)) return null;
  return namedPerson(workspaceId, userId, stringAt(interaction, "member", "user", "username"));
}

/** The action and the alert that a component or a form is named by. */
function namedBy(interaction: unknown): readonly [name: string, alertId: string] | null {
  const [name = "", alertId = ""] = stringAt(interaction, "data", "custom_id").split(":");
  return ALERT_ID.test(alertId) ? [name, alertId] : null;
}

function readComponent(interaction: unknown, person: ChatPerson): DiscordInteraction {
  const [name, alertId] = namedBy(interaction) ?? ["", ""];
  const form = formNamed(name);
  if (form !== undefined) return { kind: "ask", person, alertId, form };
  const action = actionNamed(name, stringAt(interaction, "data", "values", 0));
  return action === null ? OTHER : { kind: "action", person, alertId, action };
}

function readSubmission(interaction: unknown, person: ChatPerson): DiscordInteraction {
  const [name, alertId] = namedBy(interaction) ?? ["", ""];
  const form = formNamed(name);
  const value = stringAt(interaction, "data", "components", 0, "components", 0, "value").trim();
  return form === undefined
    ? OTHER
    : { kind: "submission", person, alertId, form, value: value.toWellFormed() };
}

/** The value of a command's option; empty if it has none. */
function optionOf(interaction: unknown, name: string): string {
  const options = valueAt(interaction, "data", "options");
  const option = Array.isArray(options)
    ? options.find((it) => stringAt(it, "name") === name)
    : undefined;
  return stringAt(option, "value").toWellFormed().trim();
}

/** Quotes a name, which is followed by the title. */
const quoted = (name: string): string => `"${name.replace(/["“”]/g, "")}"`;

function readCommand(interaction: unknown, person: ChatPerson): DiscordInteraction {
  const name = stringAt(interaction, "data", "name");
  const to = optionOf(interaction, "to");
  const text =
    name === "page"
      ? `${quoted(to)} ${optionOf(interaction, "title")}`
      : optionOf(interaction, "team");
  const mentionedId = /^<@!?(\d{17,20})>$/.exec(to)?.[1] ?? null;
  // Text that begins with a mention is for that person.
  const written = mentionedId === null ? text : `@ ${optionOf(interaction, "title")}`;
  return { kind: "command", command: { person, name: `/${name}`, text: written, mentionedId } };
}

/** Reads an interaction. */
export function readDiscordInteraction(interaction: unknown): DiscordInteraction {
  const type = valueAt(interaction, "type");
  if (type === PING) return { kind: "ping" };
  const person = personOf(interaction);
  if (person === null) return OTHER;
  if (type === COMMAND) return readCommand(interaction, person);
  if (type === COMPONENT) return readComponent(interaction, person);
  return type === SUBMISSION ? readSubmission(interaction, person) : OTHER;
}
