// The names of the states of alerts, workflows, broadcasts and notifications in texts for people.

/** The word for a state as the API names it: `timed_out` is `timed out`. */
export const statusWord = (status: string): string => status.replaceAll("_", " ");
