// Display names for the states of alerts, workflows, broadcasts and notifications.

/** The display name of an API state: `timed_out` becomes `timed out`. */
export const statusWord = (status: string): string => status.replaceAll("_", " ");
