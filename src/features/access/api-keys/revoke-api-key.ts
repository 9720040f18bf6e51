import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { apiKeys } from "../../schema/people.ts";
import { apiKeyRecords } from "./api-key-records.ts";
import { forgetKeys } from "./key-actors.ts";
import { keyScope } from "./key-scope.ts";

/** Revokes an API key, which then stops working within 30 seconds; null, or 404. */
export async function revokeApiKey(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { actor } = context;
  const scope = keyScope(actor) ?? sql`true`;
  const deletion = sql`delete from ${apiKeys}
    where ${oneRecord(apiKeys, actor.accountId, identifier)} and ${scope}`;
  const { before } = await commitUnread(context, {
    verb: "revoke",
    records: apiKeyRecords,
    identifier,
    scope,
    writes: [deletion],
  });
  if (before === null) return notFound("api_key");
  forgetKeys((known) => known.credentialId === before.id);
  return null;
}
