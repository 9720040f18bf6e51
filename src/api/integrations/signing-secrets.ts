// Rotates the secret that signs an integration's requests. The new secret is shown only in this
// response.
import { eq } from "drizzle-orm";
import * as z from "zod";
import type { SigningSecret } from "../../contract/integrations/integration-credentials.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { integrations } from "../../db/schema/integrations.ts";
import { build, statement } from "../../db/shared/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../db/shared/optimistic-retry.ts";
import { isRefusal, notFound, refuse } from "../../domain/shared/refusal.ts";
import { type Answer, found } from "../../http/answers.ts";
import { pathIdentifier } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { exactly } from "../../http/shown.ts";
import { selectHeld, toHeld } from "./integration-records.ts";
import { newSigningSecret } from "./outgoing-options.ts";

async function rotateSecret(request: ApiRequest): Promise<Answer> {
  const identifier = pathIdentifier(request, "integration");
  if (isRefusal(identifier)) return identifier;
  const { db, actor, now } = request;
  const row = await statement(db, selectHeld(actor.accountId, identifier)).first<RawRow>();
  if (!row) return notFound("integration");
  const { id, type, secrets, updatedAt } = toHeld(row);
  if (type?.outgoing?.signs !== true) {
    return refuse("conflict", "this integration does not sign its requests");
  }
  const secret = newSigningSecret();
  const columns = {
    secrets: { ...secrets, secret },
    updatedAt: nextUpdatedAt(updatedAt, now),
  };
  await db.batch(
    [
      assertUnchanged(integrations, id, updatedAt),
      build.update(integrations).set(columns).where(eq(integrations.id, id)),
    ].map((query) => statement(db, query)),
  );
  return found<SigningSecret>({ secret });
}

export const signingSecretRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/integrations/:id/secret",
    operation: "makeSigningSecret",
    summary: "Rotate a signing secret",
    description: `The secret with which receivers of an \`outgoing_webhook\` verify requests (Standard Webhooks). It replaces the previous one immediately and is shown only in this response.`,
    shows: exactly("SigningSecret"),
    refuses: ["conflict"],
    body: z.object({}),
    keepsNoAnswer: true,
    handle: (request) => retryOnConflict(() => rotateSecret(request)),
  }),
];
