// Base of the objects that have the queue's consumer send a mail. They are called before anything
// else is written, so that no crash or outage loses the mail, and send requests to the queue until
// the consumer reports the end. Members are fields for the reason given at `AlarmWork`.
import { AlarmObject, type AlarmWork } from "./alarm-object.ts";
import { pagesQueue } from "./pages-queue.ts";
import { confirmationTimeout } from "./retry.ts";
import { sendAll } from "./send-all.ts";

/** Delay of the first request (ms): by then the caller has written its rows, or is about to. */
export const FIRST_REQUEST_MS = 300;

export type PendingMail<What> = What & {
  /** Epoch ms. */
  readonly since: number;
  /** How often a request was sent. */
  readonly asked: number;
  /** When the next request is sent (epoch ms). */
  readonly nextAt: number;
};

export abstract class MailObject<What extends object> extends AlarmObject {
  protected override readonly alarmWork: AlarmWork = {
    kind: "mail",
    failure: "a mail is postponed",
    nextAt: () => this.expected()?.nextAt ?? null,
    run: () => this.#request(),
  };

  /** The request to send at `now` (epoch ms); null if it is too late. */
  protected abstract readonly messageFor: (
    expected: PendingMail<What>,
    now: number,
  ) => object | null;

  /** No request is sent before this instant (epoch ms). */
  protected readonly notBefore: (expected: PendingMail<What>) => number = () => 0;

  protected readonly expected = (): PendingMail<What> | undefined =>
    this.ctx.storage.kv.get<PendingMail<What>>("expected");

  protected readonly store = (expected: PendingMail<What>): void => {
    this.ctx.storage.kv.put("expected", expected);
  };

  /** Starts sending requests for a mail, which replaces an earlier one. */
  protected readonly begin = (what: What): void => {
    const since = Date.now();
    this.store({ ...what, since, asked: 0, nextAt: since + FIRST_REQUEST_MS });
    this.arm();
  };

  protected readonly forget = async (): Promise<void> => {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  };

  async #request(): Promise<void> {
    const expected = this.expected();
    if (expected === undefined) return;
    const now = Date.now();
    const notBefore = this.notBefore(expected);
    if (notBefore > now) return this.store({ ...expected, nextAt: notBefore });
    const message = this.messageFor(expected, now);
    if (message === null) return this.forget();
    const { asked } = expected;
    const nextAt = now + confirmationTimeout(asked);
    this.store({ ...expected, asked: asked + 1, nextAt });
    this.arm();
    await sendAll(pagesQueue(this.env), [message]);
  }
}
