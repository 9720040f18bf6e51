// The schemas that the document describes once and refers to: everything that an answer shows, and every body.
import type { Records } from "../../db/records/records.ts";
import type { Actor } from "../../http/access/actor.ts";
import type { RecordsFor } from "../../http/route.ts";
import type { Shape } from "./json-schema.ts";

/** The schemas gathered while a document is made, by name. */
export type Schemas = Map<string, Shape>;

/** A member without any role. */
const SOMEBODY: Actor = {
  ...{ accountId: "", accountUserId: "", userId: "", name: "", credentialId: "" },
  ...{ isOwnCredential: false, readOnly: false },
  roles: { admin: false, billing: false, broadcaster: false, communicator: false },
};

/** Records as an admin and as somebody else is shown them. */
export function recordsOf(records: RecordsFor): { readonly all: Records; readonly some: Records } {
  if (typeof records !== "function") return { all: records, some: records };
  const as = (admin: boolean) =>
    records({ actor: { ...SOMEBODY, roles: { ...SOMEBODY.roles, admin } }, origin: "" });
  return { all: as(true), some: as(false) };
}
