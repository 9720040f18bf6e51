// The flash message: the result of an action, shown on the next page. It is stored in a cookie, so
// that a link from elsewhere cannot make a page show a message.
import type { Context } from "hono";
import type { Environment } from "../http/serve.ts";
import { dropCookie, putCookie, readCookie } from "./cookies.ts";
import type { FlashMessage } from "./reply.ts";

const MAX_CHARACTERS = 600;
const MAX_AGE_SECONDS = 60;

export function storeFlashMessage(
  context: Context<Environment>,
  { tone, text, undo }: FlashMessage,
): void {
  const value = JSON.stringify([tone, text.slice(0, MAX_CHARACTERS).toWellFormed(), undo]);
  putCookie(context, "flash", Buffer.from(value).toString("base64url"), MAX_AGE_SECONDS);
}

/** Reads the flash message and deletes it. */
export function takeFlashMessage(context: Context<Environment>): FlashMessage | null {
  const cookie = readCookie(context, "flash");
  if (cookie === null) return null;
  dropCookie(context, "flash");
  try {
    const [tone, text, undo] = JSON.parse(Buffer.from(cookie, "base64url").toString());
    const isUndo = typeof undo === "string" && /^\/alerts\/[\w-]+\/undo$/.test(undo);
    return {
      tone: tone === "bad" ? "bad" : "good",
      text: String(text),
      ...(isUndo && { undo }),
    };
  } catch {
    return null;
  }
}
