// Words that nobody should have to read, for the tests of what people read.

/** What a text has that people do not speak of, by what it is about. */
const UNSPOKEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["an alert's state", /\b(?:dropp|suppress)\w*/i],
  ["an answer", /\breject\w*/i],
  ["a step", /\blayers?\b/i],
  ["whom an alert goes to", /\b(?:receivers?|destinations?|drop recipients?)\b/i],
];

/** What only programs read. */
const RAW: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["an id", /\b[a-z]{3}_[0-9A-Za-z]{12,}|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/],
  ["a field of the API", /\b[a-z]+(?:_[a-z0-9]+)+\b/],
  ["nothing", /\b(?:undefined|null|NaN|\[object)\b/],
  ["a plural of one", /(?<![\d.,:–+-])\b1 (?!(?:is|was|has|this)\b)[a-z]*[a-rt-z]s\b/],
];

type Found = { readonly what: string; readonly text: string };

const search = (text: string, patterns: typeof UNSPOKEN): readonly Found[] =>
  patterns.flatMap(([what, pattern]) => {
    const { index = -1 } = pattern.exec(text) ?? {};
    return index < 0 ? [] : [{ what, text: text.slice(Math.max(0, index - 50), index + 50) }];
  });

/** The words of the API in a text. */
export const unspokenIn = (text: string): readonly Found[] => search(text, UNSPOKEN);

/** The words of the API in what a page shows, and what is not meant for people. */
export const unreadableIn = (text: string): readonly Found[] => search(text, [...UNSPOKEN, ...RAW]);
