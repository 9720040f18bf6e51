// The theme: the system's, light or dark. Stored in a cookie, so that the server renders it and the
// page does not flash.
import type { Context } from "hono";
import type { Environment } from "../http/serve.ts";
import { dropCookie, putCookie, readCookie } from "./cookies.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The longest lifetime that browsers allow for a cookie. */
const MAX_AGE_SECONDS = 400 * 86_400;

const themeOf = (text: string | null): Theme => THEMES.find((it) => it === text) ?? "system";

export const readTheme = (context: Context<Environment>): Theme =>
  themeOf(readCookie(context, "theme"));

export function keepTheme(context: Context<Environment>, text: string): void {
  const theme = themeOf(text);
  if (theme === "system") dropCookie(context, "theme");
  else putCookie(context, "theme", theme, MAX_AGE_SECONDS);
}
