// A person's security mail, until it is sent. The object is called before the change is written, so
// that no crash or outage loses the mail. Its notices, one or more, are rows of the change's batch.
import {
  nextMailAt,
  recentMails,
  type SecurityMailMessage,
} from "../../../domain/access/security-notice.ts";
import {
  FIRST_REQUEST_MS,
  MailObject,
  type PendingMail,
} from "../../../kernel/objects/mail-object.ts";
import type { SecurityMailStub } from "../../rpc.ts";

/** Notices that are not written by then never will be (ms). */
const MAX_UNWRITTEN_MS = 600_000;

/** How long a consumer may work on the mail (ms): longer than any provider's timeout. */
const LEASE_MS = 60_000;

/** How long the times of sent mails are stored (ms): longer than the limit on mails needs them. */
const REMEMBER_MS = 65 * 60_000;

type Waiting = {
  /** Increased by each request for a mail: a report on an earlier one does not end a later one. */
  readonly version: number;
  /** When the consumer's lease ends (epoch ms); 0 while no consumer works on it. */
  readonly inHandUntil: number;
  /** When the latest mails were sent (epoch ms), oldest first. */
  readonly sentAt: readonly number[];
  /** No mail is pending: only `sentAt` is stored. */
  readonly isIdle: boolean;
};

export class SecurityMailObject extends MailObject<Waiting> implements SecurityMailStub {
  protected override readonly notBefore = ({ sentAt, isIdle }: PendingMail<Waiting>): number =>
    isIdle ? 0 : nextMailAt(sentAt);

  protected override readonly messageFor = ({
    isIdle,
  }: PendingMail<Waiting>): SecurityMailMessage | null =>
    isIdle ? null : { securityMail: this.ctx.id.name ?? "" };

  /** Expects a mail, before the person's notices are written. */
  async expect(): Promise<void> {
    const before = this.expected();
    const { version, inHandUntil, sentAt } = before ?? { version: 0, inHandUntil: 0, sentAt: [] };
    const next = { version: version + 1, inHandUntil, sentAt, isIdle: false };
    if (before === undefined || before.isIdle) return this.begin(next);
    // Continuous changes must not postpone the mail.
    const now = Date.now();
    const nextAt = Math.min(before.nextAt, now + FIRST_REQUEST_MS);
    this.store({ ...next, since: now, asked: 0, nextAt });
    if (nextAt < before.nextAt) this.arm();
  }

  /** Leases the mail to a consumer; returns the request's version, or null if none is available. */
  async take(): Promise<number | null> {
    const expected = this.expected();
    const now = Date.now();
    if (expected === undefined || expected.isIdle || expected.inHandUntil > now) return null;
    if (nextMailAt(expected.sentAt) > now) return null;
    this.store({ ...expected, inHandUntil: now + LEASE_MS });
    return expected.version;
  }

  /** Ends a consumer's work: it sent the notices, found none (yet), or some wait for a retry. */
  async done(version: number, found: "sent" | "none" | "waits"): Promise<void> {
    const expected = this.expected();
    if (expected === undefined) return;
    const now = Date.now();
    const sent = found === "sent" ? [now] : [];
    const sentAt = recentMails([...expected.sentAt, ...sent], now);
    const isEarly = found === "none" && now - expected.since < MAX_UNWRITTEN_MS;
    const isOver = expected.version === version && found !== "waits" && !isEarly;
    if (isOver && sentAt.length === 0) return this.forget();
    const nextAt = isOver ? now + REMEMBER_MS : expected.nextAt;
    this.store({ ...expected, inHandUntil: 0, sentAt, isIdle: isOver, nextAt });
    if (isOver) this.arm();
  }
}
