// The colours of everything that people see in a browser: the console's style sheet and the pages behind links.

/** Each in light and dark. */
export const PALETTE = {
  ground: ["#f6f7f9", "#101317"],
  sheet: ["#ffffff", "#181c22"],
  raised: ["#eef0f4", "#222831"],
  ink: ["#171a21", "#e9ecf2"],
  soft: ["#555d6e", "#a4acbb"],
  line: ["#e1e4ea", "#2d343f"],
  "strong-line": ["#8a92a3", "#6b7585"],
  accent: ["#2450c4", "#7ea2ff"],
  "accent-ink": ["#ffffff", "#0d1530"],
  bad: ["#b42318", "#ff8d84"],
  "bad-ground": ["#fdeceb", "#3a1c1b"],
  warn: ["#8a4b00", "#f5b657"],
  "warn-ground": ["#fdf1dc", "#372814"],
  good: ["#12693a", "#69d39a"],
  "good-ground": ["#e4f4ea", "#143022"],
  busy: ["#1f4fb4", "#93b4ff"],
  "busy-ground": ["#e7eefc", "#1b2745"],
  focus: ["#2450c4", "#a9c1ff"],
  chosen: ["#ffffff", "#434c5b"],
} as const;

export type Colour = keyof typeof PALETTE;

const COLOURS = Object.keys(PALETTE) as Colour[];

/** The custom properties of every colour, by the element's `color-scheme`. */
export const PALETTE_CSS = `:root{${COLOURS.map(
  (name) => `--${name}:light-dark(${PALETTE[name].join(",")})`,
).join(";")}}\n`;

/** The colours of people, by number: in light and dark the same, with white text on them. */
export const PEOPLE_COLOURS: readonly string[] = [
  "2f5fd0 a8431a 1d7a4a 8b2fae 8a6100 0f7590 b52a63 4d6b12 5a4fcf 7a5230 3d6472 96305a",
  "0000bd 482d6c cf00cf 1b482d 751200 993ffc 906399 3609fc 5a00b4 004899 75005a e10087",
  "6c487e 7500ea 75756c 513636 b43fa2 004863 a20012 99007e 2d36c6 ab5a63 750090 5a63a2",
].flatMap((row) => row.split(" "));

/** The class that gives an element the colour of a person: `who-0`. */
export const PEOPLE_CSS = `${PEOPLE_COLOURS.map((it, at) => `.who-${at}{--who:#${it}}`).join("")}\n`;

/** The custom properties of some colours, by the system's theme: also for browsers without `light-dark()`. */
export function coloursCss(names: readonly Colour[]): string {
  const rootIn = (theme: 0 | 1) =>
    `:root{${names.map((name) => `--${name}:${PALETTE[name][theme]}`).join(";")}}`;
  return `${rootIn(0)}@media(prefers-color-scheme:dark){${rootIn(1)}}`;
}
