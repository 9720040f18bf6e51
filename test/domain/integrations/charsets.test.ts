// Text is decoded by the declared charset, else as UTF-8, else as windows-1252: every type reads the same events,
// whatever charset its sender writes, and different names give different identifiers.
import { describe, expect, test } from "vitest";
import type { InboundEvent } from "../../../src/products/integration-type.ts";
import { decodeAs, decodeForm } from "../../../src/products/reading/decode-text.ts";
import { parseInbound } from "../../../src/products/reading/inbound.ts";
import { integrationTypeNamed } from "../../../src/products/registry.ts";
import { isFull, selectSome } from "../../support/generated/sizes.ts";
import { encode } from "../../support/integrations/encoders.ts";
import { typesWithFixtures, variants } from "../../support/integrations/sender-fixtures.ts";

/** A charset, how it is declared (null = it is not), and two names that it can write. */
const CHARSETS = [
  ["windows-1251", "windows-1251", "Диск", "Сеть"],
  ["iso-8859-1", "ISO-8859-1", "Kühlung", "Kählung"],
  ["shift_jis", '"Shift_JIS"', "電源", "電池"],
  ["utf-16le", "utf-16", "Диск 電源", "Диск 電池"],
  ["windows-1252", null, "Kühlung – 5 €", "Kählung – 5 €"],
  ["windows-1252", "utf-8", "Kühlung – 5 €", "Kählung – 5 €"],
  ["utf-8", null, "Диск 電源", "Диск 電池"],
  ["utf-8", "unknown-charset", "Диск 電源", "Диск 電池"],
] as const;

const URL_OF_INTEGRATION = new URL("https://tocsin.example.org/integration/int_AAAAAAAAAAAAAA");
const FORM = "application/x-www-form-urlencoded";

/** Appends a name to a text, for each of a body's texts. */
const append = (name: string) => (scalar: unknown) =>
  typeof scalar === "string" ? `${scalar} ${name}` : scalar;

/** Percent-encodes every byte: how a browser of that charset writes a form. */
const percentEncoded = (text: string, charset: string) =>
  [...encode(text, charset)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

function bodyOf(fields: unknown, isForm: boolean, charset: string): Uint8Array {
  if (!isForm) return encode(JSON.stringify(fields), charset);
  const part = (text: string) => percentEncoded(text, charset === "utf-16le" ? "utf-8" : charset);
  const fieldPairs = Object.entries(fields as Record<string, string>);
  const text = fieldPairs.map(([key, value]) => `${part(key)}=${part(value)}`).join("&");
  return encode(text, charset);
}

const idsOf = (events: readonly InboundEvent[]) =>
  events.map((event) => ("thirdpartyId" in event ? event.thirdpartyId : null));

const posted = typesWithFixtures.filter(([, , { requests }]) => (requests.fire.body ?? "") !== "");

describe.each(posted)("%s", (_name, type, { options = {}, requests }) => {
  const { body, headers = {}, method } = requests.fire;
  const isForm = typeof body === "string" && !body.trimStart().startsWith("{");
  const sent: unknown =
    typeof body !== "string"
      ? body
      : isForm
        ? Object.fromEntries(new URLSearchParams(body))
        : JSON.parse(body);
  const mediaType = isForm ? FORM : (headers["content-type"]?.split(";")[0] ?? "application/json");
  const read = (fields: unknown, charset: string, declared: string | null) => {
    const contentType = declared === null ? mediaType : `${mediaType}; charset=${declared}`;
    const request = parseInbound(
      method ?? "POST",
      URL_OF_INTEGRATION,
      new Headers({ ...headers, "content-type": contentType }),
      bodyOf(fields, isForm, charset),
    );
    return type.translate(request, options);
  };
  const charsets = isFull ? CHARSETS : selectSome(CHARSETS, 4, 0);

  test.each(charsets)("reads %s, declared as %s", (charset, declared, one, other) => {
    const pairs = [...variants(sent, append(one))].map((it, i) => [
      it,
      [...variants(sent, append(other))][i],
    ]);
    for (const [first, second] of selectSome(pairs, 12, 0)) {
      const expected = read(first, "utf-8", "utf-8");
      expect(read(first, charset, declared)).toEqual(expected);
      const expectedOther = read(second, "utf-8", "utf-8");
      expect(read(second, charset, declared)).toEqual(expectedOther);
      const ids = idsOf(read(first, charset, declared));
      expect(JSON.stringify(ids)).not.toContain("\ufffd");
      const differ = JSON.stringify(idsOf(expected)) !== JSON.stringify(idsOf(expectedOther));
      const others = idsOf(read(second, charset, declared));
      expect(JSON.stringify(ids) !== JSON.stringify(others)).toBe(differ);
    }
  });
});

/** The event of a webhook's form or JSON as these bytes. */
function webhookId(bytes: Uint8Array, contentType: string, url = URL_OF_INTEGRATION) {
  const request = parseInbound("POST", url, new Headers({ "content-type": contentType }), bytes);
  return idsOf(integrationTypeNamed("webhook")?.translate(request, {}) ?? [])[0];
}

describe("an identifier", () => {
  test.each([
    ["raw bytes in a form", encode("event_type=create&Title=x&Id=Kühlung", "windows-1252"), FORM],
    [
      "a text beside it that was cut within a character",
      Uint8Array.from(
        [...encode('{"event_type":"create","Id":"Kühlung","Title":"x', "utf-8")]
          .concat([0xc3])
          .concat([...encode('"}', "utf-8")]),
      ),
      "application/json; charset=utf-8",
    ],
    [
      "a part of a multipart form with a charset of its own",
      encode(
        [
          ...["--b", 'Content-Disposition: form-data; name="event_type"', "", "create"],
          ...["--b", 'Content-Disposition: form-data; name="Title"', "", "x"],
          ...["--b", 'Content-Disposition: form-data; name="Id"'],
          ...["Content-Type: text/plain; charset=iso-8859-1", "", "Kühlung", "--b--", ""],
        ].join("\r\n"),
        "iso-8859-1",
      ),
      "multipart/form-data; boundary=b",
    ],
    [
      "UTF-8 with a byte order mark, declared otherwise",
      encode('\ufeff{"event_type":"create","Id":"Kühlung","Title":"x"}', "utf-8"),
      "application/json; charset=windows-1251",
    ],
    [
      "UTF-16 with a byte order mark",
      Uint8Array.from([
        0xff,
        0xfe,
        ...encode('{"event_type":"create","Id":"Kühlung","Title":"x"}', "utf-16le"),
      ]),
      "application/json",
    ],
  ])("is read from %s", (_from, bytes, contentType) => {
    expect(webhookId(bytes, contentType)).toBe("Kühlung");
  });

  test("is read from a query in windows-1252", () => {
    const url = new URL(`${URL_OF_INTEGRATION}?event_type=create&Title=x&Id=K%FChlung`);
    expect(webhookId(new Uint8Array(), FORM, url)).toBe("Kühlung");
  });

  test("differs for characters that cannot be stored", () => {
    const idOf = (written: string) =>
      webhookId(
        encode(`{"event_type":"create","Title":"x","Id":"a${written}"}`, "utf-8"),
        "application/json",
      );
    const ids = ["\\ud800", "\\ud801", "\\udc00", "\\u0000", "\\ud83d\\ude00", "\\ufffd"].map(idOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, 4)).toEqual(["a\\ud800", "a\\ud801", "a\\udc00", "a\\u0000"]);
  });
});

test("every sequence of bytes has a text without replacement characters", () => {
  const rests = [[], [0x41], [0x80], [0xbf, 0x80], [0x80, 0x80, 0x41]];
  for (let byte = 0x80; byte < 256; byte += 1) {
    for (const rest of rests) {
      const text = decodeAs(Uint8Array.from([0x41, byte, ...rest]), null);
      expect(text).not.toContain("\ufffd");
      expect(text.startsWith("A")).toBe(true);
    }
  }
});

test("a form has the pairs that the platform reads", () => {
  for (const form of ["a=1&b", "&&a==1&=2", "a+b=c%20d&%=%zz&a%26=%3D", "ü=ä&x=%C3%BC"]) {
    const bytes = encode(form, "utf-8");
    expect([...decodeForm(bytes, null)]).toEqual([...new URLSearchParams(form)]);
  }
});
