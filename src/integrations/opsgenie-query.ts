// The search language of Opsgenie's alert lists, as far as its clients use it: `field: value` and `field < value`, words,
// quotes, parentheses, AND, OR, NOT. Pure: which fields there are, and what they mean, is known elsewhere.

export type Search =
  | { readonly is: "all" | "any"; readonly of: readonly Search[] }
  | { readonly is: "not"; readonly of: Search }
  /** `field` is null for a bare word. */
  | {
      readonly is: "term";
      readonly field: string | null;
      readonly operator: Operator;
      readonly value: string;
    };

type Operator = ":" | "=" | "!=" | "<" | ">" | "<=" | ">=";

/** A statement has at most 100 parameters. */
const MOST_TERMS = 20;
const MAX_LENGTH = 1_000;
const MAX_DEPTH = 10;

type Token = { readonly text: string; readonly isQuoted: boolean };

type Field = { readonly name: string | null; readonly operator: Operator };

class Unreadable extends Error {}

/** The search that a text asks for; null for no search at all, a fault in words for what cannot be read. */
export function readSearch(text: string): Search | null | { readonly fault: string } {
  if (text.trim() === "") return null;
  if (text.length > MAX_LENGTH) return { fault: `is longer than ${MAX_LENGTH} characters` };
  const tokens = tokensOf(text);
  if (tokens === null) return { fault: "has a quote that is not closed" };
  try {
    const reader = new Reader(tokens);
    return reader.whole();
  } catch (error) {
    if (error instanceof Unreadable) return { fault: error.message };
    throw error;
  }
}

const OPERATORS: readonly string[] = [":", "=", "!=", "<", ">", "<=", ">="];
const isOperator = (text: string): text is Operator => OPERATORS.includes(text);

/** After an operator a colon is part of the value: dates and addresses have some. */
const ANYWHERE = /\s*(?:"((?:[^"\\]|\\.)*)"|(<=|>=|!=|[():=<>])|([^\s():=<>!"]+|!))/y;
const AS_VALUE = /\s*(?:"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+))/y;

function tokensOf(text: string): Token[] | null {
  const whole = text.trimEnd();
  const tokens: Token[] = [];
  let at = 0;
  let afterOperator = false;
  while (at < whole.length) {
    const pattern = afterOperator ? AS_VALUE : ANYWHERE;
    pattern.lastIndex = at;
    const match = pattern.exec(whole);
    if (match === null) return null;
    at = pattern.lastIndex;
    const [, quoted, sign, word] = match;
    const isQuoted = quoted !== undefined;
    const bare = sign ?? word ?? "";
    afterOperator = isOperator(bare);
    tokens.push({ text: isQuoted ? quoted.replace(/\\(.)/g, "$1") : bare, isQuoted });
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #terms = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Search {
    const search = this.#any(null);
    if (this.#at < this.#tokens.length) throw new Unreadable("has a parenthesis too many");
    return search;
  }

  /** Whether the next token is this sign or keyword, which is then taken. */
  #takes(word: string): boolean {
    const token = this.#tokens[this.#at];
    const found = token !== undefined && !token.isQuoted && token.text.toUpperCase() === word;
    if (found) this.#at += 1;
    return found;
  }

  #ends(): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined) return true;
    return !token.isQuoted && (token.text === ")" || token.text.toUpperCase() === "OR");
  }

  /** Alternatives. Inside `field: (…)` every word is a value of that field. */
  #any(field: Field | null): Search {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Unreadable("nests too deeply");
    const of = [this.#all(field)];
    while (this.#takes("OR")) of.push(this.#all(field));
    this.#depth -= 1;
    return of.length === 1 && of[0] ? of[0] : { is: "any", of };
  }

  #all(field: Field | null): Search {
    const of: Search[] = [];
    while (!this.#ends()) {
      if (!this.#takes("AND")) of.push(this.#one(field));
    }
    if (of.length === 0) throw new Unreadable("lacks something to search for");
    return of.length === 1 && of[0] ? of[0] : { is: "all", of };
  }

  #one(field: Field | null): Search {
    if (this.#takes("NOT")) return { is: "not", of: this.#one(field) };
    if (this.#takes("(")) return this.#closed(field);
    const name = this.#word();
    if (field !== null) return this.#term(field, name);
    const operator = this.#tokens[this.#at];
    if (operator === undefined || operator.isQuoted || !isOperator(operator.text)) {
      return this.#term({ name: null, operator: ":" }, name);
    }
    this.#at += 1;
    const named = { name, operator: operator.text };
    return this.#takes("(") ? this.#closed(named) : this.#term(named, this.#word());
  }

  #closed(field: Field | null): Search {
    const inner = this.#any(field);
    if (!this.#takes(")")) throw new Unreadable("lacks a closing parenthesis");
    return inner;
  }

  #word(): string {
    const token = this.#tokens[this.#at];
    if (
      token === undefined ||
      (!token.isQuoted && (isOperator(token.text) || token.text === ")"))
    ) {
      throw new Unreadable("lacks a value");
    }
    this.#at += 1;
    return token.text;
  }

  #term({ name, operator }: Field, value: string): Search {
    this.#terms += 1;
    if (this.#terms > MOST_TERMS) throw new Unreadable(`has more than ${MOST_TERMS} terms`);
    return { is: "term", field: name, operator, value };
  }
}
