// What Slack sends to an app, in the words of every product (https://docs.slack.dev/reference/
// interaction-payloads, …/interactivity/implementing-slash-commands, …/apis/events-api). A person is
// named by their id and the workspace in which they act. Anything else is ignored. Pure.
import type { ChatPerson } from "../../domain/people/chat.ts";
import { type JsonPath, stringAt, valueAt } from "../../domain/shared/json.ts";
import {
  type ChatAction,
  type ChatCommand,
  type ChatInteraction,
  type ChatReply,
  SNOOZE_CHOICES,
} from "../outgoing/chat-request.ts";
import { ACTION_IDS, ALERT_BLOCK } from "./alert-blocks.ts";
import { readMention, readText } from "./text.ts";

const textAt = (value: unknown, ...path: JsonPath): string | null => {
  return stringAt(value, ...path) || null;
};

function personOf(
  workspaceId: string | null,
  userId: string | null,
  name: string | null,
): ChatPerson | null {
  if (workspaceId === null || userId === null) return null;
  if (!/^[TE][A-Z0-9]{2,30}$/.test(workspaceId) || !/^[UW][A-Z0-9]{2,30}$/.test(userId))
    return null;
  return { workspaceId, userId, name: (name ?? userId).slice(0, 80).toWellFormed() };
}

/** The answers of Slack to interactions go to hosts of this domain. */
function replyUrlOf(url: string | null): string | null {
  const host = url === null ? undefined : URL.parse(url)?.host;
  return host === "hooks.slack.com" ? url : null;
}

const ALERT_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const DESTINATION = /^(tem|acu)_[\w-]{14}$/;

function actionOf(payload: unknown): ChatAction | null {
  const chosen = textAt(payload, "actions", 0, "selected_option", "value") ?? "";
  switch (valueAt(payload, "actions", 0, "action_id")) {
    case ACTION_IDS.acknowledge:
      return { kind: "acknowledge" };
    case ACTION_IDS.reject:
      return { kind: "reject" };
    case ACTION_IDS.resolve:
      return { kind: "resolve" };
    case ACTION_IDS.snooze: {
      const choice = SNOOZE_CHOICES.find(([minutes]) => String(minutes) === chosen);
      return choice ? { kind: "snooze", minutes: choice[0] } : null;
    }
    case ACTION_IDS.handOff:
      return DESTINATION.test(chosen) ? { kind: "hand_off", destinationId: chosen } : null;
    default:
      return null;
  }
}

const OTHER: ChatInteraction = { kind: "other" };

/** Reads an interaction: the JSON of the form's field `payload`. */
export function readSlackInteraction(payload: unknown): ChatInteraction {
  const workspace = textAt(payload, "team", "id") ?? textAt(payload, "user", "team_id");
  const name = textAt(payload, "user", "username") ?? textAt(payload, "user", "name");
  const person = personOf(workspace, textAt(payload, "user", "id"), name);
  if (person === null) return OTHER;
  if (valueAt(payload, "type") === "block_suggestion") {
    const isHandOff = valueAt(payload, "action_id") === ACTION_IDS.handOff;
    return isHandOff ? { kind: "choices", person, search: textAt(payload, "value") ?? "" } : OTHER;
  }
  if (valueAt(payload, "type") !== "block_actions") return OTHER;
  const block = textAt(payload, "actions", 0, "block_id") ?? "";
  const alertId = block.startsWith(ALERT_BLOCK) ? block.slice(ALERT_BLOCK.length) : "";
  const action = actionOf(payload);
  if (action === null || !ALERT_ID.test(alertId)) return OTHER;
  const replyUrl = replyUrlOf(textAt(payload, "response_url"));
  return { kind: "action", person, alertId, action, replyUrl };
}

/** Reads a command's form; null if it is none. */
export function readSlackCommand(form: URLSearchParams): ChatCommand | null {
  const name = form.get("command");
  const person = personOf(form.get("team_id"), form.get("user_id"), form.get("user_name"));
  if (name === null || person === null) return null;
  const written = form.get("text") ?? "";
  return { person, name, text: readText(written), mentionedId: readMention(written) };
}

/** The challenge that Slack sends to verify the URL of events; null for any other event. */
export const readSlackChallenge = (event: unknown): string | null =>
  valueAt(event, "type") === "url_verification" ? textAt(event, "challenge") : null;

/** Replies have no subtype, or one of these; edits, deletions and messages of apps have others. */
const REPLY_SUBTYPES: readonly unknown[] = [undefined, "thread_broadcast", "file_share"];

/** Reads a person's reply in a thread; null for any other event, and for what an app has written. */
export function readSlackReply(envelope: unknown): ChatReply | null {
  if (
    valueAt(envelope, "type") !== "event_callback" ||
    valueAt(envelope, "event", "type") !== "message"
  ) {
    return null;
  }
  const event = valueAt(envelope, "event");
  const isOfApp = ["bot_id", "app_id", "bot_profile"].some((key) => valueAt(event, key) != null);
  if (isOfApp || !REPLY_SUBTYPES.includes(valueAt(event, "subtype"))) return null;
  const person = personOf(textAt(envelope, "team_id"), textAt(event, "user"), null);
  const [channel, threadId] = [textAt(event, "channel"), textAt(event, "thread_ts")];
  const messageId = textAt(event, "ts");
  const text = readText(textAt(event, "text") ?? "");
  if (person === null || channel === null || threadId === null || messageId === null) return null;
  if (messageId === threadId || !/^\d{1,12}\.\d{1,9}$/.test(messageId) || text === "") return null;
  return { person, channel, threadId, messageId, text };
}
