import { eq } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import { isSameSecret } from "../../../kernel/same-secret.ts";
import type { Context } from "../../change/context.ts";
import { channelAddresses } from "../../schema/people.ts";
import { addressNotices } from "./channel-address-notices.ts";
import { findUnconfirmed, hashOfCode } from "./channel-address-scope.ts";
import type { ChannelAddress } from "./contract.ts";
import type { ConfirmChannelAddress } from "./parameters.ts";
import {
  ADDRESS_CODE_MS,
  channelAddressRecords,
  confirmAddress,
  countAddressAttempt,
  LINK_MS,
  readAddressOwner,
  selectAddress,
} from "./rows.ts";

const NO_CODE = refuse("conflict", "the code has expired; request another one");
const WRONG_CODE = refuse("invalid", "code is incorrect", "code");

/**
 * Confirms an address of the actor by the code that was sent to it. Codes expire after ten minutes
 * and five attempts. Notifies the person by e-mail.
 *
 * @returns the address; 404; 409 if it is confirmed, or has no valid code; 422 for a wrong code
 */
export async function confirmChannelAddress(
  context: Context<MemberActor>,
  identifier: Identifier,
  { code }: ConfirmChannelAddress,
): Promise<ChannelAddress | Refusal> {
  const { db, env, actor, now } = context;
  const address = await findUnconfirmed(context, identifier);
  if (isRefusal(address)) return address;
  const { id } = address;
  const counted = await first(db, countAddressAttempt(id, ADDRESS_CODE_MS, now));
  if (counted === null) return NO_CODE;
  const { codeHash } = counted;
  if (!isSameSecret(codeHash, hashOfCode(id, code))) return WRONG_CODE;
  const about = { userId: actor.userId, accountId: actor.accountId, byUserId: actor.userId };
  const [, [shown]] = await batch(db, [
    confirmAddress(id, codeHash, {}, now),
    selectRecord(channelAddressRecords, actor.accountId, { form: "id", value: id }),
    ...(await addressNotices(env, about, "address_confirmed", address, now)),
  ]);
  return shown ?? notFound("channel_address");
}

/**
 * Confirms an address by the link that its person followed at the provider. Notifies the person by
 * e-mail.
 *
 * @param payload the address's id and the link's secret
 * @param settings what the provider says about the person
 * @returns whether the link was valid
 */
export async function confirmByLink(
  { db, env, now }: Pick<Context, "db" | "env" | "now">,
  payload: string,
  settings: Readonly<Record<string, string>>,
): Promise<boolean> {
  const [, id = "", secret = ""] = /^([0-9A-Z]{26})([\w-]{32})$/.exec(payload) ?? [];
  if (id === "") return false;
  const address = await first(db, selectAddress(eq(channelAddresses.id, id)));
  if (address === null || address.isConfirmed) return false;
  const counted = await first(db, countAddressAttempt(id, LINK_MS, now));
  if (counted === null || !isSameSecret(counted.codeHash, hashOfCode(id, secret))) return false;
  const owner = await readAddressOwner(db, address.accountUserId);
  if (owner === null) return false;
  const about = { ...owner, byUserId: owner.userId };
  await batch(db, [
    ...(await addressNotices(env, about, "address_confirmed", address, now)),
    confirmAddress(id, counted.codeHash, settings, now),
  ]);
  return true;
}
