import type { MemberActor } from "../../../domain/access/actor.ts";
import { isSelf } from "../../../domain/access/actor.ts";
import { maskedAddress } from "../../../domain/people/masked-address.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import { isSameSecret } from "../../../kernel/same-secret.ts";
import { securityNotices } from "../../access/sessions/security-notices.ts";
import type { Context } from "../../change/context.ts";
import { userPhones } from "../../schema/people.ts";
import { settleProven } from "./contact-rows.ts";
import type { Phone } from "./contract.ts";
import { confirmNumber, countCodeAttempt } from "./phone-code-rows.ts";
import {
  CONFIRMED,
  findConfirmablePhone,
  hashOfCode,
  readShownPhone,
} from "./phone-confirmation.ts";
import type { ConfirmPhone } from "./phone-parameters.ts";

const NO_CODE = refuse("conflict", "the code has expired; request another one");
const WRONG_CODE = refuse("invalid", "code is incorrect", "code");

/**
 * Confirms a telephone number by the code that was sent to it (contract 6, Phones). Codes expire
 * after ten minutes and five attempts. Notifies the person by e-mail.
 *
 * @returns the number; 403 unless the actor may change the person's data; 404; 409 if it is
 *   confirmed, or has no valid code; 422 for a wrong code
 */
export async function confirmPhone(
  context: Context<MemberActor>,
  identifier: Identifier,
  { code }: ConfirmPhone,
): Promise<Phone | Refusal> {
  const { db, env, actor, now } = context;
  const phone = await findConfirmablePhone(context, identifier);
  if (isRefusal(phone)) return phone;
  if (phone.confirmed) return CONFIRMED;
  const { id, userId, number } = phone;
  const counted = await first(db, countCodeAttempt(id, now));
  if (counted === null) return NO_CODE;
  const { codeHash } = counted;
  if (!isSameSecret(codeHash, hashOfCode(id, code))) return WRONG_CODE;
  const about = { userId, accountId: actor.accountId, byUserId: actor.userId };
  const notice = { kind: "phone_confirmed", detail: maskedAddress(number) } as const;
  await batch(db, [
    ...(await securityNotices(env, about, [notice], now)),
    confirmNumber(id, codeHash, isSelf(actor, phone), now),
    ...settleProven(userPhones, userId, id),
  ]);
  return readShownPhone(context, id);
}
