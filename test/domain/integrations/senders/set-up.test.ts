// The set-up of every integration type: complete, well-formed, and with a sample that makes an alert.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  fillSnippets,
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
const PLACEHOLDERS = /<(?:ID|URL|KEY|ORIGIN|TOKEN|STANDBY_\w+)>/;
/** Types whose sender takes one address only. */
const WITHOUT_STANDBY = ["hyperping", "sentry", "zendesk"];

const OPEN: PlaceholderValues = {
  id: "int_AAAAAAAAAAAAAA",
  url: "https://tocsin.example.org/integration/int_AAAAAAAAAAAAAA",
  key: "3zjm07tb6nq1x9wdc4kavh2erg85spyf",
  origin: "https://tocsin.example.org",
  token: null,
  standby: null,
};
const STANDBY = "https://standby.example.net";
const PROTECTED: PlaceholderValues = { ...OPEN, token: "tok_1" };

/** Everything that the page shows. */
const shown = (setUp: StoredSetUp, values: PlaceholderValues): string =>
  [
    ...fillSteps(setUp, values).map((parts) => parts.map(({ text }) => text).join("")),
    ...fillSnippets(setUp, values).map(({ text }) => text),
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
    for (const values of [OPEN, PROTECTED, { ...PROTECTED, standby: STANDBY }]) {
      const text = shown(setUp, values);
      expect(text.includes(values.url) || text.includes(values.key)).toBe(true);
      expect(text).not.toMatch(PLACEHOLDERS);
    }
    expect(shown(setUp, OPEN)).not.toMatch(/tok_1|null|undefined/);
    const isByKey = !shown(setUp, OPEN).includes(OPEN.url);
    if (!isByKey) expect(shown(setUp, PROTECTED)).toContain("tok_1");
  });

  test.runIf(isIncoming)("has a step for a standby alone, with its address or why not", () => {
    const steps = (values: PlaceholderValues) =>
      fillSteps(setUp, values).map((parts) => parts.map(({ text }) => text).join(""));
    for (const values of [OPEN, PROTECTED]) {
      expect(shown(setUp, values)).not.toContain(STANDBY);
      const added = steps({ ...values, standby: STANDBY }).slice(steps(values).length);
      expect(added).toHaveLength(1);
      if (WITHOUT_STANDBY.includes(name)) expect(added[0]).toContain("a standby gets none");
      else if (name !== "email") expect(added[0]).toContain(STANDBY);
      const isProtected =
        values.token !== null && !setUp.standby?.step.includes("<STANDBY_ORIGIN>");
      if (isProtected && added[0]?.includes(`${STANDBY}/integration/`))
        expect(shown(setUp, { ...values, standby: STANDBY })).toContain("tok_1");
    }
  });

  test("has snippets that parse in their formats, with and without a token and a standby", () => {
    const all = [OPEN, PROTECTED].flatMap((it) => [it, { ...it, standby: STANDBY }]);
    for (const values of all) {
      const formats = (values.standby && setUp.standby?.snippets) || setUp.snippets;
      for (const [i, { text: filled }] of fillSnippets(setUp, values).entries()) {
        const format = formats[i]?.format;
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
    snippets: [{ title: "file", text: "url: <URL>\ntoken: <TOKEN>" }],
  };

  test("a token has its lines and steps, which an integration without one does not have", () => {
    const textFor = (values: PlaceholderValues) => fillSnippets(setUp, values)[0]?.text;
    expect(textFor(PROTECTED)).toBe(`url: ${OPEN.url}\ntoken: tok_1`);
    expect(textFor(OPEN)).toBe(`url: ${OPEN.url}`);
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

test.each([
  ["prometheus", 2],
  ["grafana", 2],
])("%s has both addresses in one text", (name, receivers) => {
  const setUp = storedSetUps[name] ?? { steps: [], snippets: [] };
  for (const values of [OPEN, PROTECTED]) {
    const [text = ""] = fillSnippets(setUp, { ...values, standby: STANDBY }).map((it) => it.text);
    expect(text.match(/^ +(?:- )?url: /gm)).toHaveLength(receivers);
    expect(text).toContain(`url: ${OPEN.url}\n`);
    expect(text).toContain(`url: ${STANDBY}/integration/int_AAAAAAAAAAAAAA`);
    expect(text.match(/tok_1/g) ?? []).toHaveLength(values.token === null ? 0 : receivers);
  }
});

test("a test event that creates nothing stays what it is", () => {
  const ignored = [{ kind: "ignored", reason: "nothing" }] as const;
  expect(markTest(ignored, { integration: "Shop", thirdpartyId: "test-1" })).toBe(ignored);
});
