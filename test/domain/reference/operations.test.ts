// The contract's table of operations and the routes agree: callers within the worker have their types from the one and
// their answers from the other.
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/contract/operations.ts";
import type { Route } from "../../../src/http/route.ts";
import { recordsOf } from "../../../src/reference/schemas/components.ts";
import { routes } from "../../../src/routes.ts";

/** What a route shows, as the table writes it; undefined for one that only refuses. */
function written({ shows }: Route): string | null | undefined {
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
    case "nothing":
      return null;
    case "refusal":
      return undefined;
  }
}

const answersTo = (method: string) =>
  routes
    .filter((route) => route.method === method)
    .map((route) => [route.path, written(route)] as const)
    .filter(([, name]) => name !== undefined)
    .toSorted();

describe("the table of operations", () => {
  test.each(["GET", "POST", "PUT", "DELETE"] as const)("has what every %s answers", (method) => {
    expect(answersTo(method).length).toBeGreaterThan(10);
    expect(Object.entries(OPERATIONS[method]).toSorted()).toEqual(answersTo(method));
  });

  test("holds for PATCH too, which answers what PUT does", () => {
    expect(answersTo("PATCH")).toEqual(answersTo("PUT"));
  });
});
