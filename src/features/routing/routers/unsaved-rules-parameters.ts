// Unsaved rules from an editor: a router, and a notification rule.
import * as field from "../../../kernel/contract/parameters.ts";
import { UpdateNotificationRule } from "../notification-rules/parameters.ts";
import { UpdateRouter } from "./parameters.ts";

/** The parameters of requests that preview unsaved rules. */
export const unsavedRules = {
  router: UpdateRouter.omit({ meta: true })
    .extend({
      id: field.identifier.meta({
        description: "The router to replace. Without it, the router is an additional destination.",
      }),
    })
    .meta({
      about: "Router",
      description: "An unsaved router to test. With an `id`, it replaces that router.",
    })
    .nullish(),
  notification_rule: UpdateNotificationRule.omit({ meta: true })
    .meta({
      about: "NotificationRule",
      description: "An unsaved notification rule to test. It applies to everybody.",
    })
    .nullish(),
};
