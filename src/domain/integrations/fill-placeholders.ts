// Fills the placeholders of a set-up with an integration's values.

/** The values of one integration. `token`: null if it has none. */
export type PlaceholderValues = {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  readonly origin: string;
  readonly token: string | null;
};

type Instructions = {
  readonly steps: readonly string[];
  readonly snippets: readonly { readonly text: string }[];
};

/** A part of a step: prose, or a value to copy. */
export type StepPart = { readonly text: string; readonly isValue: boolean };

const PLACEHOLDERS = /<(ID|URL|KEY|ORIGIN|TOKEN)>/;
const TOKEN = "<TOKEN>";

/**
 * The values with the token in the URL, if the sender has no other place for it: every type accepts
 * it as a parameter.
 */
function valuesFor({ steps, snippets }: Instructions, values: PlaceholderValues) {
  const { url, token } = values;
  const texts = [...steps, ...snippets.map(({ text }) => text)];
  const hasPlace = texts.some((text) => text.includes(TOKEN));
  const isInUrl = token !== null && !hasPlace;
  return { ...values, url: isInUrl ? `${url}?token=${encodeURIComponent(token)}` : url };
}

function placeholderValue(name: string, values: PlaceholderValues): string {
  const { id, url, key, origin, token } = values;
  switch (name) {
    case "ID":
      return id;
    case "URL":
      return url;
    case "KEY":
      return key;
    case "ORIGIN":
      return origin;
    default:
      return token ?? "";
  }
}

/** The parts of a text: odd ones are values. */
const partsOf = (text: string, values: PlaceholderValues): string[] =>
  text
    .split(PLACEHOLDERS)
    .map((part, at) => (at % 2 === 1 ? placeholderValue(part, values) : part));

/** The steps for an integration; without a token, also without what is about the token. */
export function fillSteps(
  setUp: Instructions,
  values: PlaceholderValues,
): readonly (readonly StepPart[])[] {
  const own = valuesFor(setUp, values);
  return setUp.steps
    .filter((step) => own.token !== null || !step.includes(TOKEN))
    .map((step) =>
      partsOf(step, own)
        .map((text, at) => ({ text, isValue: at % 2 === 1 }))
        .filter(({ text }) => text !== ""),
    );
}

/** A snippet's text for an integration; without a token, also without the lines that carry it. */
export function fillSnippet(setUp: Instructions, text: string, values: PlaceholderValues): string {
  const own = valuesFor(setUp, values);
  const lines = text.split("\n").filter((line) => own.token !== null || !line.includes(TOKEN));
  return partsOf(lines.join("\n"), own).join("");
}
