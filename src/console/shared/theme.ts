// Light or dark: as the system has it, unless this browser was told otherwise. Kept in a cookie, so that the server
// writes it into the page and nothing flashes.
import type { Context } from "hono";
import type { Environment } from "../../http/serve.ts";
import { dropCookie, putCookie, readCookie } from "../access/cookies.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** As long as browsers keep a cookie at most. */
const KEPT_SECONDS = 400 * 86_400;

const themeOf = (text: string | null): Theme => THEMES.find((it) => it === text) ?? "system";

export const readTheme = (context: Context<Environment>): Theme =>
  themeOf(readCookie(context, "theme"));

export function keepTheme(context: Context<Environment>, text: string): void {
  const theme = themeOf(text);
  if (theme === "system") dropCookie(context, "theme");
  else putCookie(context, "theme", theme, KEPT_SECONDS);
}
