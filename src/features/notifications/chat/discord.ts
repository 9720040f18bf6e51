// The callback of the Discord apps: buttons, menus and forms of alerts, and commands. Each is answered
// as Discord expects; what a person should know is shown to them alone.
import type { Hono } from "hono";
import { CHAT_TITLES } from "../../../domain/people/chat.ts";
import { parseJson } from "../../../domain/shared/json.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import {
  type DiscordInteraction,
  readDiscordInteraction,
} from "../../../products/discord/read-interactions.ts";
import { escapeAroundLinks, timeText } from "../../../products/discord/text.ts";
import { truncateText } from "../../../products/outgoing/message-text.ts";
import type { FormKind } from "../../../products/outgoing/read-actions.ts";
import { findMember, linkText, memberContext } from "./chat-person.ts";
import { type ChatRequest, type ChatSigning, fromChat } from "./chat-request.ts";
import type { RefusalWords } from "./chat-words.ts";
import { DISCORD_TOLERANCE_MS, isSignedByDiscord } from "./discord-signature.ts";
import { respondInTime } from "./in-time.ts";
import {
  MAX_COMMENT,
  performAction,
  performCommand,
  performComment,
  performHandOff,
} from "./perform.ts";

const keyOf = (option: unknown): string => (typeof option === "string" ? option : "");

const SIGNING: ChatSigning = {
  product: "discord",
  title: CHAT_TITLES.discord,
  type: "discord_app",
  canVerify: ({ options }) => keyOf(options.public_key) !== "",
  isSigned: ({ options }, headers, body, now) =>
    isSignedByDiscord(keyOf(options.public_key), headers, body, now),
  // Discord tests this, and takes an app's URL away that answers otherwise.
  notSigned: "unauthenticated",
  claimOf: ({ context, body }) =>
    readDiscordInteraction(parseJson(body)).kind === "ping"
      ? null
      : [context.req.header("x-signature-timestamp") ?? "", body],
  validMs: DISCORD_TOLERANCE_MS,
};

const [PONG, MESSAGE, NOTHING, FORM] = [1, 4, 6, 9];
const [ROW, INPUT] = [1, 4];
const [SHORT, PARAGRAPH] = [1, 2];
/** Shown to the person alone. */
const EPHEMERAL = 64;

/** The longest message, with room for a time after it. */
const MAX_TEXT = 1_900;
const MAX_NAME = 100;

/** `text` is Discord's Markdown: text from others in it is escaped. */
const ephemeral = (text: string): Response =>
  Response.json({
    type: MESSAGE,
    data: { content: text, flags: EPHEMERAL, allowed_mentions: { parse: [] } },
  });

const say = (text: string): Response => ephemeral(escapeAroundLinks(text).slice(0, MAX_TEXT));

/** The message changes, which says everything. */
const done = (): Response => Response.json({ type: NOTHING });

const refused = ({ text, at }: RefusalWords): Response => {
  const words = escapeAroundLinks(text).slice(0, MAX_TEXT);
  return ephemeral(at === null ? words : `${words}${timeText(at)}.`);
};

/** `POST /callbacks/discord/:integration/interactions`. */
async function serveInteraction(request: ChatRequest): Promise<Response> {
  const interaction = readDiscordInteraction(parseJson(request.body));
  if (interaction.kind === "ping") return Response.json({ type: PONG });
  if (interaction.kind === "other") return say("This does nothing here.");
  const { executionCtx } = request.context;
  const late = () => say("This takes longer than usual.");
  return respondInTime((it) => executionCtx.waitUntil(it), answer(request, interaction), late);
}

type Known = Exclude<DiscordInteraction, { kind: "ping" | "other" }>;

async function answer(request: ChatRequest, interaction: Known): Promise<Response> {
  const person = interaction.kind === "command" ? interaction.command.person : interaction.person;
  const member = await findMember(request, person);
  if (member === null) return say(await linkText(request, person));
  const context = memberContext(request, member);
  switch (interaction.kind) {
    case "action": {
      const { alertId, action } = interaction;
      const words = await performAction(context, alertId, action);
      return words === null ? done() : refused(words);
    }
    case "ask":
      return Response.json({ type: FORM, data: formOf(interaction.form, interaction.alertId) });
    case "submission":
      return submit(request, context, interaction);
    case "command":
      return say(truncateText(await performCommand(request, context, interaction.command), 1_500));
  }
}

/** A form with one field, which is named like the button that opens it. */
function formOf(form: FormKind, alertId: string) {
  const [title, label, style, max_length] =
    form === "comment"
      ? (["Comment", "Comment", PARAGRAPH, MAX_COMMENT] as const)
      : (["Hand off", "Team or person", SHORT, MAX_NAME] as const);
  const input = { type: INPUT, custom_id: "value", label, style, max_length, required: true };
  return {
    custom_id: `${form}:${alertId}`,
    title,
    components: [{ type: ROW, components: [input] }],
  };
}

async function submit(
  request: ChatRequest,
  context: ReturnType<typeof memberContext>,
  { alertId, form, value }: Extract<DiscordInteraction, { kind: "submission" }>,
): Promise<Response> {
  if (form === "hand_off") {
    const words = await performHandOff(context, alertId, value);
    return words === null ? done() : refused(words);
  }
  const text = await performComment(request, context, alertId, value);
  return text === null ? done() : say(text);
}

export function mountDiscord(app: Hono<Environment>): void {
  app.post("/callbacks/discord/:integration/interactions", fromChat(SIGNING, serveInteraction));
}
