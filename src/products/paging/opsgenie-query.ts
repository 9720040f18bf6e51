// Parses the subset of Opsgenie's alert search syntax that its clients use: words, quotes,
// parentheses, AND, OR, NOT, `field: value`, `field < value`. Pure; the caller defines the fields.

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

/** Keeps a statement below D1's limit of 100 bound parameters. */
const MAX_TERMS = 20;
const MAX_LENGTH = 1_000;
const MAX_DEPTH = 10;

type Token = { readonly text: string; readonly isQuoted: boolean };

type Field = { readonly name: string | null; readonly operator: Operator };

/** Parses a query. Returns null for an empty one, a `fault` for an invalid one. */
export function parseSearch(text: string): Search | null | { readonly fault: string } {
  if (text.trim() === "") return null;
  if (text.length > MAX_LENGTH) return { fault: `is longer than ${MAX_LENGTH} characters` };
  const tokens = tokensOf(text);
  if (tokens === null) return { fault: "has a quote that is not closed" };
  return new Parser(tokens).parse();
}

const OPERATORS: readonly string[] = [":", "=", "!=", "<", ">", "<=", ">="];
const isOperator = (text: string): text is Operator => OPERATORS.includes(text);

/** After an operator a colon belongs to the value: dates and URLs contain colons. */
const ANY_TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|(<=|>=|!=|[():=<>])|([^\s():=<>!"]+|!))/y;
const VALUE_TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+))/y;

function tokensOf(text: string): Token[] | null {
  const whole = text.trimEnd();
  const tokens: Token[] = [];
  let at = 0;
  let afterOperator = false;
  while (at < whole.length) {
    const pattern = afterOperator ? VALUE_TOKEN : ANY_TOKEN;
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

/** Stands for what could not be parsed: of a query with a fault nothing is searched. */
const NOTHING: Search = { is: "all", of: [] };

class Parser {
  #tokens: readonly Token[];
  #at = 0;
  #terms = 0;
  #depth = 0;
  /** The first fault. */
  #fault: string | null = null;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Search | { readonly fault: string } {
    const search = this.#parseAny(null);
    if (this.#at < this.#tokens.length) this.#fail("has a parenthesis too many");
    return this.#fault === null ? search : { fault: this.#fault };
  }

  /** Notes a fault. Nothing after it is read, so that every part ends. */
  #fail(fault: string): Search {
    this.#fault ??= fault;
    this.#tokens = [];
    return NOTHING;
  }

  /** Consumes the next token if it is this sign or keyword. */
  #takeIf(word: string): boolean {
    const token = this.#tokens[this.#at];
    const found = token !== undefined && !token.isQuoted && token.text.toUpperCase() === word;
    if (found) this.#at += 1;
    return found;
  }

  #isAtEnd(): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined) return true;
    return !token.isQuoted && (token.text === ")" || token.text.toUpperCase() === "OR");
  }

  /** Parses alternatives. Inside `field: (…)` every word is a value of that field. */
  #parseAny(field: Field | null): Search {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) return this.#fail("nests too deeply");
    const of = [this.#parseAll(field)];
    while (this.#takeIf("OR")) of.push(this.#parseAll(field));
    this.#depth -= 1;
    return of.length === 1 && of[0] ? of[0] : { is: "any", of };
  }

  #parseAll(field: Field | null): Search {
    const of: Search[] = [];
    while (!this.#isAtEnd()) {
      if (!this.#takeIf("AND")) of.push(this.#parseTerm(field));
    }
    if (of.length === 0) return this.#fail("lacks something to search for");
    return of.length === 1 && of[0] ? of[0] : { is: "all", of };
  }

  #parseTerm(field: Field | null): Search {
    if (this.#takeIf("NOT")) return { is: "not", of: this.#parseTerm(field) };
    if (this.#takeIf("(")) return this.#parseGroup(field);
    const name = this.#takeWord();
    if (field !== null) return this.#buildTerm(field, name);
    const operator = this.#tokens[this.#at];
    if (operator === undefined || operator.isQuoted || !isOperator(operator.text)) {
      return this.#buildTerm({ name: null, operator: ":" }, name);
    }
    this.#at += 1;
    const named = { name, operator: operator.text };
    return this.#takeIf("(") ? this.#parseGroup(named) : this.#buildTerm(named, this.#takeWord());
  }

  #parseGroup(field: Field | null): Search {
    const inner = this.#parseAny(field);
    return this.#takeIf(")") ? inner : this.#fail("lacks a closing parenthesis");
  }

  #takeWord(): string {
    const token = this.#tokens[this.#at];
    if (
      token === undefined ||
      (!token.isQuoted && (isOperator(token.text) || token.text === ")"))
    ) {
      this.#fail("lacks a value");
      return "";
    }
    this.#at += 1;
    return token.text;
  }

  #buildTerm({ name, operator }: Field, value: string): Search {
    this.#terms += 1;
    if (this.#terms > MAX_TERMS) return this.#fail(`has more than ${MAX_TERMS} terms`);
    return { is: "term", field: name, operator, value };
  }
}
