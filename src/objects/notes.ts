// Notes of senders: comments on the alert of an `Id`. They are written before the sender is answered, so that an
// answer means the comment is there.
import { build, statement } from "../db/database.ts";
import { newIdentity } from "../db/identifiers.ts";
import { comments } from "../db/schema/messages.ts";
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import { type Refusal, refuse } from "../domain/refusal.ts";
import type { InboundEvent } from "../integrations/integration-type.ts";
import type { InboxStorage } from "./inbox-storage.ts";

export type Note = Extract<InboundEvent, { kind: "note" }>;

const UNWRITTEN = refuse("unavailable", "the note cannot be kept now; send it again");
/** How long the alert of a note may take to be made, in steps of `STEP_MS`. */
const MOST_STEPS = 40;
const STEP_MS = 50;

/** Keeps notes as comments; a refusal when they could not be. A note on nothing is dropped. */
export async function keepNotes(
  env: Cloudflare.Env,
  kept: InboxStorage,
  { accountId, name }: IntegrationConfiguration,
  notes: readonly Note[],
): Promise<Refusal | null> {
  const queries: D1PreparedStatement[] = [];
  for (const note of notes) {
    const alertId = await alertOf(kept, note.thirdpartyId);
    if (alertId === null) continue;
    const row = {
      ...newIdentity("comment", Date.now()),
      accountId,
      body: note.body,
      commentableType: "Alert",
      commentableId: alertId,
      createdByName: note.author ?? name,
    };
    queries.push(statement(env.DB, build.insert(comments).values(row)));
  }
  if (queries.length === 0) return null;
  try {
    await env.DB.batch(queries);
    return null;
  } catch {
    return UNWRITTEN;
  }
}

/** The alert of an `Id`, waited for while the event that makes it is still to be handed on. */
async function alertOf(kept: InboxStorage, id: string | null): Promise<string | null> {
  if (id === null || !kept.exists) return null;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const lane = kept.lanes.newest(id);
    if (lane !== null) return lane.alertId;
    if (kept.waiting(id, 1).length === 0) return null;
    await scheduler.wait(STEP_MS);
  }
  return null;
}
