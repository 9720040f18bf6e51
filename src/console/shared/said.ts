// What an action did, said on the page that comes after it: carried by a cookie of ours, so that nobody's link can
// make a page say something.
import type { Context } from "hono";
import type { Environment } from "../../http/serve.ts";
import { dropCookie, putCookie, readCookie } from "../access/cookies.ts";
import type { Said } from "../page.ts";

const MOST_CHARACTERS = 600;
const KEPT_SECONDS = 60;

export function keepSaid(context: Context<Environment>, { tone, text }: Said): void {
  const value = JSON.stringify([tone, text.slice(0, MOST_CHARACTERS).toWellFormed()]);
  putCookie(context, "said", Buffer.from(value).toString("base64url"), KEPT_SECONDS);
}

/** What is to be said, this once. */
export function takeSaid(context: Context<Environment>): Said | null {
  const cookie = readCookie(context, "said");
  if (cookie === null) return null;
  dropCookie(context, "said");
  try {
    const [tone, text] = JSON.parse(Buffer.from(cookie, "base64url").toString());
    return { tone: tone === "bad" ? "bad" : "good", text: String(text) };
  } catch {
    return null;
  }
}
