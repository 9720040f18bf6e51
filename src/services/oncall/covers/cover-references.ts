import type { UpdateCover } from "../../../contract/oncall/covers/cover-parameters.ts";
import type { Reference } from "../../../db/records/references.ts";

/** The records that the parameters of a cover name. */
export const referencesOf = (body: UpdateCover): readonly Reference[] => [
  {
    field: "account_user_id",
    kind: "account_user",
    ids: body.account_user_id === undefined ? [] : [body.account_user_id],
  },
  {
    field: "covering_account_user_id",
    kind: "account_user",
    ids: body.covering_account_user_id ? [body.covering_account_user_id] : [],
  },
  { field: "schedule_ids", kind: "schedule", ids: body.schedule_ids ?? [] },
];
