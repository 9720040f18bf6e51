// Messages as real senders write them: subjects and texts have no replacement characters and no remains of folding,
// and two names never become one.
import { describe, expect, test, vi } from "vitest";
import { readMessage } from "../../../src/features/integrations/receive/read-message.ts";
import { encode } from "../../support/integrations/encoders.ts";

/** A message whose characters are written in one charset. */
const read = (lines: readonly string[], charset = "utf-8") =>
  readMessage(encode(lines.join("\r\n"), charset));

const plain = (subject: string, type = "Content-Type: text/plain; charset=utf-8") => [
  ...["From: cron@db1.example.org", `Subject: ${subject}`, "Message-ID: <a@db1>", type],
  ...["", "No space left"],
];

const subjectOf = async (lines: readonly string[], charset?: string) =>
  (await read(lines, charset)).headers.get("subject");

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

describe("a subject", () => {
  const text = "Festplatte voll – Kühlung über Soll";
  const bytes = encode(text, "utf-8");
  const latin = encode("Kühlung", "iso-8859-1");

  test("is whole wherever two encoded words split it, with padding or without", async () => {
    for (let at = 1; at < bytes.length; at += 1) {
      const words = [bytes.slice(0, at), bytes.slice(at)].map((it) => `=?UTF-8?B?${base64(it)}?=`);
      expect(await subjectOf(plain(words.join("\r\n ")))).toBe(text);
    }
  });

  test("may mix words and charsets", async () => {
    const word = `=?iso-8859-1?B?${base64(latin)}?=`;
    expect(await subjectOf(plain(`Re: ${word} =?utf-8?Q?_=E2=80=93_db1?= (5 %)`))).toBe(
      "Re: Kühlung – db1 (5 %)",
    );
  });

  test.each([
    ["a word whose charset is wrong", "=?utf-8?Q?K=FChlung?=", "Kühlung"],
    ["a word of an unknown charset", `=?x-unknown?B?${base64(latin)}?=`, "Kühlung"],
    ["no encoded word", "=?utf-8?Q?half", "=?utf-8?Q?half"],
    ["a fold by a tab", "Disk full\r\n\ton db1", "Disk full on db1"],
    [
      "a fold within words",
      "=?utf-8?Q?Disk?=\r\n =?utf-8?Q?_full?= on\r\n db1",
      "Disk full on db1",
    ],
  ])("with %s is read", async (_with, subject, expected) => {
    expect(await subjectOf(plain(subject))).toBe(expected);
  });

  test.each([
    ["iso-8859-1", "text/plain; charset=iso-8859-1", "Kühlung A", "Kählung A"],
    ["windows-1252", "text/plain", "Kühlung A", "Kählung A"],
    ["windows-1251", "text/plain; charset=windows-1251", "Диск", "Сеть"],
    ["shift_jis", "text/plain; charset=Shift_JIS", "電源", "電池"],
    ["windows-1252", "multipart/mixed; boundary=b", "Kühlung A", "Kählung A"],
  ])("in raw %s with the type %s is read", async (charset, type, ...names) => {
    for (const name of names) {
      expect(await subjectOf(plain(name, `Content-Type: ${type}`), charset)).toBe(name);
    }
  });
});

describe("a text", () => {
  const textOf = async (lines: readonly string[], charset?: string) =>
    (await read(lines, charset)).email.text?.trim();

  test("in windows-1252 is read without and with a wrong charset", async () => {
    for (const type of ["X-None: 1", "Content-Type: text/plain; charset=utf-8"]) {
      const lines = [...plain("x", type).slice(0, -1), "Kühlung – 5 €"];
      expect(await textOf(lines, "windows-1252")).toBe("Kühlung – 5 €");
    }
  });

  test("that was cut within a character keeps its other characters", async () => {
    const bytes = encode([...plain("x").slice(0, -1), "Kühlung ü"].join("\r\n"), "utf-8");
    const { email } = await readMessage(bytes.slice(0, -1));
    expect(email.text?.trim()).toBe("Kühlung Ã");
  });

  test.each(["", '; charset="utf-8"'])(
    "of a multipart without its boundary (%j) is found by the first delimiter",
    async (more) => {
      const lines = [
        ...plain("x", `Content-Type: multipart/alternative${more}`).slice(0, -1),
        ...["This is a message in parts.", "--=_part 1".replace(" ", "_")],
        ...["Content-Type: text/plain; charset=utf-8", "", "Kühlung aus", "--=_part_1"],
        ...["Content-Type: text/html", "", "<p>Kühlung aus</p>", "--=_part_1--", ""],
      ];
      expect(await textOf(lines)).toBe("Kühlung aus");
    },
  );

  test("of a multipart without its boundary and charset is found and read", async () => {
    const lines = [
      ...plain("x", "Content-Type: multipart/mixed").slice(0, -1),
      ...["--b", "Content-Type: text/plain", "", "Kühlung aus", "--b--", ""],
    ];
    expect(await textOf(lines, "windows-1252")).toBe("Kühlung aus");
  });

  test("of a multipart without boundary and delimiters is the body", async () => {
    expect(await textOf(plain("x", "Content-Type: multipart/mixed"))).toBe("No space left");
  });
});

test("the first of two header fields counts", async () => {
  const { headers } = await read(["Subject: one", "Subject: two", "", ""]);
  expect(headers.get("subject")).toBe("one");
});

describe("a message that the parser refuses", () => {
  /** Parts within parts, the innermost with a text. */
  const nested = (levels: number, ...inner: readonly string[]): string[] => {
    const lines = [
      ...plain("Kühlung aus", "Content-Type: multipart/mixed; boundary=b0").slice(0, -2),
    ];
    for (let i = 0; i < levels; i += 1) {
      lines.push("", `--b${i}`, `Content-Type: multipart/mixed; boundary=b${i + 1}`);
    }
    return [...lines, "", `--b${levels}`, ...inner, `--b${levels}--`, ""];
  };
  const longField = `X-Long: ${"x".repeat(900)}`;
  const longHeaders = (type: string) => {
    const [from = "", subject = "", id = ""] = plain("Kühlung aus");
    return [from, subject, id, type, ...Array.from({ length: 2_400 }, () => longField), ""];
  };
  const utf8 = "Content-Type: text/plain; charset=utf-8";
  const coded = base64(encode("Kühlung über Soll", "utf-8"));

  test.each([
    ["levels", nested(300, utf8, "", "Kühlung über Soll")],
    ["levels, coded", nested(300, "Content-Transfer-Encoding: base64", utf8, "", coded)],
    ["headers", [...longHeaders(utf8), "Kühlung über Soll"]],
    ["headers, no type", [...longHeaders("X-None: 1"), "Kühlung über Soll"]],
  ])("for its %s keeps subject, sender and first text", async (_for, lines) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { email, headers } = await read(lines);
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
    expect(headers.get("subject")).toBe("Kühlung aus");
    expect(email.from?.address).toBe("cron@db1.example.org");
    expect(email.text?.trim()).toBe("Kühlung über Soll");
    expect(email.attachments).toEqual([]);
  });

  test("without any text has none", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { email } = await read(nested(300, "Content-Type: image/png"));
    log.mockRestore();
    expect(email.text?.trim() ?? "").not.toContain("image");
  });
});

test("a message of some megabytes is not read twice to repair it", async () => {
  const lines = [...plain("x").slice(0, -1), `Kühlung ${"x".repeat(4_200_000)}`];
  expect((await read(lines, "windows-1252")).email.text).toMatch(/^K\ufffdhlung x/);
});
