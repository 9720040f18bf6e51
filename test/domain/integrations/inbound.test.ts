import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseInbound } from "../../../src/products/reading/inbound.ts";
import { sized } from "../../support/generated/sizes.ts";

const FORM = "application/x-www-form-urlencoded";
const encoder = new TextEncoder();

function read(body: string | Uint8Array, type: string | null = null, query = "") {
  const headers = new Headers(type === null ? {} : { "Content-Type": type, "X-Sender": "A" });
  const url = new URL(`https://tocsin.example.org/integration/int_x${query}`);
  return parseInbound("post", url, headers, typeof body === "string" ? encoder.encode(body) : body);
}

const bodies: [string, string | null, string, unknown][] = [
  ["JSON", "application/json", '{"a":[1]}', { a: [1] }],
  ["JSON without a content type", null, '{"a":1}', { a: 1 }],
  ["JSON with a text content type", "text/plain; charset=UTF-8", ' \n{"a":1}', { a: 1 }],
  ["JSON with a form content type, as curl -d sends it", FORM, '{"a":1}', { a: 1 }],
  ["JSON after a byte order mark", "application/json", '\ufeff{"a":1}', { a: 1 }],
  ["JSON with a vendor's content type", "application/vnd.x+json", '"text"', "text"],
  ["a list", "application/json", "[1,2]", [1, 2]],
  ["a form", `${FORM};charset=utf-8`, "a=1&b[]=2&c[d]=3", { a: "1", b: ["2"], c: { d: "3" } }],
  [
    "a multipart form, without its files",
    'multipart/form-data; boundary="a b"',
    '--a b\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"x":1}\r\n' +
      '--a b\r\nContent-Disposition: form-data; name="k[]"\r\nContent-Type: text/plain\r\n\r\n1\r\n2\r\n' +
      '--a b\r\nContent-Disposition: form-data; name="f"; filename="x.txt"\r\n\r\nfile\r\n--a b--\r\n',
    { data: '{"x":1}', k: ["1\r\n2"] },
  ],
  ["a multipart form without a boundary", "multipart/form-data", "--x\r\n\r\n1\r\n--x--", null],
  ["broken JSON", "application/json", '{"a":', null],
  ["plain text", "text/plain", "3 disks full", null],
  ["a number as text", "text/plain", "3", null],
  ["an empty body", "application/json", "", null],
  ["whitespace", FORM, " \n", null],
  ["JSON null", "application/json", "null", null],
  [
    "integers of any size",
    null,
    '{"a":12345678901234567890,"b":[-12345678901234567890,7]}',
    {
      a: "12345678901234567890",
      b: ["-12345678901234567890", 7],
    },
  ],
  [
    "numbers that are not integers, and digits in a string",
    null,
    '{"a":1234567890.5,"b":"1234567890123456","c":1e30}',
    {
      a: 1234567890.5,
      b: "1234567890123456",
      c: 1e30,
    },
  ],
];

describe("the body", () => {
  test.each(bodies)("is parsed: %s", (_name, type, text, body) => {
    expect(read(text, type).body).toEqual(body);
  });

  test("is also returned as text, with invalid UTF-8 read as windows-1252", () => {
    const bytes = new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);
    expect(read(bytes)).toMatchObject({ body: { a: "ÿ" }, text: '{"a":"ÿ"}' });
  });

  test("is null if it is nested too deeply, and the text is returned", () => {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(read(deep(60)).body).not.toBeNull();
    expect(read(deep(70))).toMatchObject({ body: null, text: deep(70) });
    expect(read(deep(400_000)).body).toBeNull();
    expect(read(deep(70).replace("[]", "[12345678901234567890]")).body).toBeNull();
  });

  test("is null for a form with too many or too deeply nested fields", () => {
    expect(read("a=1&".repeat(2_000), FORM).body).not.toBeNull();
    expect(read("a=1&".repeat(200_000), FORM).body).toBeNull();
    expect(read(`a${"[b]".repeat(300_000)}=1`, FORM).body).toBeNull();
  });

  test("does not pollute the prototype of objects", () => {
    const names = ["__proto__", "a[__proto__][polluted]", "constructor[prototype][polluted]"];
    read(names.map((name) => `${name}=1`).join("&"), FORM);
    read('{"__proto__":{"polluted":1}}');
    expect("polluted" in {}).toBe(false);
  });
});

describe("the rest of the request", () => {
  test("has the path and query, the method and lowercase headers", () => {
    expect(read("", "text/plain", "?a=1&a=2&b=x%20y")).toEqual({
      method: "POST",
      url: "/integration/int_x?a=1&a=2&b=x%20y",
      headers: { "content-type": "text/plain", "x-sender": "A" },
      query: { a: ["1", "2"], b: "x y" },
      body: null,
      text: "",
    });
  });

  test("is parsed without throwing for any body, content type and query", () => {
    const types = fc.constantFrom(
      null,
      FORM,
      "application/json",
      "text/plain",
      ";;",
      "multipart/x",
    );
    const inputs = fc.oneof(fc.uint8Array(), fc.json(), fc.webQueryParameters());
    fc.assert(
      fc.property(inputs, types, fc.webQueryParameters(), (body, type, query) => {
        expect(read(body, type, `?${query}`).method).toBe("POST");
      }),
      { numRuns: sized(500, 10_000) },
    );
  });
});
