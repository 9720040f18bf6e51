import { expect, test } from "vitest";
import { integrationTypeNamed, integrationTypes } from "../../../../src/integrations/registry.ts";

test("finds every type by its unique name", () => {
  const names = integrationTypes.map((type) => type.name);
  expect(names).toEqual(expect.arrayContaining(["webhook", "prometheus"]));
  expect(new Set(names).size).toBe(names.length);
  for (const type of integrationTypes) {
    expect(type.name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(integrationTypeNamed(type.name)).toBe(type);
  }
});

test.each(["", "Webhook", "unknown", "__proto__", "constructor"])("%j is not a type", (name) => {
  expect(integrationTypeNamed(name)).toBeNull();
});
