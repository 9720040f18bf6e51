// What a member does in a chat, the same in every product: an answer to an alert, or a command.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { joinUrl } from "../../../domain/shared/urls.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import type { ChatAction, ChatCommand } from "../../../products/outgoing/chat-request.ts";
import { actInChat } from "../../alerts/alerts/act-in-chat.ts";
import { findReceiver } from "../../alerts/alerts/find-receiver.ts";
import { pageInChat } from "../../alerts/alerts/page-in-chat.ts";
import { commentOn } from "../../alerts/comments/create-comment.ts";
import { readOnCallNames } from "../../oncall/on-call/read-on-call-names.ts";
import { sentenceOf } from "../callbacks/provider-request.ts";
import { findMember, type memberContext } from "./chat-person.ts";
import type { ChatRequest } from "./chat-request.ts";
import { onCallWords, type RefusalWords, refusalWords } from "./chat-words.ts";

type MemberContext = ReturnType<typeof memberContext>;

/** Performs an action. Returns what to say; null: the message changes, which says everything. */
export async function performAction(
  context: MemberContext,
  alertId: string,
  action: ChatAction,
): Promise<RefusalWords | null> {
  const result = await actInChat(context, alertId, action);
  return isRefusal(result) ? refusalWords(result) : null;
}

/** Hands an alert off to a team or person by name. Returns what to say; null if it is done. */
export async function performHandOff(
  context: MemberContext,
  alertId: string,
  name: string,
): Promise<RefusalWords | null> {
  const receiver = await findReceiver(context, name);
  if (isRefusal(receiver)) return { text: sentenceOf(receiver), at: null };
  const action = { kind: "hand_off", destinationId: receiver.prefixId } as const;
  return performAction(context, alertId, action);
}

/** The longest comment that is written in a chat. */
export const MAX_COMMENT = 3_000;

/** Stores a comment on an alert. Returns why not; null if it is stored. */
export async function performComment(
  request: ChatRequest,
  context: MemberContext,
  alertId: string,
  text: string,
): Promise<string | null> {
  if (text === "") return "The comment is empty.";
  const on = { type: "Alert", identifier: { form: "id", value: alertId } } as const;
  const body = { body: text.slice(0, MAX_COMMENT) };
  const written = await commentOn(context, newId(request.now), on, body);
  return isRefusal(written) ? sentenceOf(written) : null;
}

/** Performs a command. Returns the answer as plain text. */
export async function performCommand(
  request: ChatRequest,
  context: MemberContext,
  { name, text, person, mentionedId }: ChatCommand,
): Promise<string> {
  if (name === "/oncall") return onCallWords(await readOnCallNames(context, text), text);
  if (name !== "/page") return "Commands are /oncall and /page.";
  const mentioned = /^@/.test(text) && mentionedId !== null ? mentionedId : null;
  const to =
    mentioned === null ? null : await findMember(request, { ...person, userId: mentioned });
  if (mentioned !== null && to === null) return "That person has not linked their account yet.";
  const alert = await pageInChat(context, newId(request.now), text, to?.accountUserId ?? null);
  if (isRefusal(alert)) return `Nothing was created. ${sentenceOf(alert)}`;
  const { PUBLIC_URL: base } = request.env;
  const url = base ? joinUrl(base, `/alerts/${alert.prefix_id}`) : "";
  return `Created: ${alert.title} ${url}`.trim();
}
