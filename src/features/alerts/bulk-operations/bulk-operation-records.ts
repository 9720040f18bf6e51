// Bulk operations: what a record shows.

import { sql } from "drizzle-orm";
import { hash, nested, reference } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { bulkOperations } from "../../schema/alert-lists.ts";
import { alerts } from "../../schema/alerts.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { BulkRefusal } from "./contract.ts";

const { accountId } = bulkOperations;

const refusals = sql<readonly BulkRefusal[]>`(select json_group_array(json_object(
    'alert_id', refusal.value ->> 'alertId',
    'title', (select ${alerts.title} from ${alerts}
      where ${alerts.accountId} = ${accountId} and ${alerts.id} = refusal.value ->> 'alertId'),
    'message', refusal.value ->> 'message'))
  from json_each(${bulkOperations.refusals}) as refusal)`;

export const bulkOperationRecords: Records<"BulkOperation"> = {
  kind: "bulk_operation",
  shows: "BulkOperation",
  from: bulkOperations,
  accountId,
  id: bulkOperations.id,
  prefixId: bulkOperations.prefixId,
  attributes: {
    ...plainAttributes("BulkOperation", bulkOperations, []),
    account_user_id: reference(bulkOperations.accountUserId, accountId, accountUsers),
    filter: hash(bulkOperations.filter),
    team_id: reference(bulkOperations.teamId, accountId, teams),
    refusals: nested(refusals),
  },
  search: [bulkOperations.action],
  total: "bulk_operations",
};
