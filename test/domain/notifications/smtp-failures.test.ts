// What the failures of an SMTP server mean for a mail.
import { expect, test } from "vitest";
import { readFailure } from "../../../src/products/mail/smtp.ts";

const failure = (reply: string, command = "DATA", code = "EENVELOPE") => ({ code, command, reply });

test.each([
  ["no connection", failure("", "CONN", "ESOCKET"), { kind: "temporary" }],
  ["no free connection", failure("", "", "EBUSY"), { reason: "the SMTP server is too slow" }],
  ["a greylisted recipient", failure("450 4.2.0", "RCPT TO"), { kind: "temporary" }],
  ["a full queue", failure("452"), { kind: "temporary" }],
  [
    "wrong credentials",
    failure("535 5.7.8", "AUTH PLAIN", "EAUTH"),
    { kind: "permanent", areCredentialsRefused: true },
  ],
  ["no mailbox", failure("550 5.1.1", "RCPT TO"), { kind: "permanent", isRecipientAtFault: true }],
  ["no mailbox, in old words", failure("550", "RCPT TO"), { isRecipientAtFault: true }],
  ["a message that is refused", failure("554 5.6.0"), { kind: "permanent" }],
  ["nothing that is known", null, { kind: "temporary" }],
])("%s", (_, answered, expected) => {
  expect(readFailure(answered)).toMatchObject(expected);
});

test("a server that does not relay is at fault, not the recipient", () => {
  expect(readFailure(failure("550 5.7.1", "RCPT TO"))).toEqual({
    kind: "permanent",
    reason: "the SMTP server answered 550",
  });
});
