// The shared schemas of the document: every response and every body.
import type { MemberActor } from "../../domain/access/actor.ts";
import type { Records } from "../../kernel/db/records.ts";
import type { RecordsFor } from "../../kernel/http/route.ts";
import type { Shape } from "./json-schema.ts";

/** The schemas collected while the document is generated, by name. */
export type Schemas = Map<string, Shape>;

/** A member without any role. */
const MEMBER: MemberActor = {
  kind: "key",
  ...{ accountId: "", accountUserId: "", userId: "", name: "", credentialId: "" },
  ...{ isOwnCredential: false, readOnly: false },
  roles: { admin: false, billing: false, broadcaster: false, communicator: false },
};

/** The records as shown to an admin (`all`) and to other members (`some`). */
export function recordsOf(records: RecordsFor): { readonly all: Records; readonly some: Records } {
  if (typeof records !== "function") return { all: records, some: records };
  const as = (admin: boolean) =>
    records({ actor: { ...MEMBER, roles: { ...MEMBER.roles, admin } }, env: {}, origin: "" });
  return { all: as(true), some: as(false) };
}
