// Base URLs, as settings and people write them: with or without a slash at the end.

/** A base URL without slashes at its end; empty if there is none. */
export const baseUrl = (url: string | undefined): string => (url ?? "").replace(/\/+$/, "");

/** The URL of a path below a base. `path` begins with a slash. */
export const joinUrl = (base: string | undefined, path: string): string =>
  `${baseUrl(base)}${path}`;
