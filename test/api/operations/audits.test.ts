// What is reported while an audit waits for answers is neither lost nor counted for another time.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { NO_ANSWERS } from "../../../src/domain/shared/metrics/provider-answers.ts";
import { audit } from "../../../src/features/operations/audits/audit.ts";
import { NEVER } from "../../../src/features/operations/audits/operations-state.ts";

const ACCEPTED = 'tocsin_provider_attempts_total{channel="email",provider="resend",outcome="sent"}';

test("an audit keeps what was reported to the object while it waited", async () => {
  const now = Date.now();
  const channel = { channel: "email", providers: ["resend"], reporting: [], isSentAgain: false };
  const broken = { since: now, cause: "outage", isProvable: false } as const;
  const failedAt = [now - 3, now - 2, now - 1];
  const answers = { acceptedAt: null, failedAt, credentialsAt: null };
  const counts = { refusals: 3, refusedAt: now - 1, failedProbes: 0 };
  const health = { answers, ...counts, probedAt: now, hasCredit: false };
  const before = {
    ...NEVER,
    channels: [channel],
    providers: { "email/resend": { ...health, broken } },
    snapshots: [{ at: now - 60_000, values: { [ACCEPTED]: 1 } }],
  };
  const states = [
    { audit: before, counts: { [ACCEPTED]: 1 }, answers: {} },
    {
      audit: { ...before, refusingInboxes: { int_new: now }, lateInboxes: { int_late: now } },
      counts: { [ACCEPTED]: 2 },
      answers: { "email/resend": { ...NO_ANSWERS, acceptedAt: now } },
    },
  ];
  const none = { audit: before, counts: {}, answers: {} };
  const audited = await audit(env, () => states.shift() ?? none, now);
  expect(audited.refusingInboxes).toEqual({ int_new: now });
  expect(audited.lateInboxes).toEqual({ int_late: now });
  expect(audited.providers["email/resend"]?.broken).toBeNull();
  expect(audited.snapshots.at(-1)?.values).toEqual({ [ACCEPTED]: 2 });
});
