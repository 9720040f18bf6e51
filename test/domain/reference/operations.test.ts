// The contract's table of operations matches the routes: callers within the worker take types from the table and
// answers from the routes.
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/contract/operations.ts";
import type { Route } from "../../../src/http/route.ts";
import { recordsOf } from "../../../src/reference/schemas/components.ts";
import { routes } from "../../../src/routes.ts";

/** The name of a route's answer in the table; undefined for a route that only refuses. */
function answerOf({ shows }: Route): string | null | undefined {
  switch (shows.kind) {
    case "record":
      return shows.shows ?? recordsOf(shows.records).all.shows;
    case "list":
      return `${recordsOf(shows.records).all.shows}List`;
    case "list_of":
      return `${shows.shows}List`;
    case "body":
      return shows.shows;
    case "bare_list":
      return `${shows.shows}[]`;
    case "csv":
      return "text/csv";
    case "yaml":
      return "application/yaml";
    case "nothing":
      return null;
    case "refusal":
      return undefined;
  }
}

const answersTo = (method: string) =>
  routes
    .filter((route) => route.method === method)
    .map((route) => [route.path, answerOf(route)] as const)
    .filter(([, name]) => name !== undefined)
    .toSorted();

describe("the table of operations", () => {
  test.each(["GET", "POST", "PUT", "DELETE"] as const)(
    "has the answer of every %s route",
    (method) => {
      expect(answersTo(method).length).toBeGreaterThan(10);
      expect(Object.entries(OPERATIONS[method]).toSorted()).toEqual(answersTo(method));
    },
  );

  test("applies to PATCH too, which answers the same as PUT", () => {
    expect(answersTo("PATCH")).toEqual(answersTo("PUT"));
  });
});
