// The tokens of the HTML that the console writes: tags and texts. It has no comments within texts, and quotes all values.

export type Attributes = ReadonlyMap<string, string>;

type Token =
  | { readonly kind: "begin"; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: "end"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  apos: "'",
};

const decode = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|apos);/g, (whole, name) => ENTITIES[name] ?? whole);

/** A declaration or a comment, what is no markup, a tag, or a text. */
const TOKEN =
  /<!--.*?-->|<![^>]*>|<(?<raw>script|style)\b[^>]*>.*?<\/\k<raw>>|<(?<end>\/?)(?<name>[a-zA-Z][\w-]*)(?<rest>(?:"[^"]*"|[^>"])*)>|(?<text>[^<]+|<)/gs;

const ATTRIBUTE = /(?<name>[^\s="/]+)(?:="(?<value>[^"]*)")?/g;

/** The tags and texts of a page, in order; without scripts, styles and comments. */
export function* tokensOf(html: string): Generator<Token> {
  for (const { groups = {} } of html.matchAll(TOKEN)) {
    const { end, name, rest = "", text } = groups;
    if (text !== undefined) yield { kind: "text", text: decode(text) };
    else if (name !== undefined && end === "/") yield { kind: "end", name };
    else if (name !== undefined) yield { kind: "begin", name, attributes: attributesOf(rest) };
  }
}

const attributesOf = (text: string): Attributes =>
  new Map(
    [...text.matchAll(ATTRIBUTE)].map(({ groups = {} }) => [
      groups.name ?? "",
      decode(groups.value ?? ""),
    ]),
  );
