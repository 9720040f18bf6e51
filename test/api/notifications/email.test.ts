// Notifications by e-mail as recipients get them: content, thread and link; and what happens when the mail service
// rejects one, is rate limited, or its reply is lost.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runDueOutbox } from "../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { open, press } from "../../support/api/links.ts";
import { type Mail, openMailbox } from "../../support/providers/mailbox.ts";
import { linksIn, parseReceivedMail } from "../../support/providers/received.ts";
import { openResend, resendRefusal } from "../../support/providers/resend.ts";
import { alertStub, endLeases, endPauses, soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let account: Account;
let ada: Person;
let bo: Person;
let teamId: string;

beforeEach(async () => {
  account = await makeAccount();
  ada = await makePerson(account, "Ada On Call");
  bo = await makePerson(account, "Bo Mate");
  const layer = { seconds: 600, people: [ada.accountUserId, bo.accountUserId] };
  teamId = (await makeTeam(account, [layer])).id;
});

afterEach(() => {
  vi.restoreAllMocks();
});

const TITLE = "Disk <b>full</b> – 97 % & rising 🔥";

async function raise(more: Record<string, unknown> = {}) {
  const { status, body, text } = await account.api("POST", "/alerts", {
    title: TITLE,
    description: "df -h says:\n  /var 97%",
    urgency: "critical",
    destination_team_ids: [teamId],
    ...more,
  });
  if (status !== 201) throw new Error(text);
  return body as { id: string; prefix_id: string };
}

const mailsTo = (mails: readonly Mail[], { email }: Person) =>
  mails.filter(({ to }) => to === email) as [Mail, ...Mail[]];

const notificationsOf = async (alertId: string, person: Person) => {
  const { body } = await account.api("GET", `/alerts/${alertId}/notifications`);
  return body.data.filter(
    (it: { account_user_id: string }) => it.account_user_id === person.accountUserId,
  );
};

describe("a notification by e-mail", () => {
  test("contains urgency, content, destination and reason, both in text and in HTML", async () => {
    const mailbox = openMailbox();
    const alert = await raise();
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(2), soon);
    const mail = await parseReceivedMail(mailsTo(mailbox.mails, ada)[0]);
    expect(mail.subject).toBe(`[CRITICAL] ${TITLE}`);
    expect(mail.to?.[0]?.address).toBe(ada.email);
    for (const phrase of [
      "df -h says:",
      "/var 97%",
      "critical",
      "Payments, step 1",
      alert.prefix_id,
      "You receive this because the alert was sent to Payments, step 1.",
      "If nobody acknowledges by ",
    ]) {
      expect(mail.text).toContain(phrase);
      expect(mail.html).toContain(phrase);
    }
    expect(mail.text).toContain(TITLE);
    expect(mail.html).toContain("Disk &lt;b&gt;full&lt;/b&gt;");
    expect(mail.html).not.toMatch(/<(b|img|script|link|iframe)[ >]/);
    expect(mail.html).toContain("prefers-color-scheme: dark");
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers.get("auto-submitted")).toBe("auto-generated");
    expect(headers.get("importance")).toBe("high");
  });

  test("contains the link with which its recipient responds", async () => {
    const mailbox = openMailbox();
    const alert = await raise();
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(2), soon);
    const mail = await parseReceivedMail(mailsTo(mailbox.mails, bo)[0]);
    const [link = ""] = linksIn(mail.text ?? "");
    expect(linksIn(mail.html ?? "")).toEqual([link]);
    expect((await open(link)).text).toContain("You respond as Bo Mate.");
    expect((await press(link, "acknowledge")).status).toBe(200);
    const { body } = await account.api("GET", `/alerts/${alert.id}`);
    expect(body.status).toBe("acknowledged");
  });

  test("is in a thread with only the others about the same alert to the same person", async () => {
    const mailbox = openMailbox();
    const alert = await raise();
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(2), soon);
    await account.api("POST", `/alerts/${alert.id}/acknowledge`);
    await raise({ title: "Another" });
    // Of these two alone: the answer in the test before is told to its people meanwhile.
    await vi.waitFor(() => {
      const counts = [ada, bo].map((person) => [
        mailsTo(mailbox.mails, person).length,
        mailsTo(mailbox.notices, person).length,
      ]);
      expect(counts).toEqual([
        [2, 1],
        [2, 1],
      ]);
    }, soon);
    const threads = [
      mailsTo(mailbox.mails, ada),
      mailsTo(mailbox.notices, ada),
      mailsTo(mailbox.mails, bo),
    ]
      .flat()
      .map(async (mail) => {
        const { inReplyTo, references, subject } = await parseReceivedMail(mail);
        expect(references).toBe(inReplyTo);
        return [mail.to, subject, inReplyTo] as const;
      });
    const found = await Promise.all(threads);
    const threadOf = (to: string, word: string) =>
      found
        .filter(([recipient, subject]) => recipient === to && subject?.includes(word))
        .map(([, , it]) => it);
    const own = threadOf(ada.email, "Disk");
    expect(own.length).toBe(2);
    expect(new Set(own).size).toBe(1);
    expect(own[0]).toMatch(/^<alt_[\w-]{14}\.acu_[\w-]{14}@example\.com>$/);
    const others = [...threadOf(ada.email, "Another"), ...threadOf(bo.email, "Disk")];
    expect(others.filter((it) => own.includes(it))).toEqual([]);
    for (const { headers } of mailbox.mails) expect(headers["Message-ID"]).toBeUndefined();
  });

  test("has a subject of one line, with a long title truncated", async () => {
    const mailbox = openMailbox();
    await raise({ title: `First\r\nBcc: eve@example.com ${"🔥".repeat(400)}` });
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(2), soon);
    const [sent] = mailbox.mails as [Mail];
    expect(sent.subject).toMatch(/^\[CRITICAL\] First Bcc: eve@example\.com (🔥)+…$/u);
    expect(sent.subject.length).toBeLessThan(220);
    const mail = await parseReceivedMail(sent);
    expect(mail.bcc).toBeUndefined();
    expect(mail.subject?.isWellFormed()).toBe(true);
  });

  test("contains no link if the deployment has no link secret", async () => {
    const mailbox = openMailbox();
    vi.spyOn(env, "LINK_SECRET", "get").mockReturnValue(undefined);
    await raise();
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(2), soon);
    expect(mailbox.mails[0]?.html).not.toContain("href");
    expect(mailbox.mails[0]?.text).toContain(TITLE);
  });
});

describe("an e-mail through Resend", () => {
  const requestsTo = (resend: ReturnType<typeof openResend>, { email }: Person) =>
    resend.requests.filter(({ mail }) => mail.to[0] === email);

  test("is sent with an idempotency key, its own Message-ID and its content", async () => {
    const resend = openResend();
    const alert = await raise({
      destination_team_ids: [],
      destination_account_user_ids: [ada.accountUserId],
    });
    await vi.waitFor(() => expect(resend.mails.length).toBe(1), soon);
    const [{ key, mail } = { key: "", mail: null }] = resend.requests;
    expect(mail?.from).toBe("Tocsin <tocsin@example.com>");
    const parsed = await parseReceivedMail({ ...(mail as any), to: ada.email });
    expect(parsed.subject).toContain(TITLE);
    await vi.waitFor(async () => {
      const [row] = await notificationsOf(alert.id, ada);
      expect([row.status, row.provider_id]).toEqual(["sent", "re-0"]);
      expect(key.startsWith(`${row.id}/`)).toBe(true);
      expect(parsed.messageId).toBe(`<${row.id}@example.com>`);
    }, soon);
  });

  test("arrives once although the reply was lost", async () => {
    const resend = openResend();
    resend.answers.push("taken but lost");
    const alert = await raise({
      destination_team_ids: [],
      destination_account_user_ids: [ada.accountUserId],
    });
    await vi.waitFor(() => expect(resend.requests.length).toBe(1), soon);
    await vi.waitFor(async () => {
      await endLeases();
      await runDueOutbox(alertStub(alert.prefix_id));
      const [row] = await notificationsOf(alert.id, ada);
      expect(row.status).toBe("sent");
    }, soon);
    expect(resend.requests.length).toBeGreaterThan(1);
    expect(new Set(resend.requests.map(({ key }) => key)).size).toBe(1);
    expect(resend.mails.length).toBe(1);
  });

  test("waits for the time in Retry-After if it is rate limited", async () => {
    const resend = openResend();
    resend.answers.push(resendRefusal(429, "rate_limit_exceeded", { "retry-after": "120" }));
    const before = Date.now();
    const alert = await raise({
      destination_team_ids: [],
      destination_account_user_ids: [ada.accountUserId],
    });
    await vi.waitFor(async () => {
      const row = await env.DB.prepare(
        "select status, reason, claimed_until from notifications where alert_id = ?",
      )
        .bind(alert.id)
        .first<{ status: string; reason: string; claimed_until: number }>();
      expect([row?.status, row?.reason]).toEqual(["queued", "Resend: rate_limit_exceeded"]);
      expect(row?.claimed_until).toBeGreaterThanOrEqual(before + 120_000);
    }, soon);
    expect(requestsTo(resend, ada).length).toBe(1);
  });

  test.each([
    ["an invalid address", 422, "validation_error"],
    ["an invalid API key", 403, "invalid_api_key"],
    ["an exceeded quota", 429, "daily_quota_exceeded"],
    ["a redirect", 302, ""],
  ])("is not retried after %s, and the notification has the reason", async (_, status, name) => {
    const resend = openResend();
    resend.answers.push(resendRefusal(status, name));
    const alert = await raise({
      destination_team_ids: [],
      destination_account_user_ids: [ada.accountUserId],
    });
    await vi.waitFor(async () => {
      const [row] = await notificationsOf(alert.id, ada);
      expect([row.status, row.reason]).toEqual(["failed", `Resend: ${name || status}`]);
    }, soon);
    expect(resend.requests.length).toBe(1);
  });

  test.each([
    ["a server error", resendRefusal(503, "application_error")],
    ["a network error", "lost" as const],
    [
      "a concurrent request with the same key",
      resendRefusal(409, "concurrent_idempotent_requests"),
    ],
  ])("is retried after %s", async (_, answer) => {
    const resend = openResend();
    resend.answers.push(answer);
    const alert = await raise({
      destination_team_ids: [],
      destination_account_user_ids: [ada.accountUserId],
    });
    const rowWhen = (isAsExpected: (row: any) => void) =>
      vi.waitFor(async () => {
        const [row] = await notificationsOf(alert.id, ada);
        isAsExpected(row);
        return row;
      }, soon);
    await rowWhen(({ status, reason }) =>
      expect([status, reason]).toEqual(["queued", expect.any(String)]),
    );
    await endPauses();
    await runDueOutbox(alertStub(alert.prefix_id));
    const { id } = await rowWhen(({ status }) => expect(status).toBe("sent"));
    // The end of pauses also sends what other tests left waiting.
    const ofAlert = resend.requests.filter(({ key }) => key.startsWith(`${id}/`));
    expect(ofAlert.length).toBeGreaterThan(1);
    expect(resend.mails.filter(({ headers }) => headers["Message-ID"]?.includes(id))).toHaveLength(
      1,
    );
  });
});
