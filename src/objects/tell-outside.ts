// One delivery of an outgoing integration, put into its type's words and sent.
import type { OutgoingIntegration, WaitingDelivery } from "../db/outgoing-rows.ts";
import type { Said } from "../domain/announcement.ts";
import type { AttemptOutcome } from "../domain/delivery-attempts.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { allowedHosts } from "../domain/outside-address.ts";
import { integrationTypeNamed } from "../integrations/registry.ts";
import { trailThrough } from "../integrations/trail.ts";
import { sendOutgoing } from "./send-outgoing.ts";

const NOTHING_TO_SAY: AttemptOutcome = {
  kind: "refused",
  responseCode: null,
  reason: "the integration's type has nothing to say of it",
  retryAfterMs: null,
};

/** Sends it; never throws. */
export async function tellOutside(
  env: Cloudflare.Env,
  { id, accountId, type, options, secrets }: OutgoingIntegration,
  { prefixId, event, happenedAt, said, trail = [] }: WaitingDelivery,
): Promise<AttemptOutcome> {
  const outgoing = integrationTypeNamed(type)?.outgoing;
  if (outgoing === undefined || said === undefined) return NOTHING_TO_SAY;
  const told = { event, at: happenedAt, said, url: pageOf(env.PUBLIC_URL, said) };
  const request = outgoing.announce(told, options, secrets);
  if (request === null) return NOTHING_TO_SAY;
  const envelope = {
    id: prefixId,
    userAgent: `Tocsin (${prefixIdOf("integration", id)})`,
    trail: trailThrough(trail, accountId),
  };
  return sendOutgoing(outgoing, request, envelope, allowedHosts(env.ALLOWED_HOSTS));
}

/** Where people look at what is said; null where there is no such page, or no address of the deployment. */
function pageOf(publicUrl: string, said: Said): string | null {
  const record = said.about === "alert" ? said.alert.id : onAlert(said);
  if (!publicUrl || typeof record !== "string") return null;
  return `${publicUrl.replace(/\/+$/, "")}/alerts/${prefixIdOf("alert", record)}`;
}

function onAlert(said: Said): unknown {
  if (said.about !== "comment" || said.comment.commentable_type !== "Alert") return null;
  return said.comment.commentable_id;
}
