import { eq, type SQL } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { chatAccounts } from "../../schema/people.ts";

/** Each person manages only their own accounts in chats. */
export const chatAccountScope = ({ accountUserId }: MemberActor): SQL =>
  eq(chatAccounts.accountUserId, accountUserId);
