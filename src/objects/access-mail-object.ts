// A mail about how somebody gets in, until it is sent: told before anything else is written, so that no crash and no
// outage of the database loses it. Keeps asking the queue, and gives the mail to one consumer at a time.
import { DurableObject } from "cloudflare:workers";
import type { AccessMail, AccessMailMessage } from "../domain/access-mail.ts";

const FIRST_MS = 300;
const PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

/** Shorter than any of their links lives: what could not be sent by then is asked for again by who wants it (ms). */
const LONGEST_MS = 25 * 60_000;

/** How long a consumer has the mail in hand; longer than any provider may take to answer. */
const LEASE_MS = 20_000;

type Expected = {
  readonly mail: AccessMail;
  readonly since: number;
  readonly asked: number;
  /** Epoch ms; 0 while nobody has it in hand. */
  readonly inHandUntil: number;
};

export class AccessMailObject extends DurableObject<Cloudflare.Env> {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    if (this.#expected() !== undefined) ctx.waitUntil(this.#rearm());
  }

  #expected(): Expected | undefined {
    return this.ctx.storage.kv.get<Expected>("expected");
  }

  #keep(expected: Expected): void {
    this.ctx.storage.kv.put("expected", expected);
  }

  /** A past-due alarm cannot be trusted to fire: whatever wakes the object sets it again. */
  async #rearm(): Promise<void> {
    const at = await this.ctx.storage.getAlarm();
    if (at === null || at <= Date.now()) await this.ctx.storage.setAlarm(Date.now() + FIRST_MS);
  }

  async #forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** A mail is to be sent, in the place of one that was not sent yet. */
  async expect(mail: AccessMail): Promise<void> {
    const since = Date.now();
    this.#keep({ mail, since, asked: 0, inHandUntil: 0 });
    await this.ctx.storage.setAlarm(since + FIRST_MS);
  }

  /** The mail for who will send it now; null where there is none, or somebody has it in hand. */
  async take(): Promise<AccessMail | null> {
    const expected = this.#expected();
    if (expected === undefined || expected.inHandUntil > Date.now()) return null;
    this.#keep({ ...expected, inHandUntil: Date.now() + LEASE_MS });
    return expected.mail;
  }

  /**
   * What became of the mail that was taken: it is over, or waits for another try.
   *
   * @param at the mail's: word on an earlier one is not word on the one that took its place
   */
  async done(at: number, found: "over" | "waits"): Promise<void> {
    const expected = this.#expected();
    if (expected === undefined || expected.mail.at !== at) return;
    if (found === "over") await this.#forget();
    else this.#keep({ ...expected, inHandUntil: 0 });
  }

  override async alarm(): Promise<void> {
    const expected = this.#expected();
    if (expected === undefined) return;
    const now = Date.now();
    if (now - expected.since > LONGEST_MS) return this.#forget();
    const { asked } = expected;
    this.#keep({ ...expected, asked: asked + 1 });
    await this.ctx.storage.setAlarm(now + Math.min(PAUSE_MS * 2 ** asked, LONGEST_PAUSE_MS));
    const body: AccessMailMessage = { accessMail: this.ctx.id.name ?? "" };
    await this.env.PAGES.send(body).catch((error: unknown) => {
      console.error({ message: "a mail about access waits", error: String(error).slice(0, 200) });
    });
  }
}
