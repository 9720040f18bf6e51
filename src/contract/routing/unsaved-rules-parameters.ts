// Rules that are tried before they are kept: a router, and how people are told, as an editor has them.
import * as field from "../shared/parameters.ts";
import { CreateNotificationRule } from "./notification-rule-parameters.ts";
import { UpdateRouter } from "./router-parameters.ts";

/** Parameters of what is tried with them. */
export const unsavedRules = {
  router: UpdateRouter.omit({ meta: true })
    .extend({
      id: field.identifier.meta({
        description: "The router it stands for; without one it is a new one.",
      }),
    })
    .meta({
      about: "Router",
      description:
        "A router that is tried before it is kept, in place of the one of its `id`, if it has one.",
    })
    .nullish(),
  notification_rule: CreateNotificationRule.omit({ meta: true })
    .partial()
    .meta({
      about: "NotificationRule",
      description: "A notification rule that is tried before it is kept, for everybody.",
    })
    .nullish(),
};
