// Names of prototype properties (such as `constructor`) as keys and values in senders' requests, templates and
// expressions: nothing throws, and nothing is read from an object's prototype.
import { describe, expect, test } from "vitest";
import { compileTemplate } from "../../../src/domain/routing/rules/template.ts";
import { interpretRequest } from "../../../src/products/interpret.ts";
import { createSearch } from "../../../src/products/reading/expression.ts";
import { integrationTypes } from "../../../src/products/registry.ts";
import {
  PROTOTYPE_NAMES,
  withNamesWithin,
  withTextAtEachPlace,
} from "../../support/api/prototype-names.ts";
import { selectSome } from "../../support/generated/sizes.ts";
import { readSent, senderFixtures } from "../../support/integrations/sender-fixtures.ts";

describe.each(integrationTypes.map((type) => [type.name, type] as const))("%s", (name, type) => {
  const requests = Object.values(senderFixtures.get(name)?.requests ?? {}).map(readSent);

  test("interprets its requests the same with prototype names added", () => {
    for (const request of requests) {
      const before = interpretRequest(type, request, {}).map(({ kind }) => kind);
      const changed = { ...request, body: withNamesWithin(request.body) };
      expect(interpretRequest(type, changed, {}).map(({ kind }) => kind)).toEqual(before);
    }
  });

  test("reads nothing from a prototype with such a name in place of each text", () => {
    for (const [nth, request] of requests.entries()) {
      for (const it of selectSome(PROTOTYPE_NAMES, 3, nth)) {
        for (const body of withTextAtEachPlace(request.body, it)) {
          for (const event of interpretRequest(type, { ...request, body }, {})) {
            expect(JSON.stringify(event)).not.toMatch(/native code|function /);
          }
        }
      }
    }
  });
});

test.each(PROTOTYPE_NAMES)("{{%s}} renders nothing, and no expression finds it", (name) => {
  const view = { alert: { title: "x" }, list: [1], text: "abc" };
  for (const path of [name, `alert.${name}`, `alert.title.${name}`, `list.${name}`]) {
    const compiled = compileTemplate(
      `{{${path}}}{{#if ${path}}}yes{{/if}}{{#each ${path}}}x{{/each}}`,
    );
    if (compiled.ok)
      expect(compiled.template(view, { left: 10_000, isExceeded: false }), path).toBe("");
    expect(createSearch(view)(path), path).toBeNull();
  }
});
