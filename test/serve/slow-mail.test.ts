// An SMTP server that takes its time: a mail that the worker was told to send again later is never delivered after all.
import { Request } from "miniflare";
import { expect, test } from "vitest";
import { BUSY, type SmtpFailure, type SmtpMail } from "../../src/products/mail/smtp.ts";
import { createMailSender } from "../../src/setup/serve/outgoing-mail.ts";
import { openMailbox } from "../support/serve/mailbox.ts";

const SLOW_MS = 1_600;
const MAILS = 40;

test("a mail without a free connection is refused, and never sent", async () => {
  const mailbox = await openMailbox();
  mailbox.delayMs = SLOW_MS;
  const send = createMailSender(mailbox.url);
  const addresses = Array.from({ length: MAILS }, (_, n) => `person-${n}@acme.com`);
  const answers = await Promise.all(
    addresses.map(async (to) => {
      const mail: SmtpMail = {
        ...{ to, subject: "Disk full", text: "Disk full", html: "<p>Disk full</p>", headers: {} },
        ...{ from: { name: "Tocsin", address: "pager@acme.com" }, messageId: `<${to}>` },
      };
      const body = JSON.stringify(mail);
      const response = await send(new Request("https://smtp.invalid/", { method: "POST", body }));
      return (await response.json()) as SmtpFailure;
    }),
  );
  const refused = answers.filter((it) => it !== null);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.map(({ code }) => code)).toEqual(refused.map(() => BUSY));
  const accepted = addresses.filter((_, at) => answers[at] === null);
  expect(accepted.length).toBeGreaterThan(0);
  expect(mailbox.letters.map(({ to }) => to).sort()).toEqual(accepted.toSorted());

  // Nothing of what was refused stands before the next one.
  mailbox.delayMs = 0;
  const next = { to: "ada@acme.com", subject: "Next", text: "", html: "", headers: {} };
  const body = JSON.stringify({ ...next, from: "pager@acme.com", messageId: "<next@acme.com>" });
  const response = await send(new Request("https://smtp.invalid/", { method: "POST", body }));
  expect(await response.json()).toBeNull();
  expect(mailbox.letters.map(({ to }) => to).sort()).toEqual([...accepted, next.to].sort());
  await mailbox.close();
});
