import { randomInt } from "node:crypto";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { statement } from "../../../kernel/db/database.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { canSendCode, sendCode } from "../channels/phone-code.ts";
import type { Phone } from "./contract.ts";
import {
  CODE_INTERVAL_MS,
  deleteOldCodeSends,
  MAX_CODES_PER_NUMBER,
  reserveCodeSend,
  storeCode,
} from "./phone-code-rows.ts";
import {
  CONFIRMED,
  findConfirmablePhone,
  hashOfCode,
  readShownPhone,
} from "./phone-confirmation.ts";

const BLOCKED = refuse("conflict", "the number is blocked until its owner sends START");
const TOO_MANY = refuse(
  "too_many",
  `a number gets a code every ${CODE_INTERVAL_MS / 1000} seconds and ${MAX_CODES_PER_NUMBER} a day at most`,
);

/**
 * Sends a six-digit code to a telephone number; earlier codes become invalid (contract 6, Phones).
 *
 * @returns the number; 403 unless the actor may change the person's data; 404; 409 if it is
 *   confirmed or blocked, or cannot be reached; 429 over the limits; 503 if a retry may help
 */
export async function sendPhoneCode(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Phone | Refusal> {
  const { db, env, actor, now } = context;
  const phone = await findConfirmablePhone(context, identifier);
  if (isRefusal(phone)) return phone;
  if (phone.confirmed) return CONFIRMED;
  if (phone.blocked) return BLOCKED;
  const { id, method, number } = phone;
  if (!canSendCode(env, method)) {
    return refuse("conflict", `this deployment cannot send codes by ${method}`);
  }
  const [, reserved] = await batch(db, [
    deleteOldCodeSends(actor.accountId, now),
    reserveCodeSend(actor.accountId, number, now),
  ]);
  if (reserved.length !== 1) return TOO_MANY;
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  // Stored before it is sent, so that a code that arrives is always valid.
  await statement(db, storeCode(id, hashOfCode(id, code), now)).run();
  const sent = await sendCode(env, method, number, code);
  if (sent.kind === "temporary") {
    return refuse("unavailable", `the code could not be sent (${sent.reason}); try again`);
  }
  if (sent.kind === "permanent") {
    return refuse("conflict", `the code could not be sent: ${sent.reason}`);
  }
  return readShownPhone(context, id);
}
