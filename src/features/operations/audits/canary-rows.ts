// The canary's account: one person whose address no provider serves, and one integration of type
// `webhook` whose alerts are for that person. Created once; its ended alerts are soon deleted.
import { sql } from "drizzle-orm";
import { CANARY_ADDRESS } from "../../../domain/operations/canary.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { HOUR } from "../../../domain/shared/time.ts";
import { newIntakeKey } from "../../../kernel/credentials.ts";
import { build, type Connection, statement } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { batch, first, type Select, select } from "../../../kernel/db/select.ts";
import { alerts, logs } from "../../schema/alerts.ts";
import { integrationReceivers, integrations } from "../../schema/integrations.ts";
import { accounts, accountUsers, userEmails, users } from "../../schema/people.ts";
import { deleteEnded, deleteRequestLogs } from "../retention/retention-rows.ts";

export type CanaryAccount = {
  readonly accountId: string;
  /** The `prefix_id` of its integration. */
  readonly integration: string;
  readonly addressVersion: number;
};

const selectCanaryAccount = (): Select<CanaryAccount> =>
  select(
    {
      accountId: accountUsers.accountId,
      integration: integrations.prefixId,
      addressVersion: integrations.addressVersion,
    },
    sql`from ${userEmails}
      join ${accountUsers} on ${accountUsers.userId} = ${userEmails.userId}
      join ${integrationReceivers} on ${integrationReceivers.accountId} = ${accountUsers.accountId}
        and ${integrationReceivers.receiverId} = ${accountUsers.id}
      join ${integrations} on ${integrations.id} = ${integrationReceivers.integrationId}
    where ${userEmails.email} = ${CANARY_ADDRESS} and ${userEmails.verifiedAt} is not null
      and ${userEmails.accountId} = ${accountUsers.accountId} limit 1`,
  );

/** Finds the canary's account, or creates it. `now` in epoch ms. */
export async function findCanaryAccount(db: Connection, now: number): Promise<CanaryAccount> {
  const known = await first(db, selectCanaryAccount());
  if (known !== null) return known;
  const account = { ...newIdentity("account", now), name: "Canary", readinessDigest: false };
  const user = { ...newIdentity("user", now), name: "Canary", notifyPush: false };
  const member = {
    ...newIdentity("account_user", now),
    accountId: account.id,
    userId: user.id,
    admin: false,
  };
  const address = {
    ...newIdentity("email", now),
    userId: user.id,
    accountId: account.id,
    email: CANARY_ADDRESS,
    primary: true,
    verifiedAt: now,
  };
  const identity = newIdentity("integration", now);
  const integration = {
    ...identity,
    accountId: account.id,
    name: "Canary",
    urgency: "low" as const,
    integrationType: "webhook",
    intakeKey: newIntakeKey(undefined, identity.id),
    acceptsId: false,
  };
  const receiver = {
    accountId: account.id,
    integrationId: integration.id,
    receiverType: "account_user" as const,
    receiverId: member.id,
    position: 1,
  };
  await db.batch(
    [
      build.insert(accounts).values(account),
      build.insert(users).values(user),
      build.insert(userEmails).values(address),
      build.insert(accountUsers).values(member),
      build.insert(integrations).values(integration),
      build.insert(integrationReceivers).values(receiver),
    ].map((query) => statement(db, query)),
  );
  return { accountId: account.id, integration: integration.prefixId, addressVersion: 1 };
}

/** Records of the canary are deleted at this age (ms). */
const LIFETIME_MS = HOUR;
/** Records deleted at once: some hours' worth. */
const MAX_DELETED = 100;

/** Deletes the canary's alerts that ended, and its request logs, of more than an hour ago. */
export async function deleteOldCanaries(
  db: Connection,
  accountId: string,
  now: number,
): Promise<void> {
  const before = now - LIFETIME_MS;
  const oldest = (table: typeof alerts | typeof logs) =>
    sql`where ${table.accountId} = ${accountId} and ${table.id} < ${firstIdentifierAt(before)}
      order by ${table.id} limit ${MAX_DELETED}`;
  const removable = { bytes: sql<number>`0`, holdsKeys: sql<boolean>`0` };
  const [ended, requests] = await batch(db, [
    select(
      { accountId: alerts.accountId, id: alerts.id, version: alerts.version, ...removable },
      sql`from ${alerts} ${oldest(alerts)}`,
    ),
    select(
      { accountId: logs.accountId, id: logs.id, version: logs.updatedAt, ...removable },
      sql`from ${logs} ${oldest(logs)}`,
    ),
  ]);
  const cutoff = { createdBefore: before, endedBefore: before };
  await batch(db, [...deleteEnded(ended, new Map(), cutoff, now), ...deleteRequestLogs(requests)]);
}
