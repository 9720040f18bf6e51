// Routers: what a record shows, and what a write reads (contract 2, Routers).

import { sql } from "drizzle-orm";
import { nestedAs, reference } from "../../../db/records/attributes.ts";
import { plainAttributes } from "../../../db/records/plain-attributes.ts";
import { oneRecord, type Records } from "../../../db/records/records.ts";
import { routers } from "../../../db/schema/integrations.ts";
import { teams } from "../../../db/schema/oncall.ts";
import { accountUsers } from "../../../db/schema/people.ts";
import { parsed, type RowOf, select } from "../../../db/shared/select.ts";
import { routerWarnings } from "../../../domain/integrations/template-warnings.ts";
import type { Receiver } from "../../../domain/routing/routing.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { receiversOfRouter } from "./router-receiver-rows.ts";

/** The id of the default receiver if it has this type, else null. */
const defaultReceiver = (
  type: Receiver["type"],
  table: typeof teams | typeof routers | typeof accountUsers,
) => {
  const id = sql<
    string | null
  >`iif(${routers.defaultReceiverType} = ${sql.raw(`'${type}'`)}, ${routers.defaultReceiverId}, null)`;
  return reference(id, routers.accountId, table);
};

export const routerRecords: Records<"Router"> = {
  kind: "router",
  shows: "Router",
  from: routers,
  accountId: routers.accountId,
  id: routers.id,
  prefixId: routers.prefixId,
  attributes: {
    ...plainAttributes("Router", routers, ["default_receiver_type"]),
    warnings: nestedAs(sql<readonly [string]>`json_array(${routers.rules})`, ([rules]) =>
      routerWarnings(rules),
    ),
    default_receiver_team_id: defaultReceiver("team", teams),
    default_receiver_router_id: defaultReceiver("router", routers),
    default_receiver_account_user_id: defaultReceiver("account_user", accountUsers),
  },
  search: [routers.name],
  total: "routers",
};

const storedColumns = {
  id: routers.id,
  name: routers.name,
  updatedAt: routers.updatedAt,
  defaultReceiverType: routers.defaultReceiverType,
  defaultReceiverId: routers.defaultReceiverId,
  receivers: parsed<readonly Receiver[]>(receiversOfRouter),
};

/** The stored router and the receivers its rules name, as a write reads it. */
export type StoredRouter = RowOf<typeof storedColumns>;

export const selectStoredRouter = (accountId: string, identifier: Identifier) =>
  select(storedColumns, sql`from ${routers} where ${oneRecord(routers, accountId, identifier)}`);
