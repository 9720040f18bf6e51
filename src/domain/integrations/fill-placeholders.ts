// Fills the placeholders of a set-up with an integration's values.

import { joinUrl } from "../shared/urls.ts";

/** The values of one integration. `token`: null if it has none. `standby`: the address of the deployment's; null: none. */
export type PlaceholderValues = {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  readonly origin: string;
  readonly token: string | null;
  readonly standby: string | null;
};

type Snippet = { readonly title: string; readonly text: string };

type Instructions = {
  readonly steps: readonly string[];
  readonly snippets: readonly Snippet[];
  readonly standby?: { readonly step: string; readonly snippets?: readonly Snippet[] };
};

/** A part of a step: prose, or a value to copy. */
export type StepPart = { readonly text: string; readonly isValue: boolean };

const PLACEHOLDERS = /<(ID|URL|KEY|ORIGIN|TOKEN|STANDBY_URL|STANDBY_ORIGIN)>/;
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

/** An address of the integration at the standby: only the host differs. */
export function atStandby(standby: string, url: string): string {
  const { pathname, search } = new URL(url);
  return joinUrl(standby, `${pathname}${search}`);
}

function placeholderValue(name: string, values: PlaceholderValues): string {
  const { id, url, key, origin, token, standby } = values;
  switch (name) {
    case "ID":
      return id;
    case "URL":
      return url;
    case "KEY":
      return key;
    case "ORIGIN":
      return origin;
    case "STANDBY_URL":
      return atStandby(standby ?? "", url);
    case "STANDBY_ORIGIN":
      return standby ?? "";
    default:
      return token ?? "";
  }
}

/** The parts of a text: odd ones are values. */
const partsOf = (text: string, values: PlaceholderValues): string[] =>
  text
    .split(PLACEHOLDERS)
    .map((part, at) => (at % 2 === 1 ? placeholderValue(part, values) : part));

/** The steps for an integration; without a token, also without what is about the token, and so with a standby. */
export function fillSteps(
  setUp: Instructions,
  values: PlaceholderValues,
): readonly (readonly StepPart[])[] {
  const own = valuesFor(setUp, values);
  const steps = [...setUp.steps, ...(setUp.standby && own.standby ? [setUp.standby.step] : [])];
  return steps
    .filter((step) => own.token !== null || !step.includes(TOKEN))
    .map((step) =>
      partsOf(step, own)
        .map((text, at) => ({ text, isValue: at % 2 === 1 }))
        .filter(({ text }) => text !== ""),
    );
}

/** The snippets for an integration; without a token, also without the lines that carry it. */
export const fillSnippets = (
  setUp: Instructions,
  values: PlaceholderValues,
): readonly Snippet[] => {
  const ofStandby = values.standby === null ? undefined : setUp.standby?.snippets;
  return (ofStandby ?? setUp.snippets).map(({ title, text }) => ({
    title,
    text: fillSnippet(setUp, text, values),
  }));
};

function fillSnippet(setUp: Instructions, text: string, values: PlaceholderValues): string {
  const own = valuesFor(setUp, values);
  const lines = text.split("\n").filter((line) => own.token !== null || !line.includes(TOKEN));
  return partsOf(lines.join("\n"), own).join("");
}
