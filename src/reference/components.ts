// The schemas that the document describes once and refers to: everything that an answer shows, and every body.
import type { Records } from "../db/records.ts";
import type { ApiRequest, RecordsFor } from "../http/route.ts";
import type { Shape } from "./json-schema.ts";

/** The schemas gathered while a document is made, by name. */
export type Schemas = Map<string, Shape>;

/** Records as an admin and as somebody else is shown them. */
export function recordsOf(records: RecordsFor): { readonly all: Records; readonly some: Records } {
  if (typeof records !== "function") return { all: records, some: records };
  const as = (admin: boolean) =>
    records({ actor: { roles: { admin } }, origin: "" } as unknown as ApiRequest<unknown>);
  return { all: as(true), some: as(false) };
}
