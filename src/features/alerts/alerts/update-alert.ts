import type { PersonActor } from "../../../domain/access/actor.ts";
import type { ContentChanges } from "../../../domain/alerts/commands.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import { commandAlert } from "./command-alert.ts";
import type { Alert } from "./contract.ts";
import type { UpdateAlert } from "./parameters.ts";

/** Changes an alert's content; omitted parameters leave theirs unchanged. 404, or 503. */
export function updateAlert(
  context: Context<PersonActor>,
  identifier: Identifier,
  body: UpdateAlert,
): Promise<Alert | Refusal> {
  return commandAlert(context, identifier, { type: "change", changes: changesOf(body) });
}

function changesOf(body: UpdateAlert): ContentChanges {
  const tags = body.tags ?? body.tag_list;
  return {
    ...(body.title !== undefined && { title: body.title }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.urgency !== undefined && { urgency: body.urgency }),
    ...(tags !== undefined && { tags }),
    ...(body.meta !== undefined && { meta: body.meta }),
  };
}
