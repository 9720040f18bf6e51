// The set-up of every integration type: complete, well-formed, and with a sample that makes an alert.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  fillSnippet,
  fillSteps,
  type PlaceholderValues,
} from "../../../../src/domain/integrations/fill-placeholders.ts";
import { integrationTypes } from "../../../../src/products/registry.ts";
import type { StoredSetUp } from "../../../../src/products/set-up.ts";
import { setUpsText, storedSetUps } from "../../../../src/products/stored-set-ups.ts";
import { markTest } from "../../../../src/products/test-event.ts";
import { readSent } from "../../../support/integrations/sender-fixtures.ts";

/** Types whose format only the user knows, and those whose requests create no alert. */
const WITHOUT_SAMPLE = ["custom_webhook", "heartbeat"];
const PLACEHOLDERS = ["<ID>", "<URL>", "<KEY>", "<ORIGIN>", "<TOKEN>"];

const OPEN: PlaceholderValues = {
  id: "int_AAAAAAAAAAAAAA",
  url: "https://tocsin.example.org/integration/int_AAAAAAAAAAAAAA",
  key: "3zjm07tb6nq1x9wdc4kavh2erg85spyf",
  origin: "https://tocsin.example.org",
  token: null,
};
const PROTECTED: PlaceholderValues = { ...OPEN, token: "tok_1" };

/** Everything that the page shows. */
const shown = (setUp: StoredSetUp, values: PlaceholderValues): string =>
  [
    ...fillSteps(setUp, values).map((parts) => parts.map(({ text }) => text).join("")),
    ...setUp.snippets.map(({ text }) => fillSnippet(setUp, text, values)),
  ].join("\n");

test("every type has one", () => {
  expect(Object.keys(storedSetUps).sort()).toEqual(integrationTypes.map(({ name }) => name).sort());
  expect(JSON.parse(setUpsText())).toEqual(storedSetUps);
});

const cases = integrationTypes.map((type) => [type.name, type, storedSetUps[type.name]] as const);

describe.each(cases)("%s", (name, type, setUp = { steps: [], snippets: [] }) => {
  const isIncoming = type.outgoing === undefined;

  test("has steps, each a sentence or one that ends with a value", () => {
    expect(setUp.steps.length).toBeGreaterThan(0);
    for (const step of setUp.steps) expect(step).toMatch(/^[A-Z].*(?:\.|>|\S>\S{1,10})$/);
    for (const { title, text } of setUp.snippets) expect([title, text]).not.toContain("");
  });

  test.runIf(isIncoming)("names the integration's address, and no placeholder stays", () => {
    for (const values of [OPEN, PROTECTED]) {
      const text = shown(setUp, values);
      expect(text.includes(values.url) || text.includes(values.key)).toBe(true);
      for (const placeholder of PLACEHOLDERS) expect(text).not.toContain(placeholder);
    }
    expect(shown(setUp, OPEN)).not.toMatch(/tok_1|null|undefined/);
    const isByKey = !shown(setUp, OPEN).includes(OPEN.url);
    if (!isByKey) expect(shown(setUp, PROTECTED)).toContain("tok_1");
  });

  test("has snippets that parse in their formats, with and without a token", () => {
    for (const { format, text } of setUp.snippets) {
      for (const filled of [OPEN, PROTECTED].map((it) => fillSnippet(setUp, text, it))) {
        if (format === "json") expect(JSON.parse(filled)).toBeTypeOf("object");
        if (format === "yaml") expect(parse(filled)).toBeTypeOf("object");
        if (format === "shell") expect(filled.match(/'/g)?.length ?? 0).toSatisfy(isEven);
        if (format === "shell") expect(filled).not.toMatch(/\\$/);
      }
    }
  });

  test(`has ${isIncoming && !WITHOUT_SAMPLE.includes(name) ? "a" : "no"} sample that creates an alert`, () => {
    const { sample } = setUp;
    expect(sample === undefined).toBe(!isIncoming || WITHOUT_SAMPLE.includes(name));
    if (sample === undefined) return;
    const events = type.translate(readSent(sample), {});
    expect(events).toMatchObject([{ kind: "create" }]);
    const [marked] = markTest(events, { integration: "Shop", thirdpartyId: "test-1" });
    expect(marked).toMatchObject({
      kind: "create",
      thirdpartyId: "test-1",
      title: expect.stringMatching(/^Test of Shop: \S/),
      description: expect.stringMatching(/^A test event/),
      dedupKeys: [],
      incident: false,
    });
  });
});

const isEven = (count: number) => count % 2 === 0;

describe("the placeholders", () => {
  const setUp = {
    steps: ["Enter this URL: <URL>", "Enter <TOKEN> as the secret."],
    snippets: [{ text: "url: <URL>\ntoken: <TOKEN>" }],
  };

  test("a token has its lines and steps, which an integration without one does not have", () => {
    expect(fillSnippet(setUp, "url: <URL>\ntoken: <TOKEN>", PROTECTED)).toBe(
      `url: ${OPEN.url}\ntoken: tok_1`,
    );
    expect(fillSnippet(setUp, "url: <URL>\ntoken: <TOKEN>", OPEN)).toBe(`url: ${OPEN.url}`);
    expect(fillSteps(setUp, OPEN)).toHaveLength(1);
    expect(fillSteps(setUp, PROTECTED)[1]).toEqual([
      { text: "Enter ", isValue: false },
      { text: "tok_1", isValue: true },
      { text: " as the secret.", isValue: false },
    ]);
  });

  test("a token without a place of its own is a parameter of the URL", () => {
    const bare = { steps: ["Enter this URL: <URL>"], snippets: [] };
    const parts = fillSteps(bare, { ...OPEN, token: "a b" })[0];
    expect(parts?.at(-1)).toEqual({ text: `${OPEN.url}?token=a%20b`, isValue: true });
  });
});

test("a test event that creates nothing stays what it is", () => {
  const ignored = [{ kind: "ignored", reason: "nothing" }] as const;
  expect(markTest(ignored, { integration: "Shop", thirdpartyId: "test-1" })).toBe(ignored);
});
