// Rotates an integration's token or intake key. A new token is shown only in this response. The
// previous value stays valid for the requested time, so that senders can be updated one by one.
import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import type { RotatedCredential } from "../../contract/integrations/integration-credentials.ts";
import {
  type ROTATED,
  RotateIntegrationCredential,
} from "../../contract/integrations/integration-parameters.ts";
import { toIntegrationConfiguration } from "../../db/integrations/integration-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { integrations } from "../../db/schema/integrations.ts";
import { build, statement } from "../../db/shared/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../db/shared/optimistic-retry.ts";
import type { IntegrationConfiguration } from "../../domain/integrations/integration-configuration.ts";
import { randomHexOf } from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound, refuse } from "../../domain/shared/refusal.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import { type Answer, found } from "../../http/answers.ts";
import { pathIdentifier } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { exactly } from "../../http/shown.ts";
import { configureInbox } from "../../services/integrations/configure-inbox.ts";
import { selectHeld, toHeld } from "./integration-records.ts";

type Rotated = (typeof ROTATED)[number];

const DAY_SECONDS = 86_400;

const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** Generates a token for an integration's senders. */
const newToken = () => `tok_${randomHex(20)}`;

/** 32 hexadecimal digits: the id's random bits, which address the inbox, and 48 secret bits. */
export const newIntakeKey = (id: string) => randomHexOf({ form: "id", value: id }) + randomHex(6);

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The columns to set when `value` replaces the credential. */
function columnsOf(
  what: Rotated,
  value: string,
  until: number,
  stored: IntegrationConfiguration,
  secrets: Readonly<Record<string, unknown>>,
) {
  if (what === "token") {
    const previous_token = { sha256: stored.tokenSha256, until };
    return { secrets: { ...secrets, token_sha256: sha256(value), previous_token } };
  }
  const previous_intake_key = { sha256: sha256(stored.intakeKey.toLowerCase()), until };
  return { intakeKey: value, secrets: { ...secrets, previous_intake_key } };
}

async function rotate(request: ApiRequest<RotateIntegrationCredential>): Promise<Answer> {
  const { db, env, actor, now, body, waitUntil } = request;
  const identifier = pathIdentifier(request, "integration");
  if (isRefusal(identifier)) return identifier;
  const read = selectHeld(actor.accountId, identifier);
  const row = await statement(db, read).first<RawRow>();
  if (!row) return notFound("integration");
  const { id, type, secrets, updatedAt } = toHeld(row);
  if (type?.outgoing) return refuse("conflict", "this integration accepts no events");
  const value = body.what === "token" ? newToken() : newIntakeKey(id);
  const overlap = body.overlap ?? DAY_SECONDS;
  const until = now + overlap * 1_000;
  const columns = columnsOf(body.what, value, until, toIntegrationConfiguration(row), secrets);
  const writes = [
    assertUnchanged(integrations, id, updatedAt),
    build
      .update(integrations)
      .set({ ...columns, updatedAt: nextUpdatedAt(updatedAt, now) })
      .where(eq(integrations.id, id)),
    read,
  ];
  const results = await db.batch<RawRow>(writes.map((query) => statement(db, query)));
  const changed = results.at(-1)?.results[0] as RawRow;
  await configureInbox(env, toIntegrationConfiguration(changed), waitUntil);
  const previous_valid_until = overlap === 0 ? null : formatInstant(until);
  return found<RotatedCredential>({ what: body.what, value, previous_valid_until });
}

export const integrationRotationRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/integrations/:id/rotate",
    operation: "rotateIntegrationCredential",
    summary: "Rotate a token or intake key",
    description: `Replaces the integration's \`token\` or \`intake_key\` with a random one. A new token is shown only in this response; an intake key stays visible to admins. The previous credential is accepted for another \`overlap\` seconds: one day by default, at most 30 days, 0 revokes it immediately. An integration without a token accepts requests without one until then.`,
    shows: exactly("RotatedCredential"),
    refuses: ["conflict"],
    body: RotateIntegrationCredential,
    keepsNoAnswer: true,
    handle: (request) => retryOnConflict(() => rotate(request)),
  }),
];
