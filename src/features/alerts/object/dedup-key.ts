// The object of one dedup key of an account: stores which alert holds the key. The alert's own
// object decides whether it still counts repetitions. Each change is one turn.
import { DurableObject } from "cloudflare:workers";
import type { DedupKeyStub } from "../../rpc.ts";

/** `until`: when the hold expires (epoch ms); null = never. */
type Holder = {
  readonly alertId: string;
  readonly since: number;
  readonly until: number | null;
};

export class DedupKeyObject extends DurableObject<Cloudflare.Env> implements DedupKeyStub {
  #holder(): string | null {
    const holder = this.ctx.storage.kv.get<Holder>("holder");
    if (holder === undefined) return null;
    return holder.until !== null && holder.until <= Date.now() ? null : holder.alertId;
  }

  /** The alert that holds the key, which may not be created yet; null if none does. */
  async look(): Promise<string | null> {
    return this.#holder();
  }

  /** How long the alert has held the key (ms). */
  async age(): Promise<number> {
    return Date.now() - (this.ctx.storage.kv.get<Holder>("holder")?.since ?? 0);
  }

  /**
   * Assigns the key to an alert, unless an alert other than `inPlaceOf` holds it.
   *
   * @param milliseconds how long the alert holds it; null = without a limit
   * @returns the alert that holds the key now
   */
  async claim(
    alertId: string,
    inPlaceOf: string | null,
    milliseconds: number | null,
  ): Promise<string> {
    const holder = this.#holder();
    if (holder === alertId || (holder !== null && holder !== inPlaceOf)) return holder;
    const since = Date.now();
    const until = milliseconds === null ? null : since + milliseconds;
    this.ctx.storage.kv.put("holder", { alertId, since, until } satisfies Holder);
    if (until !== null) await this.ctx.storage.setAlarm(until);
    return alertId;
  }

  /** Deletes the key if it is held by the given alert, which is being retired. */
  async release(alertId: string): Promise<void> {
    const holder = this.ctx.storage.kv.get<Holder>("holder");
    if (holder?.alertId === alertId) await this.ctx.storage.deleteAll();
  }

  /** Deletes an expired key. */
  override async alarm(): Promise<void> {
    if (this.#holder() === null) await this.ctx.storage.deleteAll();
  }
}
