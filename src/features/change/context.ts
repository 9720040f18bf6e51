// What every verb is given beside its input.
import type { SQL } from "drizzle-orm";
import type { Actor } from "../../domain/access/actor.ts";
import type { Connection } from "../../kernel/db/database.ts";

export type Context<By extends Actor = Actor> = {
  readonly env: Cloudflare.Env;
  /** D1 through the session of this request. */
  readonly db: Connection;
  /** Who acts. */
  readonly actor: By;
  /** Epoch ms. */
  readonly now: number;
  /**
   * Preconditions that every write includes: the write fails if the actor's teams no longer allow
   * the request. Empty where permission does not depend on teams.
   */
  readonly stillAllowed: readonly SQL[];
  /** Extends the lifetime of work beyond the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
};
