import { eq, type SQL } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { apiKeys } from "../../schema/people.ts";

/** The keys an actor can access: all of the account for an admin (undefined), else their own. */
export const keyScope = ({ roles, accountUserId }: MemberActor): SQL | undefined =>
  roles.admin ? undefined : eq(apiKeys.accountUserId, accountUserId);
