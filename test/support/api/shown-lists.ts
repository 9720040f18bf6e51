// The list operations of the API, with the attributes for filters and sorting.

import type { AnyAttribute, Attributes } from "../../../src/kernel/db/attributes.ts";
import { type Route, recordsFor } from "../../../src/kernel/http/route.ts";
import { routes } from "../../../src/routes.ts";
import { sampleOf } from "../integrations/samples.ts";
import type { Inhabited } from "../worker/inhabited.ts";

export type ShownList = {
  readonly path: string;
  readonly route: Route;
  readonly kind: string;
  readonly attributes: Attributes;
};

const adminRequest = { actor: { roles: { admin: true } }, origin: "https://tocsin.test" };

/** Every list of records, by its path below `/api/v4`. */
export const shownLists: readonly ShownList[] = routes.flatMap((route) => {
  if (route.shows.kind !== "list") return [];
  const { kind, attributes } = recordsFor(route.shows.records, adminRequest as never);
  return [{ path: route.path, route, kind, attributes }];
});

/** One list of each kind of record: the top-level one if it exists. */
export const listsOfEachKind: readonly ShownList[] = shownLists.filter(
  (list) =>
    list ===
    [...shownLists]
      .sort((one, other) => one.path.split("/").length - other.path.split("/").length)
      .find(({ kind }) => kind === list.kind),
);

/** The list's path in a world. */
export function addressOf({ path, route }: ShownList, world: Inhabited): string {
  const { of } = sampleOf(route.operation);
  return path.replace(":id", of ? world.ids[of].id : "");
}

export const isFilterable = (attribute: AnyAttribute) =>
  !attribute.unfiltered && attribute.kind !== "nested" && attribute.kind !== "hash";

export const isSortable = (attribute: AnyAttribute) =>
  isFilterable(attribute) && attribute.kind !== "list";
