// A file of its own: the console's script needs it without the rest of the domain.

/** How long an answer can be undone (ms). */
export const UNDO_MS = 60_000;
