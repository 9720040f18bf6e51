// What is compared between Node and the runtime, and what is not.
import { expect, test } from "vitest";
import { type Asked, noteAnswersIn, noteRequest } from "../../support/answers/answers.ts";
import { differencesOf, isOfHead, lastingDifferences } from "../../support/answers/compare.ts";

type Plain = { readonly status?: number; readonly headers?: Record<string, string> };

/** The notes of a test that asks for one path after another. */
function notesOf(...asked: readonly (readonly [request: string, text: string, plain?: Plain])[]) {
  const list: Asked[] = [];
  noteAnswersIn(list);
  for (const [request, text, { status = 200, headers = {} } = {}] of asked) {
    const [method = "", path = "", body] = request.split(" ");
    noteRequest({ method, path, body })({ status, headers: new Headers(headers), text });
  }
  noteAnswersIn(null);
  return new Map([["a test", list]]);
}

const requestsOf = (differences: ReturnType<typeof differencesOf>) =>
  differences.map(({ request }) => request);

test.each([
  ["a boolean", ['{"primary":true}'], ['{"primary":1}']],
  ["a header", ["{}", { headers: { "X-Content-Type-Options": "nosniff" } }], ["{}"]],
  ["a status", ["{}", { status: 422 }], ["{}"]],
  ["the order of rows", ['["one","two"]'], ['["two","one"]']],
] as const)("%s is compared", (_, one, other) => {
  const differences = differencesOf(notesOf(["GET /a", ...one]), notesOf(["GET /a", ...other]));
  expect(requestsOf(differences)).toEqual(["GET /a "]);
});

test.each([
  ["ids", '{"id":"01M8FDJAJ2RWXD1G0GFHFAYKTX"}', '{"id":"01M8FDJAH63W6N7HT2Y4N3CBJY"}'],
  ["times", '{"at":"2026-11-27T21:00:00.000Z"}', '{"at":"2026-11-27T22:30:01.123Z"}'],
  ["addresses of others", '"admin.1.5@example.com"', '"admin.7.9@example.com"'],
])("%s are not compared", (_, one, other) => {
  expect(differencesOf(notesOf(["GET /a", one]), notesOf(["GET /a", other]))).toEqual([]);
});

test("the addresses that a test has sent are compared by their order", () => {
  const sent = (one: string, other: string, answer: string) =>
    notesOf([`POST /a ${one}`, ""], [`POST /a ${other}`, ""], ["GET /a", answer]);
  const [a1, a2, b1, b2] = ["p1@x.com", "p2@x.com", "p8@x.com", "p9@x.com"];
  expect(differencesOf(sent(a1, a2, a1 + a2), sent(b1, b2, b1 + b2))).toEqual([]);
  const swapped = differencesOf(sent(a1, a2, a1 + a2), sent(b1, b2, b2 + b1));
  expect(requestsOf(swapped)).toEqual(["GET /a "]);
});

test("of a read that is repeated, the last answer is compared", () => {
  const polled = notesOf(["GET /a", "open"], ["GET /a", "open"], ["GET /a", "resolved"]);
  expect(differencesOf(polled, notesOf(["GET /a", "resolved"]))).toEqual([]);
});

test("what differs by chance does not last", () => {
  const [one, other] = [notesOf(["GET /a", "1st"]), notesOf(["GET /a", "2nd"])];
  expect(lastingDifferences([one, other], [other, one])).toEqual([]);
  expect(requestsOf(lastingDifferences([one, one], [other, other]))).toEqual(["GET /a "]);
});

test.each([
  ["PATCH /teams/<id>", true],
  ["PATCH /api/v4/broadcasts/<id>", false],
])("another status of %s fails the run: %s", (request, fails) => {
  expect(isOfHead({ test: "a test", request, answers: ["200\n\n", "409\n\n"] })).toBe(fails);
});

test("another status of one of two writes at once is listed alone, one of a later request fails the run", () => {
  const raced = (first: number, second: number, later: number) => {
    const list: Asked[] = [];
    noteAnswersIn(list);
    const ask = (path: string) => noteRequest({ method: "POST", path });
    const as = (status: number) => ({ status, headers: new Headers(), text: "" });
    const [answerFirst, answerSecond] = [ask("/a"), ask("/b")];
    answerFirst(as(first));
    answerSecond(as(second));
    ask("/c")(as(later));
    noteAnswersIn(null);
    return new Map([["a test", list]]);
  };
  const failing = (...later: readonly [number, number]) =>
    differencesOf(raced(201, 409, later[0]), raced(201, 422, later[1])).map(isOfHead);
  expect(failing(200, 200)).toEqual([false]);
  expect(failing(200, 404)).toEqual([false, true]);
  // Whichever of them is the first.
  expect(differencesOf(raced(201, 409, 200), raced(409, 201, 200))).toEqual([]);
});

test("half a character that is sent is noted as one that can be passed on", () => {
  const [[, [asked] = []] = []] = notesOf([`POST /a ${"x".repeat(299)}😀`, "\ud83d"]);
  expect(asked?.request.isWellFormed()).toBe(true);
  expect(asked?.answer.isWellFormed()).toBe(true);
});
