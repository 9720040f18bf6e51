// The draft of an alert from the parameters of a create or a preview.
import type { PersonActor } from "../../../domain/access/actor.ts";
import type { AlertDraft, RequestedDestinations } from "../../../domain/alerts/commands.ts";
import type { CreateAlert } from "./parameters.ts";

/**
 * The draft of an alert that the actor creates.
 *
 * @param id the ULID of the new alert
 */
export function draftOf(
  actor: PersonActor,
  id: string,
  body: CreateAlert,
  destinations: RequestedDestinations,
): AlertDraft {
  return {
    id,
    accountId: actor.accountId,
    source: { type: "AccountUser", id: actor.accountUserId, name: actor.name, logId: null },
    thirdpartyId: body.thirdparty_id ?? null,
    dedupKeys: body.dedup_keys ?? [],
    destinations,
    title: body.title,
    description: body.description ?? null,
    urgency: body.urgency,
    tags: body.tags ?? body.tag_list ?? [],
    meta: body.meta,
    additionalData: [],
    log: null,
    maintenance: null,
    requestId: id,
    autoResolveMs: null,
  };
}
