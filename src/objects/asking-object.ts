// An object that has the queue's consumer do something: told of it before anything else is written, so that no crash and
// no outage loses it, it keeps asking until word comes that it is over. Its own parts are fields, as `AlarmWork` is.
import { AlarmObject, type AlarmWork } from "./alarm-object.ts";
import { sendAll } from "./send-all.ts";

/** What is written beside it has been by then, or is about to be. */
export const FIRST_MS = 300;
const PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

export type Expected<What> = What & {
  /** Epoch ms. */
  readonly since: number;
  /** How often the queue was asked. */
  readonly asked: number;
  /** When it is asked next (epoch ms). */
  readonly nextAt: number;
};

export abstract class AskingObject<What extends object> extends AlarmObject {
  protected override readonly alarmWork: AlarmWork = {
    failure: "a mail waits",
    nextAt: () => this.expected()?.nextAt ?? null,
    run: () => this.#ask(),
  };

  /** What asks for it; null when it is too late for it. `now`: epoch ms. */
  protected abstract readonly messageFor: (expected: Expected<What>, now: number) => object | null;

  /** Nothing is asked for before this instant (epoch ms). */
  protected readonly notBefore: (expected: Expected<What>) => number = () => 0;

  protected readonly expected = (): Expected<What> | undefined =>
    this.ctx.storage.kv.get<Expected<What>>("expected");

  protected readonly keep = (expected: Expected<What>): void => {
    this.ctx.storage.kv.put("expected", expected);
  };

  /** It is asked for from now on, in the place of what was before. */
  protected readonly begin = (what: What): void => {
    const since = Date.now();
    this.keep({ ...what, since, asked: 0, nextAt: since + FIRST_MS });
    this.arm();
  };

  protected readonly forget = async (): Promise<void> => {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  };

  async #ask(): Promise<void> {
    const expected = this.expected();
    if (expected === undefined) return;
    const now = Date.now();
    const notBefore = this.notBefore(expected);
    if (notBefore > now) return this.keep({ ...expected, nextAt: notBefore });
    const message = this.messageFor(expected, now);
    if (message === null) return this.forget();
    const { asked } = expected;
    const nextAt = now + Math.min(PAUSE_MS * 2 ** asked, LONGEST_PAUSE_MS);
    this.keep({ ...expected, asked: asked + 1, nextAt });
    this.arm();
    await sendAll(this.env.PAGES, [message]);
  }
}
