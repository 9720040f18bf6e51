// Decodes the named HTML entities that occur in people's mail. The mail parser's own table of two
// thousand is left out of the worker (`alias` in wrangler.toml); unknown entities stay as written.

/** Names from U+00A0 on, in order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg " +
  "plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest " +
  "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute " +
  "Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc " +
  "Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute " +
  "ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide " +
  "oslash ugrave uacute ucirc uuml yacute thorn yuml";
/** Names with their code points in hexadecimal. */
const BY_CODE_POINT =
  "OElig:152 oelig:153 Scaron:160 scaron:161 Yuml:178 fnof:192 ensp:2002 emsp:2003 " +
  "thinsp:2009 zwnj:200c zwj:200d ndash:2013 mdash:2014 lsquo:2018 rsquo:2019 sbquo:201a " +
  "ldquo:201c rdquo:201d bdquo:201e dagger:2020 Dagger:2021 bull:2022 hellip:2026 permil:2030 " +
  "prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a euro:20ac trade:2122 larr:2190 uarr:2191 " +
  "rarr:2192 darr:2193 harr:2194 minus:2212 infin:221e asymp:2248 ne:2260 equiv:2261 le:2264 " +
  "ge:2265";
const ASCII = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(" ").map((name, index) => [name, String.fromCharCode(160 + index)] as const),
  ...BY_CODE_POINT.split(" ").map((pair) => {
    const [name = "", code = ""] = pair.split(":");
    return [name, String.fromCharCode(Number.parseInt(code, 16))] as const;
  }),
  ...Object.entries(ASCII),
]);

/** Characters by `&name;`. The export's name is the one that the mail parser imports. */
export const htmlEntities: Readonly<Record<string, string>> = Object.fromEntries(
  [...BY_NAME].map(([name, text]) => [`&${name};`, text]),
);

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi;

/** Decodes named and numeric entities; unknown ones stay as written. */
export function decodeEntities(html: string): string {
  return html.replace(ENTITY, (whole: string, ten?: string, hex?: string, name?: string) => {
    if (name !== undefined) return BY_NAME.get(name) ?? whole;
    const code = ten === undefined ? Number.parseInt(hex ?? "", 16) : Number(ten);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}
