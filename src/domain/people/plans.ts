// Reduces libphonenumber-js's numbering plans to what parsing needs: removes the national formats,
// half of their size. `npm run numbering-plans` generates `numbering-plans.ts` with it. Pure.
import type { MetadataJson } from "libphonenumber-js/core";

type Plan = readonly unknown[];

/** Index of the formats in a plan, and the value that replaces them. */
const FORMATS = 4;
const NONE = 0;

const withoutFormats = (plans: Readonly<Record<string, Plan>>) =>
  Object.fromEntries(
    Object.entries(plans).map(([country, plan]) => [
      country,
      plan.map((part, at) => (at === FORMATS ? NONE : part)),
    ]),
  );

/** The library's metadata without formats. */
function plansOf(metadata: object): MetadataJson {
  const { countries, nonGeographic } = metadata as {
    countries: Record<string, Plan>;
    nonGeographic: Record<string, Plan>;
  };
  return {
    ...metadata,
    countries: withoutFormats(countries),
    nonGeographic: withoutFormats(nonGeographic),
  } as MetadataJson;
}

/** The text of `numbering-plans.ts`. */
export const sourceOf = (metadata: object): string =>
  `// Made by \`npm run numbering-plans\`.
import type { MetadataJson } from "libphonenumber-js/core";

export const numberingPlans: MetadataJson = ${JSON.stringify(plansOf(metadata))};
`;
