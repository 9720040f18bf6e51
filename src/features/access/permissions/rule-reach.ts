// Which notification rules people may change without being admins: their own.
import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { notificationRules } from "../../schema/integrations.ts";
import { normalized, type TeamReach } from "./team-reach.ts";

const ownedBy = z.object({ account_user_id: field.identifier.catch(undefined) });

const isActor = ({ accountUserId }: MemberActor, sent: string): boolean =>
  [accountUserId, prefixIdOf("account_user", accountUserId)].includes(
    normalized("account_user", sent),
  );

/** For a new rule: it will be the actor's own. */
export const ownsNewRule: TeamReach = ({ actor, body }): SQL => {
  const { account_user_id: owner } = ownedBy.parse(body);
  return owner != null && isActor(actor, owner) ? sql`1` : sql`0`;
};

/** For the rule in the path: it is the actor's own. */
export const ownsRule: TeamReach = ({ actor, params }): SQL =>
  sql`exists (select 1 from ${notificationRules}
    where ${notificationRules.accountId} = ${actor.accountId}
      and ${notificationRules.accountUserId} = ${actor.accountUserId}
      and (${notificationRules.id} = ${params.id} or ${notificationRules.prefixId} = ${params.id}))`;
