// The token of a secret of the deployment, by which its operators' endpoints are called.
import type { Context } from "hono";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { countFailure } from "../../../kernel/http/failure-limit.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { isSameSecret } from "../../../kernel/same-secret.ts";

/** Without the secret there is nothing at the address. */
export const UNKNOWN = refuse("not_found", "no such endpoint");
const WRONG_TOKEN = refuse("unauthenticated", "the token is missing or wrong");

/** Null if the request has the token; else 401, or 429 after too many wrong ones of its network. */
export async function refuseWithoutToken(
  { env, req }: Context<Environment>,
  expected: string,
): Promise<Refusal | null> {
  const [, token = ""] = /^Bearer +(\S+) *$/i.exec(req.header("Authorization") ?? "") ?? [];
  if (isSameSecret(token, expected)) return null;
  return (await countFailure(env, req.header("cf-connecting-ip"))) ?? WRONG_TOKEN;
}
