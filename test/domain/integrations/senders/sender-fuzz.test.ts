// Fuzzes every type's `translate` with any JSON, any bytes and mutated requests of its sender, with templates and
// expressions. It never throws and never creates an alert without a title, and its cost stays proportional to the cost
// of serializing and parsing the same data as JSON.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InboundEvent, InboundRequest } from "../../../../src/products/integration-type.ts";
import { interpretRequest } from "../../../../src/products/interpret.ts";
import { createSearch, expressionFault } from "../../../../src/products/reading/expression.ts";
import { parseInbound } from "../../../../src/products/reading/inbound.ts";
import { integrationTypes } from "../../../../src/products/registry.ts";
import { expectEqual } from "../../../support/generated/expect-equal.ts";
import { sized } from "../../../support/generated/sizes.ts";
import {
  anyOptions,
  HOSTILE_TEXTS,
  hostile,
  mutated,
  SIZE,
} from "../../../support/integrations/hostile.ts";
import { readSent, senderFixtures } from "../../../support/integrations/sender-fixtures.ts";
import { inbound } from "../../../support/worker/fixtures.ts";

const INTEGRATION_URL = "https://tocsin.example.org/integration/int_AAAAAAAAAAAAAA/g";
const RUNS = sized(12, 600);

const requestsOf = (name: string): readonly InboundRequest[] =>
  Object.values(senderFixtures.get(name)?.requests ?? {}).map(readSent);

function expectValid(events: readonly InboundEvent[]) {
  expectEqual(events.length > 0, true);
  for (const event of events) {
    if (event.kind === "ignored" || event.kind === "invalid" || event.kind === "note") continue;
    const { thirdpartyId } = event;
    const isIdValid = thirdpartyId === null || thirdpartyId.trim() !== "";
    expectEqual([isIdValid, (thirdpartyId ?? "").length <= 1_000], [true, true]);
    if (event.kind !== "create") continue;
    const { title, tags } = event;
    const isTitleValid = title.trim() !== "" && title.length <= 1_024;
    expectEqual([isTitleValid, tags.every((tag) => tag.trim() !== "")], [true, true]);
  }
}

describe.each(integrationTypes.map((type) => [type.name, type] as const))("%s", (name, type) => {
  const known = requestsOf(name);
  const base = known[0] ?? inbound("");

  test("handles any JSON as the body of its sender's requests", () => {
    const bodies = fc.tuple(fc.constantFrom(base, ...known), fc.jsonValue(), anyOptions(type));
    fc.assert(
      fc.property(bodies, ([request, body, options]) => {
        expectValid(interpretRequest(type, { ...request, body }, options));
      }),
      { numRuns: RUNS },
    );
  });

  test("handles mutated requests of its sender", () => {
    const requests = fc.constantFrom(base, ...known).chain((request) =>
      fc
        .tuple(mutated(request.body), mutated(request.query), mutated(request.headers))
        .map(([body, query, headers]) => ({
          ...request,
          body,
          query: { ...(query as object) },
          headers: stringHeaders(headers),
        })),
    );
    fc.assert(
      fc.property(requests, anyOptions(type), (request, options) => {
        expectValid(interpretRequest(type, request, options));
      }),
      { numRuns: RUNS },
    );
  });

  test("handles any bytes with any content type", () => {
    const types = fc.constantFrom(
      "application/json",
      "application/x-www-form-urlencoded",
      "text/plain",
      "multipart/form-data; boundary=x",
      "",
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), types, fc.string(), (bytes, of, query) => {
        const headers = new Headers(of === "" ? {} : { "content-type": of });
        expectValid(
          interpretRequest(
            type,
            parseInbound("POST", new URL(`${INTEGRATION_URL}?${query}`), headers, bytes),
            {},
          ),
        );
      }),
      { numRuns: RUNS / 3 },
    );
  });
});

/** The headers with every value as a string. */
function stringHeaders(headers: unknown): Record<string, string> {
  const entries = Object.entries(typeof headers === "object" && headers ? headers : {});
  return Object.fromEntries(entries.map(([name, value]) => [name, JSON.stringify(value)]));
}

describe("large input costs a small multiple of its conversion to and from JSON", () => {
  test.each(integrationTypes.map((type) => [type.name, type] as const))(
    "in the type %s",
    (name, type) => {
      const options = { ...senderFixtures.get(name)?.options, capture_additional_data: true };
      const request = requestsOf(name)[0] ?? inbound("");
      for (const body of hostile(request.body)) {
        const multiple = costRelativeToJson(body, () =>
          interpretRequest(type, { ...request, body }, options),
        );
        expect(multiple, JSON.stringify(body).slice(0, 200)).toBeLessThan(100);
      }
    },
  );

  const list = Array.from({ length: SIZE / 8 }, () => ["x"]);
  const many = Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`field${i}`, "x y z"]));
  const deep = (depth: number, text: string) => {
    const names = Array.from({ length: depth }, () => "data.list");
    const opened = names.map((it) => `{{#${it}}}`).join("");
    return opened + text + names.map((it) => `{{/${it}}}`).join("");
  };
  test.each([
    deep(3, "{{.}}"),
    deep(6, "x"),
    deep(200, "{{data}}"),
    deep(8, ""),
    "{{data}}".repeat(2_000),
    `{{#data.many}}${"{{a.b.c.d}}".repeat(1_000)}{{/data.many}}`,
    `{{${"a.".repeat(4_000)}a}}`,
    "{{^none}}{{description}}{{/none}}".repeat(400),
    "{{{".repeat(5_000),
  ])("in the template %.40s", (template) => {
    for (const text of HOSTILE_TEXTS.slice(0, 1)) {
      const body = { event_type: "create", Title: "Disk", Description: text, list, many };
      const options = { title_template: template, description_template: template };
      const [webhook] = integrationTypes.filter((type) => type.name === "webhook");
      const multiple = costRelativeToJson(
        body,
        () => webhook && interpretRequest(webhook, inbound(body), options),
      );
      expect(multiple).toBeLessThan(100);
    }
  });

  test.each([
    "list[] | [] | [] | []",
    "[list, list, list, list][] | [@, @, @, @][] | [@, @][]",
    "{a: list, b: many, c: text, d: @}",
    "sort(list[])",
    "sort_by(list, &to_string(@))",
    "reverse(list) == list || list[*][0] == list[*][0] || list[?@[0] == 'x']",
    "to_string([to_string([to_string([@])])])",
    "join('', list[])",
    "join(',', [text, text])",
    "keys(many) | join(',', @)",
    "many.* | [?contains(@, 'y')]",
    "merge(many, many, many, many)",
    "group_by(list, &[0])",
    "zip(list, list, list)",
    "split(text, '')",
    "map(&length(@), list)",
    "max_by(list, &length(@))",
    "from_items(items(many))",
  ])("in the expression %s", (expression) => {
    expect(expressionFault(expression)).toBeNull();
    for (const text of HOSTILE_TEXTS.slice(0, 3)) {
      const body = { list: list.slice(0, SIZE / 40), many: {}, text: text.slice(0, SIZE / 4) };
      body.many = Object.fromEntries(Object.entries(many).slice(0, 1_000));
      const multiple = costRelativeToJson(body, () =>
        JSON.stringify(createSearch(body)(expression)),
      );
      expect(multiple).toBeLessThan(300);
    }
  });
});

/** How many times as long the work takes as converting the value to JSON and back, key by key. */
function costRelativeToJson(value: unknown, work: () => unknown): number {
  const plain = fastest(() => JSON.parse(JSON.stringify(value), (_key, inner) => inner));
  return fastest(work) / Math.max(plain, 0.5);
}

/** CPU time of this thread (ms): other processes on the machine do not count. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The CPU time of the shortest of up to three runs, in milliseconds. */
function fastest(work: () => unknown): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && shortest > 2; run += 1) {
    const start = cpuTime();
    work();
    shortest = Math.min(shortest, cpuTime() - start);
  }
  return shortest;
}
