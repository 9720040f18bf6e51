// The forms of the console have a field for each plain parameter of the body that they submit.
import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type * as z from "zod";
import type { FormEntry } from "../../../src/kernel/console/declared-form.ts";
import { readParameters } from "../../../src/kernel/console/parameter.ts";
import { root } from "../../support/source/source-files.ts";

/** The names of the fields that forms have, by the schema of their body. */
const fields = vi.hoisted(() => new Map<unknown, Set<string>>());

vi.mock(import("../../../src/kernel/console/declared-form.ts"), async (original) => {
  const actual = await original();
  const declareForm: typeof actual.declareForm = (body, entries) => {
    const known = fields.get(body) ?? new Set();
    fields.set(body, known);
    for (const name of entries.flatMap(namesIn)) known.add(name);
    return actual.declareForm(body, entries);
  };
  return { ...actual, declareForm };
});

function namesIn<State>(entry: FormEntry<string, State>): readonly string[] {
  if ("fields" in entry) return entry.fields.flatMap(namesIn);
  if ("name" in entry) return [entry.name];
  return (entry.parameters ?? []).map((name) => name.replace(/\..*/, ""));
}

/** People and shifts have pages that draw most of their fields themselves. */
const DRAWN =
  /^(?:(?:Create|Update)AccountUser|ImportAccountUsers|UpdateUser|(?:Create|Override)Event)$/;

/** Other spellings, what pages draw themselves, and what only programs send. */
const ELSEWHERE = [
  ...["CreateAlert.dedup_keys", "CreateAlert.tag_list"],
  ...["CreateBroadcast.tag_list", "CreateBroadcast.tags"],
  ...["CreateIntegration.options", "CreateTeam.attachments"],
];

test("a plain parameter is in a form of its schema, or listed here", async () => {
  // Another file of tests may have loaded the pages, without the mock.
  vi.resetModules();
  await import("../../../src/console/pages.ts");
  const files = globSync(join(root, "src/features/**/*parameters.ts").replaceAll("\\", "/"));
  const missing: string[] = [];
  for (const file of files) {
    const contract = (await import(file)) as Record<string, z.ZodType>;
    for (const [schema, body] of Object.entries(contract)) {
      const known = fields.get(body);
      if (known === undefined || DRAWN.test(schema)) continue;
      const plain = [...readParameters(body).keys()].filter(
        (name) => name !== "meta" && !/_(?:ids?|attributes)$/.test(name),
      );
      missing.push(...plain.filter((it) => !known.has(it)).map((it) => `${schema}.${it}`));
    }
  }
  expect(fields.size).toBeGreaterThan(15);
  expect(missing.toSorted()).toEqual(ELSEWHERE.toSorted());
});
