// The notice of what the last audit found to be broken: for admins only.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AuditedDeployment } from "../../../src/domain/operations/audited-deployment.ts";
import type { Breach } from "../../../src/domain/operations/invariants.ts";
import { OperationsObject } from "../../../src/features/operations/audits/object.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { forgetOperations, monitor } from "../../support/operations/operations.ts";
import { type Browser, signIn, signInAdmin } from "../../support/worker/console.ts";
import { makePerson } from "../../support/worker/world.ts";

const MINUTE = 60_000;

let account: Account;
let admin: Browser;
beforeEach(async () => {
  monitor();
  account = await makeAccount();
  admin = await signInAdmin(account);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await forgetOperations();
});

let minutes = 0;

const AUDITED: AuditedDeployment = {
  auditedAt: 0,
  breaches: [],
  heartbeats: {},
  providers: {},
  channels: null,
  database: null,
};

/** The last audit has found this, a minute after the worker last asked. */
function found(...breaches: readonly Breach[]) {
  minutes += 1;
  vi.useFakeTimers({ now: Date.now() + minutes * MINUTE, toFake: ["Date"] });
  return vi
    .spyOn(OperationsObject.prototype, "audited")
    .mockResolvedValue({ ...AUDITED, breaches });
}

async function noticeOn(browser: Browser): Promise<string> {
  const { status, text } = await browser.get("/alerts");
  expect(status).toBe(200);
  const [notice = ""] = /<p>In this deployment.*?<\/details>/s.exec(text) ?? [];
  return notice
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const breach = (invariant: Breach["invariant"], example: string): Breach => ({
  ...{ invariant, count: 1, examples: [example] },
});

test("admins see a broken provider, and that the heartbeat stands still", async () => {
  expect(await noticeOn(admin)).toBe("");
  found(breach("provider_accepts", "sms: twilio refuses our credentials or account"));
  const notice = await noticeOn(admin);
  expect(notice).toContain("Each channel has a provider that accepts messages.");
  expect(notice).toContain("sms: twilio refuses our credentials or account");
  expect(notice).toContain("The heartbeat URL is not called");
  const member = await signIn((await makePerson(account, "Mia Member")).accountUserId);
  expect([await noticeOn(member), await noticeOn(member)]).toEqual(["", ""]);
});

test("lost redundancy is a warning, and the heartbeat goes on", async () => {
  found(breach("every_provider_accepts", "email: resend accepts nothing"));
  const notice = await noticeOn(admin);
  expect(notice).toContain("email: resend accepts nothing");
  expect(notice).not.toContain("The heartbeat URL");
});

test("records of other accounts are not named, and gaps have a notice of their own", async () => {
  found(breach("timer_runs", "alt_of-somebody-else"), breach("shift_has_somebody", "tem_x"));
  const notice = await noticeOn(admin);
  expect(notice).toContain("No step of an alert is more than a minute late.");
  expect(notice).not.toMatch(/alt_|tem_|on call/);
});

test("a deployment that is not watched, or whose object does not answer, shows its pages", async () => {
  const asked = found(breach("queue_delivers", "queue"));
  asked.mockRejectedValueOnce(new Error("moved"));
  expect(await noticeOn(admin)).toBe("");
  expect(await noticeOn(admin)).toContain("A message sent to the queue arrives");
  for (const name of ["METRICS_TOKEN", "HEARTBEAT_URL"] as const) {
    vi.spyOn(env, name, "get").mockReturnValue("");
  }
  expect(await noticeOn(admin)).toBe("");
});
