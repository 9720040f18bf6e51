// Texts of integration types that name an option: it is one of the type's, which the console shows by its label.
import { expect, test } from "vitest";
import { optionTitle, withOptionTitles } from "../../../src/console/integrations/option-titles.ts";
import { optionsOf } from "../../../src/products/common-options.ts";
import { integrationTypes } from "../../../src/products/registry.ts";
import { storedSetUps } from "../../../src/products/stored-set-ups.ts";

test("an option is named by its label, and any other word as it is", () => {
  const options = integrationTypes.flatMap((type) => optionsOf(type));
  expect(withOptionTitles("Enter it in option webhook_url.", { options })).toBe(
    "Enter it in option “Webhook url”.",
  );
  expect(withOptionTitles("an option of no_type", { options })).toBe("an option of no_type");
});

test.each(integrationTypes.map((type) => [type.name, type] as const))("%s", (name, type) => {
  const keys = optionsOf(type).map(({ key }) => key);
  const steps = storedSetUps[name]?.steps ?? [];
  const named = [type.description, ...steps].flatMap((text) =>
    [...text.matchAll(/\boption ([a-z]+(?:_[a-z]+)+)\b/g)].map(([, key = ""]) => key),
  );
  expect(named.filter((key) => !keys.includes(key))).toEqual([]);
  for (const key of keys) expect(optionTitle(key)).toMatch(/^[A-Z][a-z0-9 ]*$/);
});
