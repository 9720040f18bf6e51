// A new member's mail, until it is sent: told before the membership is written, so that no crash between the two
// leaves a person without it. Keeps asking the queue until the consumer says that it is done.
import { DurableObject } from "cloudflare:workers";
import type { Welcome, WelcomeMessage } from "../domain/welcome.ts";

/** The membership is written by then, or about to be. */
const FIRST_MS = 300;
const LONGEST_WAIT_MS = 300_000;

/** A membership that has not been written by then never was (ms). */
const LONGEST_UNWRITTEN_MS = 600_000;

type Expected = Welcome & { readonly since: number; readonly asked: number };

export class WelcomeObject extends DurableObject<Cloudflare.Env> {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    if (this.#expected() !== undefined) ctx.waitUntil(this.#rearm());
  }

  #expected(): Expected | undefined {
    return this.ctx.storage.kv.get<Expected>("expected");
  }

  /** A past-due alarm cannot be trusted to fire: whatever wakes the object sets it again. */
  async #rearm(): Promise<void> {
    const at = await this.ctx.storage.getAlarm();
    if (at === null || at <= Date.now()) await this.ctx.storage.setAlarm(Date.now() + FIRST_MS);
  }

  /** A membership is about to be written, with the mail that goes with it. */
  async expect(welcome: Welcome): Promise<void> {
    const since = Date.now();
    this.ctx.storage.kv.put("expected", { ...welcome, since, asked: 0 } satisfies Expected);
    await this.ctx.storage.setAlarm(since + FIRST_MS);
  }

  /** The consumer's word on the mail: it is over, or there is none, which is over after some time. */
  async done(found: "over" | "none"): Promise<void> {
    const expected = this.#expected();
    if (expected === undefined) return;
    if (found === "none" && Date.now() - expected.since < LONGEST_UNWRITTEN_MS) return;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    const expected = this.#expected();
    if (expected === undefined) return;
    const { accountId, accountUserId, asked } = expected;
    this.ctx.storage.kv.put("expected", { ...expected, asked: asked + 1 } satisfies Expected);
    const wait = Math.min(5_000 * 2 ** asked, LONGEST_WAIT_MS);
    await this.ctx.storage.setAlarm(Date.now() + wait);
    const body: WelcomeMessage = { welcome: { accountId, accountUserId } };
    await this.env.PAGES.send(body).catch((error: unknown) => {
      console.error({ message: "a new member's mail waits", error: String(error).slice(0, 200) });
    });
  }
}
