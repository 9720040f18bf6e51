// Shared by the verbs that confirm a telephone number (contract 6, Phones): who may confirm it, and
// what its code is stored as. Only a hash of the code is stored.
import { createHash } from "node:crypto";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { isSelf } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { refusePersonChange } from "../users/person-access.ts";
import { selectPerson } from "../users/rows.ts";
import { selectShownPhone } from "./contact-attributes.ts";
import type { Phone } from "./contract.ts";
import { ownsPhone, type StoredPhone, selectStoredPhone } from "./phone-code-rows.ts";

type ConfirmablePhone = Pick<StoredPhone, "id" | "number" | "method" | "blocked"> & {
  readonly userId: string;
  /** Whether the number is confirmed from the actor's point of view. */
  readonly confirmed: boolean;
};

/** Finds a number that the actor may confirm; 404 if it is not in the account, 403 if they may not. */
export async function findConfirmablePhone(
  { db, actor }: Context<MemberActor>,
  identifier: Identifier,
): Promise<ConfirmablePhone | Refusal> {
  const [[person], [stored]] = await batch(db, [
    selectPerson(ownsPhone(actor.accountId, identifier)),
    selectStoredPhone(actor.accountId, identifier),
  ]);
  // The contacts of an invited person are not visible.
  if (!person || person.state === "pending" || !stored) return notFound("phone");
  const refusal = refusePersonChange(actor, person);
  if (refusal) return refusal;
  const { isConfirmed, isProven, ...phone } = stored;
  // A confirmation by an admin counts only in this account: the person can still confirm the
  // number.
  const confirmed = isSelf(actor, person) ? isProven : isConfirmed;
  return { ...phone, confirmed, userId: person.userId };
}

export const CONFIRMED = refuse("conflict", "the number is confirmed already");

/** The stored hash of a code, salted with the number's id. */
export const hashOfCode = (phoneId: string, code: string): string =>
  createHash("sha256").update(`${phoneId}:${code}`).digest("hex");

/** Reads a number as the account sees it. */
export async function readShownPhone(
  { db, actor }: Context,
  phoneId: string,
): Promise<Phone | Refusal> {
  const shown = await first(db, selectShownPhone(phoneId, actor.accountId));
  return shown?.phone ?? notFound("phone");
}
