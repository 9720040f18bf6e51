// What the states of alerts, workflows, broadcasts and notifications are called where people read them.

const WORDS: Readonly<Record<string, string>> = { dropped: "unanswered" };

/** The word for a state as the API names it: `timed_out` is `timed out`. */
export const statusWord = (status: string): string => WORDS[status] ?? status.replaceAll("_", " ");
