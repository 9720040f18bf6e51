import { createHash, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { MAX_ADDRESS_VERSION, newIntakeKey } from "../../../kernel/credentials.ts";
import { build } from "../../../kernel/db/database.ts";
import { assertUnchanged, nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import type { Decision } from "../../change/change.ts";
import { integrations } from "../../schema/integrations.ts";
import { type IntegrationRow, selectIntegration } from "../inbox/integration-rows.ts";
import type { RotatedCredential } from "./contract.ts";
import { decideIntegration } from "./integration-writes.ts";
import type { RotateIntegrationCredential } from "./parameters.ts";
import { type IntegrationContext, integrationRecords, urlOf } from "./rows.ts";

const DAY_SECONDS = 86_400;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The new credential, and the columns that make it the current one. */
function rotate(
  { env, origin }: IntegrationContext,
  what: RotateIntegrationCredential["what"],
  until: number,
  stored: IntegrationRow,
) {
  const { id, prefixId, secrets, intakeKey } = stored;
  switch (what) {
    case "token": {
      const value = `tok_${randomBytes(20).toString("hex")}`;
      const previous_token = { sha256: secrets.token_sha256 ?? null, until };
      return {
        value,
        columns: { secrets: { ...secrets, token_sha256: sha256(value), previous_token } },
      };
    }
    case "intake_key": {
      const value = newIntakeKey(env.LINK_SECRET, id);
      const previous_intake_key = { sha256: sha256(intakeKey.toLowerCase()), until };
      return { value, columns: { intakeKey: value, secrets: { ...secrets, previous_intake_key } } };
    }
    case "url": {
      const addressVersion = stored.addressVersion + 1;
      if (!env.LINK_SECRET || addressVersion > MAX_ADDRESS_VERSION) {
        return refuse("conflict", "the integration's url cannot be replaced");
      }
      const value = urlOf({ env, origin }, prefixId, addressVersion);
      return { value, columns: { addressVersion, previousAddressUntil: until } };
    }
  }
}

type RotateDecision = Decision<
  "Integration",
  RotatedCredential,
  ReturnType<typeof decideIntegration>["reads"]
>;

/**
 * Replaces an integration's token, intake key or address. The previous one stays valid for
 * `overlap` seconds, by default a day, so that senders can be updated one by one.
 *
 * @returns the new credential, which for a token is not shown again; 404; 409 for an outgoing
 *   integration
 */
export async function rotateIntegrationCredential(
  context: IntegrationContext,
  identifier: Identifier,
  body: RotateIntegrationCredential,
): Promise<RotateDecision | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const { what } = body;
  const overlap = body.overlap ?? DAY_SECONDS;
  const [[stored], [before]] = await batch(db, [
    selectIntegration(accountId, identifier),
    selectRecord(integrationRecords(context), accountId, identifier),
  ]);
  if (!stored || !before) return notFound("integration");
  const { id, updatedAt } = stored;
  if (integrationTypeNamed(stored.integrationType)?.outgoing) {
    return refuse("conflict", "this integration accepts no events");
  }
  const until = now + overlap * 1_000;
  const rotated = rotate(context, what, until, stored);
  if ("reason" in rotated) return rotated;
  const { value } = rotated;
  const columns = { ...rotated.columns, updatedAt: nextUpdatedAt(updatedAt, now) };
  const writes = [
    assertUnchanged(integrations, id, updatedAt),
    build.update(integrations).set(columns).where(eq(integrations.id, id)),
  ];
  const decision = decideIntegration(context, { verb: "rotate", id, before, writes });
  const previous_valid_until = overlap === 0 ? null : formatInstant(until);
  return {
    ...decision,
    answer: async (committed) => {
      const changed = await decision.answer(committed);
      return isRefusal(changed) ? changed : { what, value, previous_valid_until };
    },
  };
}
