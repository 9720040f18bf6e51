// A reply in the thread of an alert's message: it becomes a comment by the member who wrote it.
import { createHash } from "node:crypto";
import { identifierOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { first } from "../../../kernel/db/select.ts";
import type { ChatReply } from "../../../products/outgoing/chat-request.ts";
import { commentOn } from "../../alerts/comments/create-comment.ts";
import { commentRecords } from "../../alerts/comments/rows.ts";
import { readAlertOfMessage } from "../../integrations/deliveries/rows.ts";
import { findMember, memberContext } from "./chat-person.ts";
import type { ChatRequest } from "./chat-request.ts";

/**
 * `elsewhere`: the thread is about no alert; `unlinked`: nobody has linked the author's account.
 */
export type ReplyOutcome = "done" | "elsewhere" | "unlinked" | "unavailable";

/**
 * Stores a reply as a comment. A reply that is received again is stored once: its id is made of the
 * message's. The integration whose thread it is in is not told of it.
 *
 * @param writtenAt epoch ms
 */
export async function commentReply(
  request: ChatRequest,
  reply: ChatReply,
  writtenAt: number,
): Promise<ReplyOutcome> {
  const { db, integration } = request;
  const { accountId } = integration;
  const { channel, threadId, messageId, person, text } = reply;
  const thread = await readAlertOfMessage(db, accountId, channel, threadId);
  if (thread === null) return "elsewhere";
  const member = await findMember(request, person);
  if (member === null) return "unlinked";
  const key = createHash("sha256")
    .update(JSON.stringify([accountId, channel, messageId]))
    .digest();
  const id = identifierOf(writtenAt, key);
  const comment = selectRecord(commentRecords, accountId, { form: "id", value: id });
  const isStored = async () => (await first(db, comment)) !== null;
  if (await isStored()) return "done";
  const on = { type: "Alert", identifier: { form: "id", value: thread.alertId } } as const;
  const context = memberContext(request, member);
  const written = await commentOn(context, id, on, { body: text }, thread.integrationId).catch(
    async (error: unknown) => {
      // The same reply, received at the same time, was stored meanwhile.
      if (await isStored()) return null;
      throw error;
    },
  );
  return isRefusal(written) && written.reason === "unavailable" ? "unavailable" : "done";
}
