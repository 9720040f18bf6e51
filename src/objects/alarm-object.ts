// The base of the objects that act by themselves: each stores what it waits for, and sets its one alarm for the earliest
// of it. Everything that keeps an alarm from being lost is here. An integration's inbox is no such object: it drains in
// memory, and its alarm is only the net below that.
import { DurableObject } from "cloudflare:workers";
import type { Traces } from "../domain/anonymize.ts";
import { anonymizeStorage } from "./anonymize-storage.ts";
import { retryDelay } from "./retry.ts";

/** What an object does by itself. Functions in a field: methods, protected ones too, could be called over RPC. */
export type AlarmWork = {
  /** The earliest of what is waited for (epoch ms), as stored; null = nothing is. */
  readonly nextAt: () => number | null;
  /** Does what is due. When it throws it is run again, with back-off. */
  readonly run: () => Promise<void>;
  /** What the log says when it throws. */
  readonly failure: string;
  /** The longest back-off (ms), where that is shorter than everybody's. */
  readonly longestPauseMs?: number;
};

export abstract class AlarmObject extends DurableObject<Cloudflare.Env> {
  protected abstract readonly alarmWork: AlarmWork;
  /** How often in a row what was due could not be done. */
  #failures = 0;
  /** No alarm goes off before this instant (epoch ms): what is due could not be done, and is not to spin. */
  #notBefore = 0;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    ctx.waitUntil(this.#rearm());
  }

  /** A past-due alarm cannot be trusted to fire: whatever wakes the object sets it again. */
  async #rearm(): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    const isLost = set === null ? this.#dueAt() !== null : set <= Date.now();
    if (isLost) await this.ctx.storage.setAlarm(this.#dueAt() ?? Date.now());
  }

  /** When the alarm is to go off (epoch ms); null = not at all. */
  #dueAt(): number | null {
    const next = this.alarmWork.nextAt();
    if (next === null && this.#failures === 0) return null;
    return Math.max(Date.now(), this.#notBefore, next ?? 0);
  }

  /** Sets the alarm for what is stored now. To be called in the turn that stores it: one commit. */
  protected readonly arm = (): void => {
    const at = this.#dueAt();
    if (at === null) this.ctx.waitUntil(this.#settle());
    else void this.ctx.storage.setAlarm(at);
  };

  /** Sets the alarm unless it is right already: to write nothing costs nothing. */
  async #settle(): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    // Asked only now: what was stored during the wait counts.
    const at = this.#dueAt();
    if (at === set) return;
    if (at === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(at);
  }

  /** Takes a person who is erased out of what it holds; how much of it named them. */
  async anonymize(traces: Traces): Promise<number> {
    return anonymizeStorage(this.ctx.storage, traces);
  }

  /** Does what is due, and sets the alarm for what comes next. Never throws: a thrown alarm runs dry. */
  override async alarm(): Promise<void> {
    const { run, failure, longestPauseMs = Number.POSITIVE_INFINITY } = this.alarmWork;
    try {
      await run();
      this.#failures = 0;
      this.#notBefore = 0;
    } catch (error) {
      const object = this.ctx.id.name;
      console.error({ message: failure, object, error: String(error).slice(0, 200) });
      this.#notBefore = Date.now() + Math.min(retryDelay(this.#failures), longestPauseMs);
      this.#failures += 1;
    }
    await this.#settle();
  }
}
