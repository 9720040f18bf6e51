// A person's security mail, until it is sent. The object is told before the change is written, so that no crash and no
// outage loses the mail; the notices themselves are rows of the change's batch. Many changes share a mail.
import { nextMailAt, recentMails, type SecurityMailMessage } from "../domain/security-notice.ts";
import { AskingObject, type Expected, FIRST_MS } from "./asking-object.ts";
import type { SecurityMailStub } from "./rpc.ts";

/** Notices that have not been written by then never will be (ms). */
const LONGEST_UNWRITTEN_MS = 600_000;

/** How long a consumer may work on the mail: longer than any provider may take to answer. */
const LEASE_MS = 60_000;

/** Longer than the times of mails count (ms). */
const REMEMBER_MS = 65 * 60_000;

type Waiting = {
  /** Raised by each request for a mail: a report on an earlier one does not end a later one. */
  readonly version: number;
  /** Epoch ms; 0 while no consumer works on it. */
  readonly inHandUntil: number;
  /** Epoch ms of the latest mails, oldest first. */
  readonly sentAt: readonly number[];
  /** True when nothing waits: the object only remembers when the latest mails were sent. */
  readonly isIdle: boolean;
};

export class SecurityMailObject extends AskingObject<Waiting> implements SecurityMailStub {
  protected override readonly notBefore = ({ sentAt, isIdle }: Expected<Waiting>): number =>
    isIdle ? 0 : nextMailAt(sentAt);

  protected override readonly messageFor = ({
    isIdle,
  }: Expected<Waiting>): SecurityMailMessage | null =>
    isIdle ? null : { securityMail: this.ctx.id.name ?? "" };

  /** Notices of the person are about to be written. */
  async expect(): Promise<void> {
    const before = this.expected();
    const { version, inHandUntil, sentAt } = before ?? { version: 0, inHandUntil: 0, sentAt: [] };
    const next = { version: version + 1, inHandUntil, sentAt, isIdle: false };
    if (before === undefined || before.isIdle) return this.begin(next);
    // Whoever changes things without a pause does not put off the mail by it.
    const now = Date.now();
    const nextAt = Math.min(before.nextAt, now + FIRST_MS);
    this.keep({ ...next, since: now, asked: 0, nextAt });
    if (nextAt < before.nextAt) this.arm();
  }

  /** The request that a consumer may work on now; null when there is none, or another consumer does. */
  async take(): Promise<number | null> {
    const expected = this.expected();
    const now = Date.now();
    if (expected === undefined || expected.isIdle || expected.inHandUntil > now) return null;
    if (nextMailAt(expected.sentAt) > now) return null;
    this.keep({ ...expected, inHandUntil: now + LEASE_MS });
    return expected.version;
  }

  /** What the consumer found: notices that are sent, none (yet), or some that wait for another try. */
  async done(version: number, found: "sent" | "none" | "waits"): Promise<void> {
    const expected = this.expected();
    if (expected === undefined) return;
    const now = Date.now();
    const sent = found === "sent" ? [now] : [];
    const sentAt = recentMails([...expected.sentAt, ...sent], now);
    const isEarly = found === "none" && now - expected.since < LONGEST_UNWRITTEN_MS;
    const isOver = expected.version === version && found !== "waits" && !isEarly;
    if (isOver && sentAt.length === 0) return this.forget();
    const nextAt = isOver ? now + REMEMBER_MS : expected.nextAt;
    this.keep({ ...expected, inHandUntil: 0, sentAt, isIdle: isOver, nextAt });
    if (isOver) this.arm();
  }
}
