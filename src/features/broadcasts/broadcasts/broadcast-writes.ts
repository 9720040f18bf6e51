// Shared by the verbs of broadcasts: the columns and statements of a write, and the call that has
// the broadcast's object process it.

import { eq, type SQLWrapper } from "drizzle-orm";
import { type Identifier, objectNameOf } from "../../../domain/shared/identifiers.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import type { Context } from "../../change/context.ts";
import { broadcastResponseOptions, broadcastResponses, broadcasts } from "../../schema/messages.ts";
import { broadcastObject } from "../../stubs.ts";
import type { OptionChanges } from "../responses/response-option-changes.ts";
import type { Destinations } from "./broadcast-input.ts";
import type { UpdateBroadcast } from "./parameters.ts";

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
export function columnsOf(body: UpdateBroadcast, destinations: Destinations) {
  return {
    ...plainColumns(broadcasts, { ...body, tags: body.tag_list ?? body.tags }),
    destinationTeamIds: destinations.teamIds,
    destinationAccountUserIds: destinations.accountUserIds,
  };
}

/**
 * The statements that apply changes to a broadcast's options. Removing an option deletes its
 * responses.
 */
export function writeOptions(
  accountId: string,
  broadcastId: string,
  { removed, changed, added }: OptionChanges,
  now: number,
): SQLWrapper[] {
  return [
    ...removed.flatMap((id) => [
      build.delete(broadcastResponses).where(eq(broadcastResponses.broadcastResponseOptionId, id)),
      build.delete(broadcastResponseOptions).where(eq(broadcastResponseOptions.id, id)),
    ]),
    ...changed.map(({ id, value }) =>
      build
        .update(broadcastResponseOptions)
        .set({ value, updatedAt: now })
        .where(eq(broadcastResponseOptions.id, id)),
    ),
    ...added.map(({ id, value, position }) =>
      build.insert(broadcastResponseOptions).values({
        ...newIdentity("broadcast_response_option", now, id),
        accountId,
        broadcastId,
        value,
        position,
      }),
    ),
  ];
}

/** Has the broadcast's object process the write, after the response. Never throws. */
export function wakeBroadcast({ env, waitUntil }: Context, identifier: Identifier): void {
  const woken = broadcastObject(env, objectNameOf("broadcast", identifier)).refresh();
  waitUntil(woken.catch((error: unknown) => logFault("a broadcast could not be refreshed", error)));
}
