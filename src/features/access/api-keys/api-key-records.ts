// API keys: what a record shows, and who may hold a key (contract 1, Auth).

import { sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { reference } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { select } from "../../../kernel/db/select.ts";
import { accountUsers, apiKeys } from "../../schema/people.ts";

export const apiKeyRecords: Records<"ApiKey"> = {
  kind: "api_key",
  shows: "ApiKey",
  from: apiKeys,
  accountId: apiKeys.accountId,
  id: apiKeys.id,
  prefixId: apiKeys.prefixId,
  attributes: {
    ...plainAttributes("ApiKey", apiKeys, ["key_hash", "self_made"]),
    account_user_id: reference(apiKeys.accountUserId, apiKeys.accountId, accountUsers),
  },
  search: [apiKeys.name],
  total: "api_keys",
};

/** Selects the account user for whom a key is created. */
export const selectHolder = (accountId: string, identifier: Identifier) =>
  select(
    { accountUserId: accountUsers.id, userId: accountUsers.userId, state: accountUsers.state },
    sql`from ${accountUsers} where ${oneRecord(accountUsers, accountId, identifier)}`,
  );
