// Calls to Mattermost's API v4, and what its answers mean (https://developers.mattermost.com/api-documentation:
// JSON with a bearer token; errors have a status and an `id`).
import { valueAt } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import type { ChatOutcome, OutgoingRequest } from "../integration-type.ts";

/** A call with the token of the bot. `server`: its URL. */
export const mattermostCall = (
  server: string,
  method: "POST" | "PUT",
  path: string,
  token: string,
  body: unknown,
): OutgoingRequest => ({
  method,
  url: joinUrl(server, `/api/v4${path}`),
  body,
  headers: { authorization: `Bearer ${token}` },
});

/** The post is gone, or the thread that a reply is for. */
const LOST: ReadonlySet<string> = new Set([
  "app.post.get.app_error",
  "api.post.patch_post.can_not_update_post_in_deleted.error",
  "api.post.create_post.root_id.app_error",
  "api.post.update_post.find.app_error",
]);

/** Reads an answer. Its body may repeat the message: only the error's id is passed on. */
export function readMattermostAnswer(status: number, body: unknown): ChatOutcome {
  const [id, channel] = [valueAt(body, "id"), valueAt(body, "channel_id")];
  if (status >= 200 && status < 300) {
    const isPosted = typeof id === "string" && typeof channel === "string";
    return { kind: "done", posted: isPosted ? { channel, messageId: id } : null };
  }
  const error = typeof id === "string" && /^[\w.]{1,100}$/.test(id) ? id : "";
  const reason = `Mattermost answered ${status}${error === "" ? "" : `: ${error}`}`;
  if (status === 408 || status === 429 || status >= 500) return { kind: "again", reason };
  // Without an error's id it is no answer of Mattermost's: of a proxy in front of it, perhaps.
  if (error === "") return { kind: "again", reason };
  return { kind: status === 404 || LOST.has(error) ? "lost" : "refused", reason };
}
