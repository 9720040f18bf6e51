// SMS texts (GSM-7, limited segments) and replies (answers and their codes).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readReply } from "../../../src/domain/notifications/sms-reply.ts";
import {
  countSegments,
  smsLength,
  smsText,
  toGsm,
} from "../../../src/domain/notifications/sms-text.ts";
import { answerCode, findCoded } from "../../../src/features/people/channels/answer-code.ts";

describe("a text in GSM-7", () => {
  test.each([
    ["Disk full", "Disk full"],
    ["Größe über 90 % in Malmö", "Größe über 90 % in Malmö"],
    ["“Smart” – and… `code`", "\"Smart\" - and... 'code'"],
    ["a\u00a0b\u2028c\td\n\ne", "a b c d e"],
    ["Čeština, Łódź, ñandú, œuvre", "Cestina, Lodz, ñandu, oeuvre"],
    ["🔥 db-1 is down 🔥", "db-1 is down"],
    ["Сервер упал", "Server upal"],
    ["Ώρα Ελλάς", "Ωra Ellas"],
    ["ﬁne ①", "fine 1"],
    ["{x} ~ [y] €", "{x} ~ [y] €"],
    ["数据库 down", "??? down"],
    ["Voltage ±5 %, ≈ 80, ½, 2½", "Voltage +/-5 %, ~ 80, 1/2, 2 1/2"],
    ["10³ m² 10⁻⁶ CO₂", "10^3 m^2 10^-6 CO2"],
    ["5 µs, 7μs, 45 °C, 3 ‰, 4×10", "5 us, 7us, 45 degC, 3 /1000, 4x10"],
    ["a ≮ b, c ≯ d, e ≥ f, ∞", "a !< b, c !> d, e >= f, inf"],
    ["۹۰ ٪ and ９０％", "90 % and 90%"],
    ["₹500, ¢5, ₩1, ฿2", "INR500, c5, KRW1, ?2"],
    ["db ✅, web ❌, CPU ↑ 90", "db OK, web X, CPU up 90"],
    ["μνήμη", "mnimi"],
  ])("%s", (text, expected) => {
    expect(toGsm(text).text).toBe(expected);
    expect(smsLength(expected).isGsm).toBe(true);
  });

  test("has a sign for every sign of a value or currency, and for every digit its value", () => {
    const all = Array.from({ length: 0x20000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    for (const sign of all.filter((it) => /[\p{Sm}\p{Sc}\p{No}]/u.test(it))) {
      const { text } = toGsm(`7${sign}8`);
      expect(text.replace(/\s/g, ""), sign).not.toBe("78");
    }
    const digits = all.filter((it) => /\p{Nd}/u.test(it));
    expect(new Set(digits.map((it) => toGsm(it).text))).toEqual(new Set("0123456789"));
    for (const it of digits.filter((digit) => /\d/.test(digit.normalize("NFKC"))))
      expect(toGsm(it).text).toBe(it.normalize("NFKC"));
  });

  test("is measured in billed segments", () => {
    expect(countSegments("a".repeat(160))).toBe(1);
    expect(countSegments("a".repeat(161))).toBe(2);
    expect(countSegments("a".repeat(307))).toBe(3);
    expect(countSegments("€".repeat(80))).toBe(1);
    expect(countSegments("€".repeat(81))).toBe(2);
    expect(countSegments("数".repeat(70))).toBe(1);
    expect(countSegments("数".repeat(71))).toBe(2);
  });

  test("keeps the reply instructions, however long the rest is", () => {
    const text = smsText("HIGH: ", "a".repeat(5_000), "\nReply A 0042");
    expect(text).toMatch(/^HIGH: a{200,}\.\.\.\nReply A 0042$/);
    expect(countSegments(text)).toBe(2);
    expect(countSegments(`${text}x`)).toBe(3);
  });

  test("stays in its own script if GSM-7 would lose its content", () => {
    const text = smsText("HIGH: ", "数据库已满".repeat(60), " A 0042");
    expect(text).toContain("数据库已满");
    expect(text.endsWith("... A 0042")).toBe(true);
    expect(countSegments(text)).toBe(2);
    expect(smsText("", "数 database of the warehouse", "")).toBe("? database of the warehouse");
  });

  test("never has more than two segments", () => {
    const texts = fc.string({ unit: "binary", maxLength: 800 });
    fc.assert(
      fc.property(texts, (text) => {
        const sent = smsText("CRITICAL: ", text, "\nReply A 0042");
        expect(countSegments(sent)).toBeLessThanOrEqual(2);
        expect(sent.startsWith("CRITICAL: ")).toBe(true);
        expect(sent.endsWith("\nReply A 0042")).toBe(true);
      }),
    );
  });
});

describe("a reply", () => {
  const acknowledge = (...codes: string[]) => ({ kind: "answer", action: "acknowledge", codes });
  const reject = (...codes: string[]) => ({ kind: "answer", action: "reject", codes });
  const stop = { kind: "stop" };
  const start = { kind: "start" };
  const unknown = { kind: "unknown" };
  test.each([
    ["A", acknowledge()],
    [" a. ", acknowledge()],
    ["Ack", acknowledge()],
    ["A 0042", acknowledge("0042")],
    ["a0042", acknowledge("0042")],
    ["A:0042", acknowledge("0042")],
    ["A-0042", acknowledge("0042")],
    ["A–0042", acknowledge("0042")],
    ["(A) [0042]", acknowledge("0042")],
    ["“A 0042”", acknowledge("0042")],
    ["«A 0042»", acknowledge("0042")],
    ["‘A’ ‘0042’", acknowledge("0042")],
    ["A\u200b 00\u200b42", acknowledge("0042")],
    ["\u202aA 0042\u202c", acknowledge("0042")],
    ["\ufeffA\u00a00042", acknowledge("0042")],
    ["👍 A 0042", acknowledge("0042")],
    ["A 0042 👍🏽", acknowledge("0042")],
    ["A 0042 on it", acknowledge("0042")],
    ["A 0042 please", acknowledge("0042")],
    ["ACKNOWLEDGED 0042, thanks", acknowledge("0042")],
    ["A 0042\n--\nAda Keeper\nSent from my phone", acknowledge("0042")],
    ["Reply A 0042", acknowledge("0042")],
    ["reply: a 0042 to acknowledge", acknowledge("0042")],
    ["A 0042\n> HIGH: Disk full\n> Reply A 0042 to acknowledge", acknowledge("0042", "0042")],
    ["A 0042 call 5551234 or 1234", acknowledge("0042", "1234")],
    ["A 0001 0002 0003 0004 0005", acknowledge("0001", "0002", "0003")],
    ["0042 A", acknowledge("0042")],
    ["0042 A thanks", acknowledge("0042")],
    ["R", reject()],
    ["P 0042", reject("0042")],
    ["Pass on 0042", reject("0042")],
    ["reject #0042!", reject("0042")],
    ["Rejected 0042", reject("0042")],
    ["Ａ　００４２", acknowledge("0042")],
    ["A 42", acknowledge()],
    ["A dog", acknowledge()],
    ["0042 2", { kind: "option", code: "0042", option: 2 }],
    ["“0042” 2 👍", { kind: "option", code: "0042", option: 2 }],
    ["Stop", stop],
    ["STOP ALL", stop],
    ["STOP-ALL", stop],
    ["“stop”", stop],
    ["STOP ALL please", unknown],
    ["unsubscribe.", stop],
    ["start", start],
    ["Yes", start],
    ["All right", unknown],
    ["All right, 0042", unknown],
    ["I am on 0042", unknown],
    ["0042", unknown],
    ["0042 please", unknown],
    ["", unknown],
    ["🔥", unknown],
    ["on my way", unknown],
  ])("%j", (text, expected) => {
    expect(readReply(text)).toEqual(expected);
  });

  test("is the same with anything but letters and digits around its words", () => {
    const noise = fc
      .array(fc.constantFrom(..." .,:;!?\"'()[]«»“”–—#*>\n\t\u00a0\u200b\u200d\u202f\ufeff👍🔥"))
      .map((it) => it.join(""));
    const words = fc.tuple(
      fc.constantFrom("A", "ack", "P", "Pass", "R", "Reject"),
      noise,
      noise,
      noise,
    );
    fc.assert(
      fc.property(words, ([word, before, between, after]) => {
        const read = readReply(`${before}${word}${between}0042${after}`);
        const action = /^a/i.test(word) ? "acknowledge" : "reject";
        expect(read).toEqual({ kind: "answer", action, codes: ["0042"] });
      }),
    );
  });
});

describe("the code of a message", () => {
  const env = { LINK_SECRET: "secret" };
  const of = { accountUserId: "01KA4Z8Q2N7M3P5R9T1V6W8X0Y", id: "01KA4Z8Q2N7M4P5R9T1V6W8X0Y" };

  test("has four digits, of one notification to one person, and needs the secret", () => {
    expect(answerCode(env, of)).toMatch(/^\d{4}$/);
    expect(answerCode(env, of)).toBe(answerCode(env, { ...of }));
    const others = [
      answerCode(env, { ...of, id: of.accountUserId }),
      answerCode(env, { ...of, accountUserId: of.id }),
      answerCode({ LINK_SECRET: "other" }, of),
    ];
    expect(others).not.toContain(answerCode(env, of));
    expect(answerCode({ LINK_SECRET: "" }, of)).toBeNull();
  });

  test("finds the message of the first code that is one's", () => {
    const items = ["1", "2"].map((name) => ({
      ...{ name, accountUserId: of.accountUserId, notificationIds: [`${of.id}${name}`, name] },
    }));
    const code = answerCode(env, { ...of, id: "2" }) ?? "";
    const other = ["0000", "0001", "0002"].find((it) => findCoded(env, [it], items) === null) ?? "";
    expect(findCoded(env, [other, code], items)).toEqual({ code, matching: [items[1]] });
    expect(findCoded(env, [], items)).toBeNull();
  });
});
