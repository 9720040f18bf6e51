// What Mattermost sends: presses of buttons, submitted dialogs and slash commands, in the words of every
// product (https://developers.mattermost.com/integrate/plugins/interactive-messages, …/interactive-dialogs,
// …/integrate/slash-commands/custom). A person is named by their id and the server. Pure.
import type { ChatPerson } from "../../domain/people/chat.ts";
import { parseJson, stringAt, stringOf, valueAt } from "../../domain/shared/json.ts";
import { type ChatAction, type ChatCommand, SNOOZE_CHOICES } from "../outgoing/chat-request.ts";
import { actionId } from "./alert-attachment.ts";

/** What a dialog asks for. */
export type DialogKind = "hand_off" | "comment";

/** A press of a button or a choice in a menu of an alert's post. */
export type MattermostPress = {
  readonly person: ChatPerson;
  readonly alertId: string;
  readonly act:
    | { readonly kind: "action"; readonly action: ChatAction }
    /** `triggerId` opens the dialog, within some seconds. */
    | { readonly kind: "ask"; readonly dialog: DialogKind; readonly triggerId: string };
};

export type MattermostSubmission = {
  readonly person: ChatPerson;
  readonly alertId: string;
  readonly dialog: DialogKind;
  /** The `prefix_id` of a team or person, or the text of the comment. */
  readonly value: string;
};

/** By what the request of a button or a dialog is verified. Texts are empty if they are missing. */
export type DialogClaim = {
  readonly token: string;
  readonly alertId: string;
  /** Whose request Mattermost says it is. */
  readonly userId: string;
  readonly dialog: string;
};

const ALERT_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const DESTINATION = /^(tem|acu)_[\w-]{14}$/;

/** The workspace of a server's people: its host. */
const workspaceOf = (server: unknown): string => URL.parse(stringOf(server))?.host ?? "";

function personOf(server: unknown, userId: string, name: string): ChatPerson | null {
  const workspaceId = workspaceOf(server);
  if (workspaceId === "" || !/^[a-z0-9]{26}$/.test(userId)) return null;
  return { workspaceId, userId, name: (name || userId).slice(0, 80).toWellFormed() };
}

/** A button has what verifies it in its context, a dialog in its state. */
const contextOf = (request: unknown): unknown =>
  valueAt(request, "context") ?? parseJson(stringAt(request, "state"));

/** Reads what verifies the request of a button or a dialog. `body`: JSON. */
export function readClaim(body: string): DialogClaim {
  const request = parseJson(body);
  const context = contextOf(request);
  return {
    token: stringAt(context, "token"),
    alertId: stringAt(context, "alert"),
    userId: stringAt(request, "user_id"),
    dialog: stringAt(context, "dialog"),
  };
}

/** The state of a dialog, which its submission repeats. */
export const stateOf = (token: string, alertId: string, dialog: DialogKind): string =>
  JSON.stringify({ token, alert: alertId, dialog });

function actOf(context: unknown, triggerId: string): MattermostPress["act"] | null {
  const ask = (dialog: DialogKind) => ({ kind: "ask", dialog, triggerId }) as const;
  switch (valueAt(context, "action")) {
    case actionId("acknowledge"):
      return { kind: "action", action: { kind: "acknowledge" } };
    case actionId("reject"):
      return { kind: "action", action: { kind: "reject" } };
    case actionId("resolve"):
      return { kind: "action", action: { kind: "resolve" } };
    case actionId("snooze"): {
      const chosen = valueAt(context, "selected_option");
      const choice = SNOOZE_CHOICES.find(([minutes]) => String(minutes) === chosen);
      return choice ? { kind: "action", action: { kind: "snooze", minutes: choice[0] } } : null;
    }
    case actionId("hand_off"):
      return ask("hand_off");
    case actionId("comment"):
      return ask("comment");
    default:
      return null;
  }
}

/** Reads a press; null if it is none. `server`: the integration's. */
export function readMattermostPress(body: string, server: unknown): MattermostPress | null {
  const request = parseJson(body);
  const [userId, name] = [stringAt(request, "user_id"), stringAt(request, "user_name")];
  const person = personOf(server, userId, name);
  const context = contextOf(request);
  const alertId = stringAt(context, "alert");
  const act = actOf(context, stringAt(request, "trigger_id"));
  if (person === null || act === null || !ALERT_ID.test(alertId)) return null;
  return { person, alertId, act };
}

/** Reads the submission of a dialog; null if it is none, or was cancelled. */
export function readMattermostSubmission(
  body: string,
  server: unknown,
): MattermostSubmission | null {
  const request = parseJson(body);
  const person = personOf(server, stringAt(request, "user_id"), "");
  const context = contextOf(request);
  const alertId = stringAt(context, "alert");
  const dialog = (["hand_off", "comment"] as const).find((it) => it === valueAt(context, "dialog"));
  const value = stringAt(request, "submission", "value").trim();
  if (person === null || dialog === undefined || !ALERT_ID.test(alertId)) return null;
  if (
    valueAt(request, "cancelled") === true ||
    (dialog === "hand_off" && !DESTINATION.test(value))
  ) {
    return null;
  }
  return { person, alertId, dialog, value };
}

/** Reads a command's form; null if it is none. */
export function readMattermostCommand(form: URLSearchParams, server: unknown): ChatCommand | null {
  const name = form.get("command");
  const person = personOf(server, form.get("user_id") ?? "", form.get("user_name") ?? "");
  if (name === null || person === null) return null;
  const text = (form.get("text") ?? "").toWellFormed().trim();
  return { person, name, text, mentionedId: form.get("user_mentions_ids") };
}
