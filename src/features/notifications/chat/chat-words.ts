// What is said to a person in a chat, in the words of every product. Plain text: each product
// escapes it.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant, INSTANT_IN_TEXT, withLocalTimes } from "../../../domain/shared/time.ts";
import type { OnCallNames } from "../../oncall/on-call/read-on-call-names.ts";
import type { ChatMember } from "../../people/chat-accounts/rows.ts";
import { refusedWords, sentenceOf } from "../callbacks/provider-request.ts";

/** What is said of a refusal. `at`: the time at its end (epoch ms), if it names who was first. */
export type RefusalWords = { readonly text: string; readonly at: number | null };

/** Says why an action is refused: where somebody was first, also who and when. */
export function refusalWords(refusal: Refusal): RefusalWords {
  const text = refusedWords(refusal);
  const [instant] = text.match(INSTANT_IN_TEXT) ?? [];
  if (instant === undefined) return { text, at: null };
  return { text: text.slice(0, text.indexOf(instant)), at: Date.parse(instant) };
}

/** A refusal in one text, with the time by the member's clock. `now`: epoch ms. */
export const wordsFor = (
  { timeZone }: Pick<ChatMember, "timeZone">,
  { text, at }: RefusalWords,
  now: number,
): string =>
  at === null ? text : `${withLocalTimes(`${text}${formatInstant(at)}`, timeZone, now)}.`;

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
    const layerTexts = layers.map(({ layer, names }) => `step ${layer}: ${names.join(", ")}`);
    return `${team}: ${layerTexts.length === 0 ? "nobody is on call" : layerTexts.join("; ")}`;
  });
  const more = teams.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more. Name a team.`] : [])].join("\n");
}
