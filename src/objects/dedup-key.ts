// One key of an account: which alert is the newest that counts what comes with it. Decides nothing about alerts:
// whether one still counts, its own object says. Many callers may ask at once; each change is one turn.
import { DurableObject } from "cloudflare:workers";
import type { DedupKeyStub } from "./rpc.ts";

/** `until`: not longer than that (epoch ms); null = as long as the alert counts. */
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

  /** The alert that has the key, which may not be made yet; null when none has. */
  async look(): Promise<string | null> {
    return this.#holder();
  }

  /** How long the alert has had the key (ms). */
  async age(): Promise<number> {
    return Date.now() - (this.ctx.storage.kv.get<Holder>("holder")?.since ?? 0);
  }

  /**
   * Gives the key to an alert, unless another than `inPlaceOf` has it.
   *
   * @param milliseconds how long it has it; null = as long as it counts
   * @returns the alert that has it now
   */
  async claim(
    alertId: string,
    inPlaceOf: string | null,
    milliseconds: number | null,
  ): Promise<string> {
    const held = this.#holder();
    if (held === alertId || (held !== null && held !== inPlaceOf)) return held;
    const since = Date.now();
    const until = milliseconds === null ? null : since + milliseconds;
    this.ctx.storage.kv.put("holder", { alertId, since, until } satisfies Holder);
    if (until !== null) await this.ctx.storage.setAlarm(until);
    return alertId;
  }

  /** The alert is no more: a key that it has leaves nothing behind. */
  async release(alertId: string): Promise<void> {
    const held = this.ctx.storage.kv.get<Holder>("holder");
    if (held?.alertId === alertId) await this.ctx.storage.deleteAll();
  }

  /** A time that is over leaves nothing behind. */
  override async alarm(): Promise<void> {
    if (this.#holder() === null) await this.ctx.storage.deleteAll();
  }
}
