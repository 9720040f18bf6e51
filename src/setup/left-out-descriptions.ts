// Leaves out of the worker what only the reference and the tests read, which have the sources: the metadata of schemas; what
// operations are called, and what they say of their answers.
import type { Plugin } from "rolldown";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";

/** The properties of a schema's metadata that the worker reads, for the fields of forms. */
export const READ_OF_SCHEMAS: ReadonlySet<string> = new Set([
  ...["maxLength", "minimum", "maximum", "format"],
]);
/** Properties of an operation. */
const OF_OPERATIONS: ReadonlySet<string> = new Set([
  ...["operation", "summary", "description"],
  ...["shows", "refuses"],
]);

/** Where operations are written. */
const OPERATIONS = /\/(?:routes|http\/records)\.ts$/;

type Part = { readonly start: number; readonly end: number };

const nameOf = (property: ESTree.ObjectPropertyKind): string | null =>
  property.type === "Property" && !property.computed && property.key.type === "Identifier"
    ? property.key.name
    : null;

/** The object of `<schema>.meta({…})`. */
function metadataOf({ callee, arguments: [first] }: ESTree.CallExpression) {
  const isMetadata =
    callee.type === "MemberExpression" &&
    callee.property.type === "Identifier" &&
    callee.property.name === "meta";
  return isMetadata && first?.type === "ObjectExpression" ? first : null;
}

/** Properties of an object that is written out, each to where the next one starts. */
function propertiesOf(
  { properties, end }: ESTree.ObjectExpression,
  matches: (name: string) => boolean,
) {
  return properties.flatMap((property, i): readonly Part[] => {
    const name = nameOf(property);
    if (name === null || !matches(name)) return [];
    return [{ start: property.start, end: properties[i + 1]?.start ?? end - 1 }];
  });
}

/**
 * The code without what only the reference reads of schemas and operations. A schema of whose metadata nothing is left has none.
 *
 * @param path that of the source: it says whether the objects with a summary are operations
 */
export function withoutDescriptions(code: string, path: string): string {
  const parts: Part[] = [];
  const { program } = parseSync(path, code);
  new Visitor({
    CallExpression(call) {
      const metadata = metadataOf(call);
      if (!metadata) return;
      const described = propertiesOf(metadata, (name) => !READ_OF_SCHEMAS.has(name));
      const { callee } = call;
      if (described.length === metadata.properties.length && callee.type === "MemberExpression")
        parts.push({ start: callee.object.end, end: call.end });
      else parts.push(...described);
    },
    ObjectExpression(written) {
      if (!OPERATIONS.test(path)) return;
      if (!written.properties.some((it) => nameOf(it) === "summary")) return;
      parts.push(...propertiesOf(written, (name) => OF_OPERATIONS.has(name)));
    },
  }).visit(program);
  const isWithin = (one: Part, other: Part) =>
    one !== other && other.start <= one.start && one.end <= other.end;
  return parts
    .filter((one) => !parts.some((other) => isWithin(one, other)))
    .sort((one, other) => other.start - one.start)
    .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code);
}

/** The same for what is built of this project's features and what all of them share. */
export const leftOutDescriptions: Plugin = {
  name: "left-out-descriptions",
  transform: {
    filter: { id: /\/src\/(?:features|kernel)\/.*\.ts$/, code: /\.meta\(|summary/ },
    handler: withoutDescriptions,
  },
};
