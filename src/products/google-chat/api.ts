// Calls to Google Chat's API, and what its answers mean (https://developers.google.com/workspace/chat/api/
// reference/rest/v1/spaces.messages; errors have a `status`: https://cloud.google.com/apis/design/errors).
import { stringAt } from "../../domain/shared/json.ts";
import type { ChatOutcome, OutgoingRequest } from "../integration-type.ts";

const API = "https://chat.googleapis.com/v1";

/** A call; its token is added when it is sent. `path`: with its query. */
export const googleChatCall = (
  method: "POST" | "PATCH",
  path: string,
  body: unknown,
): OutgoingRequest => ({ method, url: `${API}/${path}`, body });

/** Reads an answer. Its body may repeat the message: only the error's name is passed on. */
export function readGoogleChatAnswer(status: number, body: unknown): ChatOutcome {
  if (status >= 200 && status < 300) {
    const [messageId, channel] = [stringAt(body, "name"), stringAt(body, "thread", "name")];
    const isPosted = messageId !== "" && channel !== "";
    return { kind: "done", posted: isPosted ? { channel, messageId } : null };
  }
  const name = stringAt(body, "error", "status");
  const error = /^[A-Z_]{1,60}$/.test(name) ? name : "";
  const reason = `Google Chat answered ${status}${error === "" ? "" : `: ${error}`}`;
  // The token has expired, or was withdrawn: the next attempt has a new one.
  const isTemporary = status === 401 || status === 408 || status === 429 || status >= 500;
  // Without an error's name it is no answer of Google Chat's.
  if (isTemporary || error === "") return { kind: "again", reason };
  return { kind: error === "NOT_FOUND" ? "lost" : "refused", reason };
}
