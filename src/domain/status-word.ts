// Display names for the states of alerts, workflows, broadcasts and notifications.

const WORDS: Readonly<Record<string, string>> = { dropped: "unanswered" };

/** The display name of an API state: `timed_out` becomes `timed out`. */
export const statusWord = (status: string): string => WORDS[status] ?? status.replaceAll("_", " ");
