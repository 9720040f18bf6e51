// Names the browser and operating system of a `User-Agent` header. Pure; used by server and
// browser.

/**
 * In order of precedence: newer browsers also name the older ones that they are compatible with.
 */
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["Chrome", "Chrome"],
  ["CriOS", "Chrome"],
  ["Safari", "Safari"],
  ["curl", "curl"],
] as const;

const SYSTEMS = ["iPhone", "iPad", "Android", "Windows", "Mac OS X", "Linux"] as const;

/** Returns `Edge, Windows`; unknown parts are left out. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([sign]) => userAgent.includes(sign))?.[1] ?? "A browser";
  const system = SYSTEMS.find((sign) => userAgent.includes(sign));
  return system ? `${browser}, ${system.replace("Mac OS X", "Mac")}` : browser;
}
