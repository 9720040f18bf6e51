// What `npm start` shows of the worker's output.
import { expect, test } from "vitest";
import { WorkerOutput } from "../../../src/setup/processes/worker-output.ts";

const shown = (...parts: readonly string[]) => {
  const output = new WorkerOutput();
  return parts.flatMap((part) => output.read(part));
};

test("is without wrangler's report of bindings and of requests, unless one failed", () => {
  const text = [
    "Your Worker has access to the following bindings:",
    'env.EMAIL_FROM ("tocsin@example.com")      Environment Variable     local',
    "",
    "⎔ Starting local server...",
    "[wrangler:info] Ready on http://127.0.0.1:8787",
    "[wrangler:info] GET / 303 See Other (18ms)",
    "[wrangler:info] POST /api/v4/alerts 500 Internal Server Error (8ms)",
    "CODE 123456 confirms +14155550123",
  ];
  expect(shown(`${text.join("\n")}\n`)).toEqual([
    "POST /api/v4/alerts 500 Internal Server Error (8ms)",
    "CODE 123456 confirms +14155550123",
  ]);
});

test("has a logged object on one line, however its text arrives", () => {
  const change =
    "{\n  message: 'change',\n  verb: 'create',\n  kind: 'team',\n  fields: [\n    'id',\n    'name'\n  ]\n}\n";
  expect(shown(...change)).toEqual(["change: verb create, kind team"]);
  expect(shown("{\n  message: 'a page failed',\n  error: 'Error: x'\n}\n")).toEqual([
    "a page failed: error Error: x",
  ]);
  expect(shown("{\n  count: 1\n}\n")).toEqual(["{ count: 1 }"]);
});

test("has one line for a mail: to whom, its subject, and where its text is", () => {
  const mail = [
    "[wrangler:info] send_email binding called with MessageBuilder:",
    'From: "Tocsin" <tocsin@example.com>',
    "To: ada@example.com",
    "Subject: [HIGH] The lamp is out",
    "",
    "Text: /tmp/a.txt",
    "HTML: /tmp/a.html",
    "PAGE ada@example.com by email: sent",
  ];
  expect(shown(`${mail.join("\n")}\n`)).toEqual([
    'MAIL to ada@example.com "[HIGH] The lamp is out": /tmp/a.txt',
    "PAGE ada@example.com by email: sent",
  ]);
});
