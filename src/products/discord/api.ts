// Calls to Discord's HTTP API, and what its answers mean (https://docs.discord.com/developers/reference: JSON
// with the bot's token; errors have a `code`, rate limits `Retry-After`).
import { valueAt } from "../../domain/shared/json.ts";
import type { ChatOutcome, OutgoingMessage, OutgoingRequest } from "../integration-type.ts";

const API = "https://discord.com/api/v10";

/** Discord asks for this form, with a URL of the app's. */
const userAgentOf = (app: OutgoingMessage["app"]): string =>
  `DiscordBot (${app?.origin ?? "https://tocsin.invalid"}, 1)`;

/** A call with the token of the app's bot. */
export const discordCall = (
  { app }: OutgoingMessage,
  method: "POST" | "PATCH",
  path: string,
  token: string,
  body: unknown,
): OutgoingRequest => ({
  method,
  url: `${API}${path}`,
  body,
  headers: { authorization: `Bot ${token}`, "user-agent": userAgentOf(app) },
});

const THREAD_EXISTS = 160_004;

/** Unknown channel, also for the thread; unknown message. */
const LOST: ReadonlySet<unknown> = new Set([10_003, 10_008]);

/** Reads an answer. Its body may repeat the message: only the error's code is passed on. */
export function readDiscordAnswer(status: number, body: unknown): ChatOutcome {
  const [id, channel, code] = [
    valueAt(body, "id"),
    valueAt(body, "channel_id"),
    valueAt(body, "code"),
  ];
  if (status >= 200 && status < 300) {
    // A thread is an answer too: its channel has another name.
    const isPosted = typeof id === "string" && typeof channel === "string";
    return { kind: "done", posted: isPosted ? { channel, messageId: id } : null };
  }
  if (code === THREAD_EXISTS) return { kind: "done", posted: null };
  const isCode = Number.isSafeInteger(code);
  const reason = `Discord answered ${status}${isCode && code !== 0 ? `: ${code}` : ""}`;
  if (status === 408 || status === 429 || status >= 500) return { kind: "again", reason };
  if (LOST.has(code)) return { kind: "lost", reason };
  return { kind: isCode ? "refused" : "again", reason };
}
