// Shared by the verbs of addresses on messengers: whose they are, and how a code is stored.
import { createHash } from "node:crypto";
import { eq, type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, refuse } from "../../../domain/shared/refusal.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { first } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { channelAddresses } from "../../schema/people.ts";
import { selectAddress } from "./rows.ts";

/** Each person manages only their own addresses. */
export const channelAddressScope = ({ accountUserId }: MemberActor): SQL =>
  eq(channelAddresses.accountUserId, accountUserId);

const CONFIRMED = refuse("conflict", "the address is confirmed already");

/** The stored hash of a code or a link's secret, salted with the address's id. */
export const hashOfCode = (addressId: string, code: string): string =>
  createHash("sha256").update(`${addressId}:${code}`).digest("hex");

/** Finds an address of the actor that is not confirmed yet; 404, or 409. */
export async function findUnconfirmed({ db, actor }: Context<MemberActor>, identifier: Identifier) {
  const own = sql`${oneRecord(channelAddresses, actor.accountId, identifier)}
    and ${channelAddressScope(actor)}`;
  const address = await first(db, selectAddress(own));
  if (address === null) return notFound("channel_address");
  return address.isConfirmed ? CONFIRMED : address;
}
