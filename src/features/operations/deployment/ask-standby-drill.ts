import type { PersonActor } from "../../../domain/access/actor.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import { standbyObject } from "../../stubs.ts";
import type { Deployment } from "./contract.ts";
import { readStandby } from "./read-deployment.ts";

const NO_STANDBY = refuse("conflict", "this deployment has no standby: STANDBY_URL is empty");

/**
 * Asks each standby for a drill of one of the account's teams: it starts within a minute or two of their next
 * snapshot.
 *
 * @returns what is known of the standby; 409 without a standby, or while one is asked or under way
 */
export async function askStandbyDrill({
  env,
  actor,
  now,
}: Pick<Context<PersonActor>, "env" | "actor" | "now">): Promise<Deployment["standby"] | Refusal> {
  const { accountId, accountUserId } = actor;
  if (!env.STANDBY_URL || env.STANDBY_OF) return NO_STANDBY;
  const reason = await standbyObject(env).askDrill(accountId, accountUserId, now);
  return reason === null ? readStandby(env, accountId, now) : refuse("conflict", reason);
}
