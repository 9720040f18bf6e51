// E-mail to an integration's address: each conversation is one alert, attachments are listed by name, automatic replies
// are ignored, and a mail cannot be posted over HTTP.
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import worker from "../../../src/index.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let integration: { url: string; intake_key: string };
beforeEach(async () => {
  account = await makeAccount();
  const { body } = await account.api("POST", "/integrations", {
    name: "Mail",
    urgency: "high",
    integration_type_id: "email",
    option_token: "never asked of mail",
    account_user_ids: [account.accountUserId],
  });
  integration = body;
});

/** Delivers a message as Cloudflare Email Routing does; returns the reason for a rejection, or null. */
async function deliver(
  lines: readonly string[] | Uint8Array,
  to = `${integration.intake_key}@in.example.org`,
) {
  const raw = lines instanceof Uint8Array ? lines : new TextEncoder().encode(lines.join("\r\n"));
  let rejected: string | null = null;
  const message = {
    from: "cron@db1.example.org",
    to,
    raw: new Response(raw).body as ReadableStream<Uint8Array>,
    rawSize: raw.byteLength,
    headers: new Headers(),
    setReject: (reason: string) => {
      rejected = reason;
    },
    forward: () => Promise.reject(new Error("not forwarded")),
    reply: () => Promise.reject(new Error("not answered")),
  };
  await worker.email(message as unknown as ForwardableEmailMessage, env);
  return rejected;
}

const head = (subject: string, id: string, more: readonly string[] = []) => [
  "From: Cron <cron@db1.example.org>",
  "To: alerts@example.org",
  `Subject: ${subject}`,
  `Message-ID: <${id}@db1.example.org>`,
  ...more,
];
const plain = (subject: string, id: string, more: readonly string[] = []) => [
  ...head(subject, id, more),
  "Content-Type: text/plain; charset=utf-8",
  "",
  "No space left on /var",
];
const alerts = async () => (await account.api("GET", "/alerts")).body.data;

test("a message opens an alert, and replies to it are counted on that alert", async () => {
  expect(await deliver(plain("Disk full on db1", "a"))).toBeNull();
  const replyHeaders = ["In-Reply-To: <a@db1.example.org>", "References: <a@db1.example.org>"];
  expect(await deliver(plain("Re: Disk full on db1", "b", replyHeaders))).toBeNull();
  await deliver(plain("Re: Disk full on db1", "c", ["References: <a@db1.example.org> <b@x>"]));
  const expected = {
    title: "Disk full on db1",
    description: "No space left on /var",
    dedup_count: 2,
  };
  await vi.waitFor(async () => expect(await alerts()).toMatchObject([expected]), soon);
});

test("HTML is converted to text, and attachments are listed by name", async () => {
  await deliver([
    ...head("Report", "r"),
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/html; charset=utf-8",
    "",
    "<html><style>p { color: red }</style><p>Backup &amp; restore <b>failed</b></p></html>",
    "--b",
    'Content-Type: text/csv; name="report.csv"',
    'Content-Disposition: attachment; filename="report.csv"',
    "",
    "a,b",
    "--b--",
  ]);
  await vi.waitFor(async () => {
    const [alert] = await alerts();
    expect(alert).toMatchObject({ title: "Report", description: "Backup & restore failed" });
    expect(alert.additional_data).toContainEqual({
      format: "text",
      label: "attachment",
      value: expect.stringMatching(/^report\.csv \(text\/csv, \d+ bytes\)$/),
    });
  }, soon);
});

test.each(["Auto-Submitted: auto-replied", "Precedence: auto_reply"])(
  "%s is ignored",
  async (line) => {
    expect(await deliver(plain("Out of office", "o", [line]))).toBeNull();
    await vi.waitFor(async () => {
      expect((await account.api("GET", "/logs")).text).toContain("Ignored: ");
    }, soon);
    expect(await alerts()).toEqual([]);
  },
);

test.each(['auto-notified; owner-email="ann@example.org"', "auto-generated", "no"])(
  "Auto-Submitted: %s is a notification",
  async (submitted) => {
    await deliver(plain("Disk full", "n", [`Auto-Submitted: ${submitted}`]));
    await vi.waitFor(
      async () => expect(await alerts()).toMatchObject([{ title: "Disk full" }]),
      soon,
    );
  },
);

test("raw characters of a header are in the body's charset, and folds leave no tab", async () => {
  const raw = Buffer.from(
    [
      ...head("K\xfchlung\r\n\tA", "l", ["Content-Type: text/plain; charset=iso-8859-1"]),
      ...["", "\xfcber Soll"],
    ].join("\r\n"),
    "latin1",
  );
  await deliver(raw);
  const expected = [{ title: "Kühlung A", description: "über Soll" }];
  await vi.waitFor(async () => expect(await alerts()).toMatchObject(expected), soon);
});

test("a message that the parser refuses opens an alert with its subject and first text", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const levels = Array.from({ length: 300 }, (_, i) => [
    ...["", `--b${i}`, `Content-Type: multipart/mixed; boundary=b${i + 1}`],
  ]);
  const lines = [
    ...head("Disk full", "n", ["Content-Type: multipart/mixed; boundary=b0"]),
    ...[...levels.flat(), "", "--b300", "Content-Type: text/plain", "", "No space left", ""],
  ];
  expect(await deliver(lines)).toBeNull();
  const expected = [{ title: "Disk full", description: "No space left" }];
  await vi.waitFor(async () => expect(await alerts()).toMatchObject(expected), soon);
  vi.restoreAllMocks();
});

test("an unknown address is rejected, and a mail cannot be posted over HTTP", async () => {
  for (const key of ["0".repeat(32), "alerts", `${integration.intake_key.slice(0, 31)}`]) {
    expect(await deliver(plain("x", "x"), `${key}@in.example.org`)).toBe("No such address");
  }
  const path = `${new URL(integration.url).pathname}?token=never+asked+of+mail`;
  expect((await call("POST", path, { body: { subject: "x" } })).status).toBe(422);
});
