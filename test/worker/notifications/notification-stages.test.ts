// A person's notification rule from end to end: its steps at their times, quiet hours, bundles, and when each of them
// ends (contract 2 and 6).
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import {
  makeRuled,
  personStub,
  type Ruled,
  runNextTimer,
  timersOf,
} from "../../support/alerts/ruled.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox, refusal } from "../../support/providers/mailbox.ts";
import { openTwilio, type Twilio } from "../../support/providers/twilio.ts";
import { evict, interceptQueue, soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

let account: Account;
let twilio: Twilio;
let mailbox: Mailbox;
beforeEach(async () => {
  twilio = openTwilio();
  mailbox = openMailbox();
  account = await makeAccount("Ada Admin");
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Raised = { readonly id: string; readonly created_at: string };

async function raise(destinations: object, title: string, urgency = "high"): Promise<Raised> {
  const made = await account.api("POST", "/alerts", { title, urgency, ...destinations });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const to = ({ accountUserId }: Ruled) => ({ destination_account_user_ids: [accountUserId] });
const textsTo = ({ number }: Ruled) => twilio.taken.filter(({ form }) => form.To === number);
const mailsTo = ({ email }: Ruled) => mailbox.mails.filter((mail) => mail.to === email);
const acknowledge = (person: Ruled, { id }: Raised) =>
  call("POST", `/api/v4/alerts/${id}/acknowledge`, { key: person.key });

async function notificationsOf({ id }: Raised): Promise<Record<string, any>[]> {
  const { body } = await account.api("GET", `/alerts/${id}/notifications?sort=id&direction=asc`);
  return body.data;
}

const expectNotifications = (alert: Raised, expected: readonly (readonly [string, string])[]) =>
  vi.waitFor(async () => {
    const shown = await notificationsOf(alert);
    // Rows of one page have the same time, so that their order is undefined.
    expect(shown.map(({ channel, status }) => [channel, status]).sort()).toEqual(expected);
    return shown;
  }, soon);

async function timelineOf({ id }: Raised): Promise<string> {
  const { body } = await account.api("GET", `/logs/${prefixIdOf("log", id)}`);
  return body.details.sublogs.map((line: { message: string }) => line.message).join("\n");
}

const STEPS = `rules:
  - match: { always: true }
    actions:
      - { type: notify, channels: [email], timeout: 2s }
      - { type: notify, channels: [sms], timeout: 1m }
`;

describe("a rule's steps", () => {
  test("run at their times while nobody answers", async () => {
    const ida = await makeRuled(account, "Ida", STEPS);
    const alert = await raise(to(ida), "Disk full");
    await expectNotifications(alert, [
      ["email", "sent"],
      ["sms", "sent"],
    ]);
    const [message] = textsTo(ida);
    expect(message?.at).toBeGreaterThanOrEqual(Date.parse(alert.created_at) + 2_000);
    expect([mailsTo(ida).length, textsTo(ida).length]).toEqual([1, 1]);
    await vi.waitFor(async () => expect(await timersOf(ida)).toEqual([]), soon);
  });

  test("stop once the alert is acknowledged", async () => {
    const ida = await makeRuled(account, "Ida", STEPS);
    const alert = await raise(to(ida), "Disk full");
    await expectNotifications(alert, [["email", "sent"]]);
    await vi.waitFor(async () => expect(await timersOf(ida)).toHaveLength(1), soon);
    expect((await acknowledge(ida, alert)).status).toBe(200);
    await runNextTimer(ida);
    await vi.waitFor(async () => expect(await timersOf(ida)).toEqual([]), soon);
    expect(textsTo(ida)).toEqual([]);
  });

  test("do not run after the layer's time-out", async () => {
    const ida = await makeRuled(account, "Ida", STEPS);
    const team = await makeTeam(account, [{ seconds: 1, people: [ida.accountUserId] }]);
    const alert = await raise({ destination_team_ids: [team.id] }, "Disk full");
    await expectNotifications(alert, [["email", "sent"]]);
    expect(await timersOf(ida)).toEqual([]);
  });

  test("repeat as often as the rule says", async () => {
    const rules = `rules:
  - match: { always: true }
    actions: [{ type: notify, channels: [email], timeout: 1m }, { type: repeat, times: 2 }]
`;
    const ida = await makeRuled(account, "Ida", rules);
    const alert = await raise(to(ida), "Disk full");
    const { body } = await account.api("GET", `/alerts/${alert.id}/workflows`);
    const at = Date.parse(body.data[0].created_at);
    await vi.waitFor(async () => {
      const due = (await timersOf(ida)).map((timer) => timer.next_at - at);
      expect(due).toEqual([60_000, 120_000]);
    }, soon);
    await runNextTimer(ida);
    await vi.waitFor(() => expect(mailsTo(ida)).toHaveLength(2), soon);
    await vi.waitFor(async () => expect(await timersOf(ida)).toHaveLength(1), soon);
    await runNextTimer(ida);
    await vi.waitFor(() => expect(mailsTo(ida)).toHaveLength(3), soon);
    await vi.waitFor(async () => expect(await timersOf(ida)).toEqual([]), soon);
  });

  test("survive lost queue messages and an evicted object", async () => {
    const ida = await makeRuled(account, "Ida", STEPS.replace("2s", "1m"));
    const alert = await raise(to(ida), "Disk full");
    await vi.waitFor(async () => expect(await timersOf(ida)).toHaveLength(1), soon);
    const lost: string[] = [];
    const queue = interceptQueue(async (messages) => void lost.push(JSON.stringify(messages)));
    await runNextTimer(ida);
    expect(lost.join()).toContain(ida.accountUserId);
    expect(await timersOf(ida)).toHaveLength(1);
    queue.mockRestore();
    await evict(personStub(ida));
    await runNextTimer(ida);
    await expectNotifications(alert, [
      ["email", "sent"],
      ["sms", "sent"],
    ]);
    await runNextTimer(ida).catch(() => {});
    expect(textsTo(ida)).toHaveLength(1);
  });

  test("that fail run the next step at once", async () => {
    const ida = await makeRuled(account, "Ida", STEPS.replace("2s", "5m"));
    mailbox.failure = refusal("E_RECIPIENT_SUPPRESSED");
    const alert = await raise(to(ida), "Disk full");
    await expectNotifications(alert, [
      ["email", "failed"],
      ["sms", "sent"],
    ]);
    await vi.waitFor(async () => {
      expect(await timelineOf(alert)).toContain("Not notified by email");
    }, soon);
  });
});

describe("a rule for other events", () => {
  const EVENT_RULES = `rules:
  - match: { alert.urgency: low }
    types: [alert.open, alert.resolved]
    actions: [{ type: ignore }]
  - match: { always: true }
    types: [alert.rejected, alert.resolved, alert.timeout, alert.handoff]
    actions: [{ type: notify, channels: [sms] }]
`;
  const textsOf = (person: Ruled) => textsTo(person).map(({ form }) => form.Body ?? "");

  test("notifies of a rejection, a time-out, a handoff, and a resolution by somebody else", async () => {
    const ida = await makeRuled(account, "Ida", EVENT_RULES);
    const ben = await makeRuled(account, "Ben", EVENT_RULES);
    const ids = [ida.accountUserId, ben.accountUserId];
    const team = await makeTeam(account, [
      { seconds: 2, people: ids },
      { seconds: 60, people: [] },
    ]);
    const alert = await raise({ destination_team_ids: [team.id] }, "Disk full");
    const path = `/api/v4/alerts/${alert.id}`;
    await call("POST", `${path}/reject`, { key: ben.key });
    await vi.waitFor(() => expect(textsOf(ida)).toHaveLength(1), soon);
    expect(textsOf(ida)[0]).toContain("Passed on");
    await vi.waitFor(() => expect(textsOf(ida)).toHaveLength(2), soon);
    expect(textsOf(ida)[1]).toMatch(/Timed out/);
    await account.api("POST", `/alerts/${alert.id}/handoff`, {
      destination_account_user_ids: [account.accountUserId],
    });
    await vi.waitFor(() => expect(textsOf(ida)).toHaveLength(3), soon);
    expect(textsOf(ida)[2]).toContain("Handed off");
    await call("POST", `${path}/resolve`, { key: ida.key });
    await vi.waitFor(() => {
      expect(textsOf(ben).filter((text) => text.includes("Resolved"))).toHaveLength(1);
    }, soon);
    expect(textsOf(ida).filter((text) => text.includes("Resolved"))).toEqual([]);
  });

  test("notifies nobody without such a rule, nor of alerts that its conditions exclude", async () => {
    const ida = await makeRuled(account, "Ida", EVENT_RULES);
    const sam = { ...(await makePerson(account, "Sam")), number: "" };
    const both = { destination_account_user_ids: [ida.accountUserId, sam.accountUserId] };
    const low = await raise(both, "Certificate", "low");
    const shown = await vi.waitFor(async () => {
      const rows = await notificationsOf(low);
      expect(rows).toHaveLength(2);
      return rows;
    }, soon);
    const ignored = shown.find((row) => row.channel === "none");
    expect(ignored?.reason).toMatch(/^ignored by notification rule Mine, line \d/);
    await vi.waitFor(
      async () => expect(await timelineOf(low)).toContain("Ida is not notified"),
      soon,
    );
    await account.api("POST", `/alerts/${low.id}/resolve`);
    await vi.waitFor(async () => {
      const rows = (await notificationsOf(low)).filter((row) => row.event === "alert.resolved");
      expect(rows.map((row) => [row.account_user_id, row.status])).toEqual([
        [ida.accountUserId, "skipped"],
      ]);
    }, soon);
    expect(textsTo(ida)).toEqual([]);
  });
});

describe("quiet hours", () => {
  const HOLD = `rules:
  - match: { always: true }
    actions: [{ type: hold, until: "08:00", timezone: UTC }]
`;
  const nextEight = (after: number) => {
    const today = new Date(after).setUTCHours(8, 0, 0, 0);
    return today > after ? today : today + 86_400_000;
  };

  test("hold pages that are not critical until they end, then send one digest of the unanswered alerts", async () => {
    const ida = await makeRuled(account, "Ida", HOLD);
    const alerts = [];
    for (const title of ["Disk full", "Certificate ends", "Queue grows"]) {
      alerts.push(await raise(to(ida), title));
    }
    const [disk, certificate, queue] = alerts as [Raised, Raised, Raised];
    for (const alert of alerts) await expectNotifications(alert, [["email", "queued"]]);
    const urgent = await raise(to(ida), "Everything is down", "critical");
    await expectNotifications(urgent, [["email", "sent"]]);
    expect(mailsTo(ida).map((mail) => mail.subject)).toEqual(["[CRITICAL] Everything is down"]);
    await vi.waitFor(async () => {
      const [timer, ...others] = await timersOf(ida);
      expect(timer?.next_at).toBe(nextEight(Date.parse(disk.created_at)));
      expect(others).toEqual([]);
    }, soon);
    await acknowledge(ida, certificate);
    await evict(personStub(ida));
    await runNextTimer(ida);
    await expectNotifications(disk, [["email", "sent"]]);
    await expectNotifications(queue, [["email", "sent"]]);
    await expectNotifications(certificate, [["email", "skipped"]]);
    const [, digest, ...more] = mailsTo(ida);
    expect(more).toEqual([]);
    expect(digest?.subject).toBe("[HIGH] 2 alerts held during your quiet hours");
    expect(digest?.text).toContain("Disk full");
    expect(digest?.text).toContain("Queue grows");
    expect(digest?.text).not.toContain("Certificate ends");
    await vi.waitFor(async () => expect(await timersOf(ida)).toEqual([]), soon);
  });

  test("send the digest on another channel if the first fails, and record that in each timeline", async () => {
    const ida = await makeRuled(account, "Ida", HOLD);
    const alerts = [await raise(to(ida), "Disk full"), await raise(to(ida), "Queue grows")];
    for (const alert of alerts) await expectNotifications(alert, [["email", "queued"]]);
    await vi.waitFor(async () => expect(await timersOf(ida)).toHaveLength(1), soon);
    mailbox.failure = refusal("E_RECIPIENT_SUPPRESSED");
    await runNextTimer(ida);
    for (const alert of alerts) {
      await expectNotifications(alert, [
        ["email", "failed"],
        ["sms", "sent"],
      ]);
      await vi.waitFor(async () => {
        expect(await timelineOf(alert)).toContain("Not notified by email");
      }, soon);
    }
    expect(textsTo(ida)).toHaveLength(1);
    expect(textsTo(ida)[0]?.form.Body).toContain("2 alerts");
  });
});

test("alerts beyond the limit at once are one message, with a row for each", async () => {
  vi.spyOn(env, "PAGES_AT_ONCE", "get").mockReturnValue("2" as never);
  const sam = { ...(await makePerson(account, "Sam")), number: "" };
  const alerts = [];
  for (const title of ["One", "Two", "Three", "Four"]) alerts.push(await raise(to(sam), title));
  await vi.waitFor(() => expect(mailsTo(sam)).toHaveLength(2), soon);
  await vi.waitFor(async () => expect(await timersOf(sam)).not.toEqual([]), soon);
  for (const alert of alerts.slice(2)) await expectNotifications(alert, [["email", "queued"]]);
  while ((await timersOf(sam)).length > 0) await runNextTimer(sam);
  for (const alert of alerts) await expectNotifications(alert, [["email", "sent"]]);
  const [, , burst, ...more] = mailsTo(sam);
  expect(more).toEqual([]);
  expect(burst?.subject).toBe("[HIGH] 2 alerts at once");
  expect(burst?.text).toContain("Three");
  expect(burst?.text).toContain("Four");
});
