// An object that has the queue's consumer do something: told of it before anything else is written, so that no crash and
// no outage loses it, it keeps asking until word comes that it is over.
import { DurableObject } from "cloudflare:workers";
import type { Traces } from "../domain/anonymize.ts";
import { anonymizeStorage } from "./anonymize-storage.ts";
import { sendAll } from "./send-all.ts";

/** What is written beside it has been by then, or is about to be. */
export const FIRST_MS = 300;
const PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

/** `since`: epoch ms. `asked`: how often the queue was asked. */
export type Expected<What> = What & { readonly since: number; readonly asked: number };

export abstract class AskingObject<What extends object> extends DurableObject<Cloudflare.Env> {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    if (this.expected() !== undefined) ctx.waitUntil(this.#rearm());
  }

  /** What asks for it; null when it is too late for it. `now`: epoch ms. */
  protected abstract messageFor(expected: Expected<What>, now: number): object | null;

  /** Nothing is asked for before this instant (epoch ms). */
  protected notBefore(_expected: Expected<What>): number {
    return 0;
  }

  protected expected(): Expected<What> | undefined {
    return this.ctx.storage.kv.get<Expected<What>>("expected");
  }

  protected keep(expected: Expected<What>): void {
    this.ctx.storage.kv.put("expected", expected);
  }

  /** It is asked for from now on, in the place of what was before. */
  protected async begin(what: What): Promise<void> {
    const since = Date.now();
    this.keep({ ...what, since, asked: 0 });
    await this.ctx.storage.setAlarm(since + FIRST_MS);
  }

  protected async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** Takes a person who is erased out of what it holds; how much of it named them. */
  async anonymize(traces: Traces): Promise<number> {
    return anonymizeStorage(this.ctx.storage, traces);
  }

  /** A past-due alarm cannot be trusted to fire: whatever wakes the object sets it again. */
  async #rearm(): Promise<void> {
    const at = await this.ctx.storage.getAlarm();
    if (at === null || at <= Date.now()) await this.ctx.storage.setAlarm(Date.now() + FIRST_MS);
  }

  override async alarm(): Promise<void> {
    const expected = this.expected();
    if (expected === undefined) return;
    const now = Date.now();
    const notBefore = this.notBefore(expected);
    if (notBefore > now) return this.ctx.storage.setAlarm(notBefore);
    const message = this.messageFor(expected, now);
    if (message === null) return this.forget();
    const { asked } = expected;
    this.keep({ ...expected, asked: asked + 1 });
    await this.ctx.storage.setAlarm(now + Math.min(PAUSE_MS * 2 ** asked, LONGEST_PAUSE_MS));
    await sendAll(this.env.PAGES, [message]).catch((error: unknown) => {
      console.error({ message: "a mail waits", error: String(error).slice(0, 200) });
    });
  }
}
