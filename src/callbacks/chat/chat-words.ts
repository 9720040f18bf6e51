// What is said to a person in a chat, in the words of every product. Plain text: each product
// escapes it.
import { readLatestAnswer } from "../../db/alerts/notifications/latest-answer-rows.ts";
import type { ChatMember } from "../../db/people/contacts/chat-account-rows.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { OnCallNames } from "../../services/oncall/on-call/read-on-call-names.ts";
import { sentenceOf } from "../provider-request.ts";
import type { ChatRequest } from "./chat-request.ts";

/** A refusal, and who answered before, with the time if there was an answer (epoch ms). */
export type RefusalWords = { readonly text: string; readonly at: number | null };

/** Says why an answer is refused: where somebody was first, also who and when. */
export async function refusalWords(
  { db, integration }: ChatRequest,
  alertId: string,
  refusal: Refusal,
): Promise<RefusalWords> {
  const text = `Nothing was changed. ${sentenceOf(refusal)}`;
  if (refusal.reason !== "conflict") return { text, at: null };
  const answer = await readLatestAnswer(db, integration.accountId, alertId);
  return answer === null
    ? { text, at: null }
    : { text: `${text} ${answer.text} at `, at: answer.at };
}

/** A refusal in one text, with the time by the member's clock. */
export const wordsFor = (
  { timeZone }: Pick<ChatMember, "timeZone">,
  words: RefusalWords,
): string =>
  words.at === null
    ? words.text
    : `${words.text}${new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(words.at)}.`;

/** What can be written to the app, where it has no commands of its own. */
export const COMMANDS_HELP =
  "Write oncall, with a part of a team's name, or page, the name of a team or person, and the title.";

/** The most teams that one answer lists. */
const MAX_TEAMS = 40;

/** Who is on call, a line per team. */
export function onCallWords(teams: readonly OnCallNames[] | Refusal, search: string): string {
  if (isRefusal(teams)) return sentenceOf(teams);
  if (teams.length === 0) {
    return search === ""
      ? "There are no teams."
      : `No team's name contains ${search.slice(0, 80)}.`;
  }
  const lines = teams.slice(0, MAX_TEAMS).map(({ team, layers }) => {
    const layerTexts = layers.map(({ layer, names }) => `layer ${layer}: ${names.join(", ")}`);
    return `${team}: ${layerTexts.length === 0 ? "nobody is on call" : layerTexts.join("; ")}`;
  });
  const more = teams.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more. Name a team.`] : [])].join("\n");
}
