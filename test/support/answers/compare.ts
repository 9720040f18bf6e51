// Compares what the same requests of the same tests were answered in two runs.
import { type Asked, AT_ONCE, BACKGROUND } from "./answers.ts";

/** What a run noted: per test, its requests and answers. */
export type Recording = ReadonlyMap<string, readonly Asked[]>;

/** A request that is answered otherwise. */
export type Difference = {
  readonly test: string;
  readonly request: string;
  /** Of each of the two runs. */
  readonly answers: readonly [string, string];
};

/** Reads the lines of a run's notes. */
export const recordingOf = (text: string): Recording =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as [string, Asked[]]),
  );

/**
 * The answers of a test by their requests. A read that is repeated until something has happened has the last answer only:
 * how often it is made depends on the machine. Of writes that are made at once, any may be the first.
 */
function answersByRequest(asked: readonly Asked[]): ReadonlyMap<string, string> {
  const answered = Map.groupBy(
    asked.filter(({ answer }) => answer !== ""),
    ({ request }) => request,
  );
  return new Map(
    [...answered].map(([request, all]) => {
      const answers = all.map(({ answer }) => answer);
      const counted = request.replace(AT_ONCE, "").startsWith("GET")
        ? answers.slice(-1)
        : answers.sort();
      return [request, counted.join("\n")];
    }),
  );
}

/** What differs, of the tests and requests that both runs have. */
export function differencesOf(one: Recording, other: Recording): Difference[] {
  return [...one].flatMap(([test, asked]) => {
    const theirs = answersByRequest(other.get(test) ?? []);
    return [...answersByRequest(asked)].flatMap(([request, answer]) => {
      const theirAnswer = theirs.get(request);
      const differs = theirAnswer !== undefined && theirAnswer !== answer;
      return differs ? [{ test, request, answers: [answer, theirAnswer] as const }] : [];
    });
  });
}

/** The same, of what differs whichever of the first runs is compared with whichever of the other ones. */
export function lastingDifferences(
  ones: readonly Recording[],
  others: readonly Recording[],
): Difference[] {
  const [first = [], ...rest] = ones.flatMap((one) =>
    others.map((other) => differencesOf(one, other)),
  );
  const isIn = (list: readonly Difference[], { test, request }: Difference) =>
    list.some((it) => it.test === test && it.request === request);
  return first.filter((it) => rest.every((list) => isIn(list, it)));
}

/**
 * Whether the status or a header differs: what no order and no moment of a test decides, but of what background work
 * decides, such as whether a broadcast can still be changed, or which of two requests at once is the first.
 */
export function isOfHead({ request, answers: [one, other] }: Difference): boolean {
  if (BACKGROUND.test(request) || request.startsWith(AT_ONCE)) return false;
  const headOf = (answer: string) => answer.split("\n\n", 1)[0];
  return headOf(one) !== headOf(other);
}

/** Where the answers begin to differ, in one line. */
export function describeDifference({
  test,
  request,
  answers: [node, runtime],
}: Difference): string {
  const at = [...node].findIndex((letter, i) => letter !== runtime[i]);
  const part = (answer: string) => JSON.stringify(answer.slice(Math.max(0, at - 40), at + 60));
  return `Answered otherwise: ${test}: ${request.slice(0, 100)}: ${part(node)} in Node, ${part(runtime)} in the runtime`;
}
