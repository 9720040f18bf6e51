// What a browser and its system are called, out of what a browser says of itself. Pure: the page and the server use it.

/** Newer ones name the older that they are like, too: whoever is named first here is meant. */
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

/** `Edge, Windows`; what is not known is left out. `userAgent`: the header's value. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([sign]) => userAgent.includes(sign))?.[1] ?? "A browser";
  const system = SYSTEMS.find((sign) => userAgent.includes(sign));
  return system ? `${browser}, ${system.replace("Mac OS X", "Mac")}` : browser;
}
