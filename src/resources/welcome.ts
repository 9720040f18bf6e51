// What goes with adding somebody to an account: the mail by which they learn of it (specification, User creation).
import type { SQLWrapper } from "drizzle-orm";
import { insertWelcome } from "../db/welcome-rows.ts";
import { type Welcome, welcomeObjectName } from "../domain/welcome.ts";
import { welcomeObject } from "../objects/stubs.ts";
import type { PersonWrites } from "./people-changes.ts";

/**
 * Has the person's object expect the mail, and returns the write of it, for the end of the batch that adds them. The
 * object is told first: should we die before the batch, it finds nothing to send; after it, it sends.
 */
export async function welcomeWith(
  env: Cloudflare.Env,
  welcome: Welcome,
  { isKnown }: PersonWrites,
  now: number,
): Promise<SQLWrapper> {
  await welcomeObject(env, welcomeObjectName(welcome)).expect(welcome);
  return insertWelcome(welcome, isKnown ? "user.invitation" : "user.password", now);
}
