// The API reference: generated from the routes, valid OpenAPI, complete, with an example of every body that matches its
// schema.
import { Validator as SchemaValidator } from "@cfworker/json-schema";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, test } from "vitest";
import { pages } from "../../../src/console/pages.ts";
import type { Route } from "../../../src/kernel/http/route.ts";
import { optionsOf } from "../../../src/products/common-options.ts";
import { integrationTypes } from "../../../src/products/registry.ts";
import { API, documentOf, findMissingDeclarations } from "../../../src/reference/document.ts";
import { OPERATION_DESCRIPTIONS } from "../../../src/reference/operation-words.ts";
import { routes } from "../../../src/routes.ts";
import { withReferences } from "../../support/api/openapi.ts";
import { servedRoutes } from "../../support/api/served-routes.ts";

type Json = Record<string, any>;

let document: Json;
let operations: { name: string; operation: Json }[];

beforeAll(() => {
  document = JSON.parse(JSON.stringify(documentOf(routes)));
  operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
});

const faultsOf = (value: unknown, schema: Json): string[] => {
  const { valid, errors } = new SchemaValidator(
    withReferences(schema, document),
    "2020-12",
  ).validate(value);
  return valid ? [] : errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
};

/** Every media type of an operation's request and responses, with its place in the document. */
function contentsOf({ name, operation }: { name: string; operation: Json }) {
  const answers = Object.entries<Json>(operation.responses).map(([status, response]) => {
    const { content } = withReferences(response, document) as Json;
    return { place: `${name} → ${status}`, content };
  });
  return [{ place: name, content: operation.requestBody?.content }, ...answers]
    .filter(({ content }) => content !== undefined)
    .map(({ place, content }) => ({ place, media: Object.values<Json>(content)[0] as Json }));
}

const exampleOf = (media: Json): unknown => {
  if (media.example !== undefined) return media.example;
  const [named] = Object.values<Json>(media.examples ?? {});
  return named && (withReferences(named, document) as Json).value;
};

/** For `npm run backup`, `npm run restore`, standbys and `npm run standby` only. */
const BACKUP_PATHS = [
  { method: "GET", path: "/backup" },
  { method: "POST", path: "/restore/:step" },
  { method: "GET", path: "/standby" },
  { method: "POST", path: "/standby/:step" },
];

describe("the routes", () => {
  test("declare what the reference needs", () => {
    expect(findMissingDeclarations(routes)).toEqual([]);
  });

  test("are reported with what they do not declare", () => {
    const bare = { method: "GET", path: "/elsewhere", operation: "x", allow: "everyone" };
    const incomplete = bare as Route;
    expect(findMissingDeclarations([incomplete])).toEqual([
      "GET /elsewhere says no summary, no shows, no tag for elsewhere in src/reference/introduction.ts",
    ]);
    expect(() => documentOf([incomplete])).toThrow("says no summary");
  });

  test("have unique operation names", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

describe("the document", () => {
  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  test("has every path that the application serves", () => {
    // Its WebSocket is no page.
    const inConsole = new Set(
      [...pages, { method: "GET", path: "/live" }, ...BACKUP_PATHS].map(
        ({ method, path }) => `${method} ${path}`,
      ),
    );
    const served = servedRoutes()
      .filter(({ path }) => !path.includes("*"))
      .filter(({ method, path }) => !inConsole.has(`${method} ${path}`))
      .map(({ method, path }) => `${method} ${path.replace(/:([a-z_]+)/g, "{$1}")}`)
      .map((name) => name.replace("/feeds/{file}", "/feeds/{secret}.ics"));
    const described = new Set(operations.map(({ name }) => name));
    expect(served.length).toBeGreaterThan(90);
    expect(served.filter((name) => !described.has(name))).toEqual([]);
    expect(described.size).toBe(new Set(served).size);
  });

  test("describes every property", () => {
    const undescribed = Object.entries<Json>(document.components.schemas).flatMap(
      ([name, schema]) =>
        Object.entries<Json>(schema.properties ?? {})
          .filter(([, property]) => !property.description)
          .map(([property]) => `${name}.${property}: describe it in its contract`),
    );
    expect(undescribed).toEqual([]);
  });

  test("describes every query parameter", () => {
    const undescribed = operations.flatMap(({ name, operation }) =>
      operation.parameters
        .map((parameter: Json) => withReferences(parameter, document) as Json)
        .filter((parameter: Json) => !parameter.description)
        .map((parameter: Json) => `${name}: ${parameter.name}`),
    );
    expect(undescribed).toEqual([]);
  });

  test("describes every operation beyond its summary", () => {
    const undescribed = operations
      .filter(({ operation }) => (operation.description ?? "").length < 20)
      .map(
        ({ name, operation }) => `${name}: put ${operation.operationId} into words/operations.ts`,
      );
    expect(undescribed).toEqual([]);
    const known = new Set(operations.map(({ operation }) => operation.operationId));
    expect(Object.keys(OPERATION_DESCRIPTIONS).filter((name) => !known.has(name))).toEqual([]);
    const describedTwice = routes.filter(({ description, operation }) => {
      return description !== undefined && OPERATION_DESCRIPTIONS[operation] !== undefined;
    });
    expect(describedTwice.map(({ operation }) => operation)).toEqual([]);
  });

  test("has no unreferenced schema", () => {
    const { components, paths } = document;
    const texts = JSON.stringify([paths, components.responses, components.schemas]);
    const unused = Object.keys(components.schemas).filter(
      (name) => !texts.includes(`"#/components/schemas/${name}"`),
    );
    expect(unused).toEqual([]);
  });

  test("marks operations that only refuse as deprecated", () => {
    const deprecated = operations.filter(({ operation }) => operation.deprecated);
    expect(deprecated.map(({ operation }) => operation.operationId)).toEqual(["deleteUser"]);
  });

  test("gives every body a type that client generators understand", () => {
    const schemas = document.components.schemas as Json;
    const isTyped = (schema: Json): boolean =>
      schema.$ref
        ? isTyped(withReferences(schema, document))
        : schema.oneOf || schema.allOf
          ? (schema.oneOf ?? schema.allOf).every(isTyped)
          : schema.type === "object" &&
            schema.properties &&
            !schema.anyOf &&
            !schema.patternProperties;
    const bodies = operations
      .flatMap(({ name, operation }) => ({ name, content: operation.requestBody?.content }))
      .filter(({ content }) => content?.["application/json"]);
    expect(bodies.length).toBeGreaterThan(40);
    const untyped = bodies.filter(({ content }) => !isTyped(content["application/json"].schema));
    expect(untyped.map(({ name }) => name)).toEqual([]);
    const unlisted = Object.entries<Json>(schemas).filter(
      ([, schema]) => [schema.type].flat().includes("array") && !schema.items,
    );
    expect(unlisted).toEqual([]);
  });

  test("has a variant for every integration type, with its options and what it requires", () => {
    const { oneOf, discriminator } = document.components.schemas.CreateIntegration;
    expect(oneOf).toHaveLength(integrationTypes.length);
    expect(Object.keys(discriminator.mapping)).toEqual(integrationTypes.map(({ name }) => name));
    for (const type of integrationTypes) {
      const { allOf } = withReferences({ $ref: discriminator.mapping[type.name] }, document);
      const properties = Object.assign({}, ...allOf.map((part: Json) => part.properties));
      const required = allOf.flatMap((part: Json) => part.required);
      for (const option of optionsOf(type)) {
        expect(properties).toHaveProperty(`option_${option.key}`);
        expect(required.includes(`option_${option.key}`)).toBe(option.required);
      }
      expect(required).toEqual(expect.arrayContaining(["name", "urgency", "integration_type_id"]));
    }
  });

  test("gives times in queries their formats", () => {
    const instants = operations
      .flatMap(({ operation }) => operation.parameters)
      .filter(({ name }: Json) => /_at$|_datetime$|_time$|^start$|^end$/.test(name ?? ""));
    expect(instants.length).toBeGreaterThan(60);
    for (const { schema } of instants) {
      expect(schema.anyOf).toContainEqual({ type: "string", format: "date-time" });
    }
  });

  test("describes an override's own times", () => {
    const { OverrideEvent, CreateEvent } = document.components.schemas;
    expect(OverrideEvent.properties.start_time.description).toContain("wall-clock");
    const pattern = new RegExp(OverrideEvent.properties.start_time.pattern);
    expect(document.components.examples.OverrideEvent.value.start_time).toBe("2026-02-02 09:00");
    for (const right of ["2026-02-02 09:00", "2026-02-02T09:00:00.000Z", "2026-02-02T09:00+01:00"])
      expect(right).toMatch(pattern);
    expect("tomorrow").not.toMatch(pattern);
    expect(CreateEvent.properties.start_datetime.format).toBe("date-time");
  });

  test("has no schema that allows any value", () => {
    const open = (schema: Json, place: string): string[] => {
      if (Object.keys(schema).every((key) => key === "description")) return [place];
      const properties = Object.entries<Json>(schema.properties ?? {});
      return [
        ...properties.flatMap(([name, property]) => open(property, `${place}.${name}`)),
        ...(schema.items ? open(schema.items, `${place}[]`) : []),
      ];
    };
    const schemas = Object.entries<Json>(document.components.schemas);
    expect(schemas.flatMap(([name, schema]) => open(schema, name))).toEqual([]);
  });
});

describe("the examples", () => {
  test("exist for every request and response body", () => {
    const contents = operations.flatMap(contentsOf);
    expect(contents.length).toBeGreaterThan(500);
    const without = contents.filter(({ media }) => exampleOf(media) === undefined);
    expect(without.map(({ place }) => place)).toEqual([]);
  });

  test("match their schemas", () => {
    const seen = new Set<string>();
    const wrong = operations.flatMap(contentsOf).flatMap(({ place, media }) => {
      const key = JSON.stringify(media);
      if (seen.has(key)) return [];
      seen.add(key);
      return faultsOf(exampleOf(media), media.schema).map((fault) => `${place} ${fault}`);
    });
    expect(seen.size).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  test("of creates have every required field, so that they can be sent unchanged", () => {
    const create = document.components.examples.CreateAlert.value;
    const body = routes.find(({ operation }) => operation === "createAlert")?.body;
    expect(body?.safeParse(create).success).toBe(true);
    const refused = routes
      .filter(({ method, body: schema }) => method === "POST" && schema)
      .filter(({ path, body: schema }) => {
        const content = document.paths[API + path.replace(/:([a-z_]+)/g, "{$1}")].post.requestBody;
        return !schema?.safeParse(exampleOf(content.content["application/json"])).success;
      });
    expect(refused.map(({ operation }) => operation)).toEqual([]);
  });
});
