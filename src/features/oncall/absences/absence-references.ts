import type { Reference } from "../../../kernel/db/references.ts";
import type { UpdateAbsence } from "./parameters.ts";

const one = (id: string | null | undefined) => (id ? [id] : []);

/** The records that the parameters of an absence name. */
export const referencesOf = (body: UpdateAbsence): readonly Reference[] => [
  { field: "account_user_id", kind: "account_user", ids: one(body.account_user_id) },
  {
    field: "covering_account_user_id",
    kind: "account_user",
    ids: one(body.covering_account_user_id),
  },
  { field: "account_user_ids", kind: "account_user", ids: body.account_user_ids ?? [] },
  { field: "event_id", kind: "event", ids: one(body.event_id) },
  { field: "schedule_ids", kind: "schedule", ids: body.schedule_ids ?? [] },
];
