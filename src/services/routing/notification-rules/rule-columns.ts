import type { UpdateNotificationRule } from "../../../contract/routing/notification-rule-parameters.ts";

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
export function columnsOf(body: UpdateNotificationRule) {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.enabled !== undefined && { enabled: body.enabled }),
    ...(body.rules !== undefined && {
      rules: body.rules.text,
      types: [...new Set(body.rules.rules.flatMap(({ types }) => types))],
    }),
    ...(body.meta !== undefined && { meta: body.meta }),
  };
}
