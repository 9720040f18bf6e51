// Reads the names that our own buttons, forms and commands have in every product. Pure.
import type { ChatPerson } from "../../domain/people/chat.ts";
import { type ChatAction, type ChatCommand, SNOOZE_CHOICES } from "./chat-request.ts";

/** The ULID of an alert. */
export const ALERT_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** What a form asks for. */
export type FormKind = "hand_off" | "comment";

export const formNamed = (name: string): FormKind | undefined =>
  (["hand_off", "comment"] as const).find((it) => it === name);

/**
 * The action with a name; null for any other name.
 *
 * @param chosen the minutes of a snooze, as `SNOOZE_CHOICES` has them
 */
export function actionNamed(name: string, chosen: string): ChatAction | null {
  switch (name) {
    case "acknowledge":
    case "reject":
    case "resolve":
      return { kind: name };
    case "snooze": {
      const choice = SNOOZE_CHOICES.find(([minutes]) => String(minutes) === chosen);
      return choice ? { kind: "snooze", minutes: choice[0] } : null;
    }
    default:
      return null;
  }
}

/** A person's name is at most so long; without one, their id is their name. */
export const namedPerson = (workspaceId: string, userId: string, name: string): ChatPerson => ({
  workspaceId,
  userId,
  name: (name || userId).slice(0, 80).toWellFormed(),
});

/** A person who is mentioned in a text, and what follows the mention. */
export type Mentioned = { readonly id: string; readonly rest: string };

/**
 * Reads a command that is written to the app as a message; null for any other message.
 *
 * @param text without the mention of the app
 * @param mentioned the first person whom the text mentions; null without one
 */
export function readWrittenCommand(
  person: ChatPerson,
  text: string,
  mentioned: Mentioned | null,
): ChatCommand | null {
  const [, name = "", words = ""] =
    /^\/?(oncall|page)(?:\s+(.*))?$/is.exec(text.toWellFormed().trim()) ?? [];
  if (name === "") return null;
  const command = { person, name: `/${name.toLowerCase()}` };
  // Text that begins with a mention is for that person.
  return mentioned === null
    ? { ...command, text: words.trim(), mentionedId: null }
    : { ...command, text: `@ ${mentioned.rest.toWellFormed().trim()}`, mentionedId: mentioned.id };
}
