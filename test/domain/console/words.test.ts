// The texts in the console's code, also of what no test makes it show: none has a word of the API for which there is one
// in the table of words.
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { withNames } from "../../../src/console/reads.ts";
import {
  eventWord,
  FIELDS,
  statusWord,
  withStatusWords,
} from "../../../src/domain/shared/words.ts";
import { unspokenIn } from "../../support/console/unspoken.ts";
import { sourceFiles } from "../../support/source/source-files.ts";

/** A literal with "…" for each of its expressions, however deep their braces are. */
function withoutExpressions(literal: string): string {
  const shorter = literal.replace(/\$?\{[^{}]*\}/g, "…");
  return shorter === literal ? literal : withoutExpressions(shorter);
}

/** The literals of a file, which for JSX are its texts and attributes too; without comments. */
function literalsOf(path: string, text: string): readonly string[] {
  const loader = path.endsWith(".tsx") ? "tsx" : "ts";
  const { code } = transformSync(text, { loader, jsx: "automatic", charset: "utf8" });
  return [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([it]) =>
    withoutExpressions(it.slice(1, -1)),
  );
}

/** Whether people read a literal: it has several words, or begins as a sentence does. */
const isRead = (text: string) =>
  /^[A-Z]|[a-z…] [a-z…]/.test(text) && !/^(?:rules:|[.#/])/.test(text);

/** The console, and what writes messages and answers to them. */
const READ_FILES =
  /^src\/(?:(?:kernel\/)?console|features\/people\/channels|features\/notifications\/(?:callbacks|chat|reply-links)|domain\/oncall\/notices)\//;

const readFiles = sourceFiles().filter(({ path }) => READ_FILES.test(path));

test("are in the words of the table", () => {
  const texts = readFiles.flatMap(({ path, text }) =>
    literalsOf(path, text)
      .filter(isRead)
      .map((literal) => ({ path, literal })),
  );
  expect(texts.length).toBeGreaterThan(1_500);
  const found = texts.flatMap(({ path, literal }) =>
    unspokenIn(literal).map(({ what, text }) => `${path}: ${what}: ${text}`),
  );
  expect(found).toEqual([]);
});

test("of the API have words", () => {
  const words = ["dropped", "suppressed", "rejected", "timed_out"].map(statusWord);
  expect(words).toEqual(["unanswered", "muted", "passed on", "timed out"]);
  expect(["alert.open", "alert.dropped", "alert.responders_requested"].map(eventWord)).toEqual([
    "new alert",
    "unanswered",
    "responders requested",
  ]);
  expect(withStatusWords("the alert is dropped; only an open or suppressed one")).toBe(
    "the alert is unanswered; only an open or muted one",
  );
  expect(Object.values(FIELDS).flatMap(unspokenIn)).toEqual([]);
});

test("name records instead of their ids, and leave a sender's ids as they are", () => {
  const [team, ulid] = ["tem_AwQFBgcICQoLDA", "01ARZ3NDEKTSV4RRFFQ69G5FAV"];
  const nameOf = (id: string) => (id === team ? "Payments" : "deleted");
  const named = (text: string) => withNames(text, nameOf);
  expect(named(`Router Main (rtr_AwQFBgcICQoLDA): otherwise to ${team}`)).toBe(
    "Router Main: otherwise to Payments",
  );
  expect(named("assigned to acu_AwQFBgcICQoLDA")).toBe("assigned to deleted");
  expect(named(`Request ${ulid} of sub_AwQFBgcICQoLDA failed`)).toBe(
    `Request ${ulid} of sub_AwQFBgcICQoLDA failed`,
  );
});
