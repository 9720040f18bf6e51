import { eq, type SQL } from "drizzle-orm";
import { chatAccounts } from "../../../db/schema/people.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";

/** Each person manages only their own accounts in chats. */
export const chatAccountScope = ({ accountUserId }: MemberActor): SQL =>
  eq(chatAccounts.accountUserId, accountUserId);
