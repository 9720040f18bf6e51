// The limits of a day on Cloudflare's free plan in words, for the console and for mails. Pure.
import type { DayLimits, Work } from "../shared/daily-limits.ts";

const PAUSED: Readonly<Record<Work, string>> = {
  removal: "the removal of old records",
  live: "live updates (open consoles refresh once a minute)",
  reports: "reports",
  logs: "the logs of requests",
};

/** "a", "a and b", "a, b and c". */
const listed = (words: readonly string[]): string => new Intl.ListFormat("en-GB").format(words);

/** What is used: "82 % of today's D1 rows written are used." */
export function describeUse({ nearest, usedUp }: DayLimits): string {
  return usedUp.length > 0
    ? `Today's ${listed(usedUp)} are used up.`
    : `${nearest.percent} % of today's ${nearest.limit} are used.`;
}

/** What follows from it, in sentences. */
export function describeEffects({ yielding, usedUp }: DayLimits): readonly string[] {
  const paused = yielding.map((work) => PAUSED[work]);
  const pages = usedUp.some((limit) => limit !== "queue operations")
    ? "What needs more of it is refused: senders repeat their webhooks, and pages are sent as far as possible."
    : "Pages go on.";
  return [...(paused.length > 0 ? [`Paused: ${listed(paused)}.`] : []), pages];
}
