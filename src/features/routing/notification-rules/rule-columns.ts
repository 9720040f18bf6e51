import { plainColumns } from "../../../db/records/plain-columns.ts";
import { notificationRules } from "../../../db/schema/integrations.ts";
import type { UpdateNotificationRule } from "./parameters.ts";

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
export function columnsOf(body: UpdateNotificationRule) {
  return {
    ...plainColumns(notificationRules, body, "rules"),
    ...(body.rules !== undefined && {
      rules: body.rules.text,
      types: [...new Set(body.rules.rules.flatMap(({ types }) => types))],
    }),
  };
}
