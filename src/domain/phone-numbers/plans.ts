// What of libphonenumber-js's numbering plans is needed to read numbers: all but how each country writes its numbers,
// which is half of it. `numbering-plans.ts` is made of it by `npm run numbering-plans`; pure.
import type { MetadataJson } from "libphonenumber-js/core";

type Plan = readonly unknown[];

/** Where a plan has its formats, and what stands there when it has none. */
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
