// Whether a message keeps the limits of Discord's documentation, and what its components are.

type Json = Record<string, any>;

const isComponent = ({ type, custom_id: id, label, options }: Json): boolean =>
  /^\w+:[0-9A-Z]{26}$/.test(id) &&
  (type === 2 ? label !== "" : type === 3 && options.length > 0 && options.length <= 25);

const isRow = ({ type, components }: Json): boolean =>
  type === 1 &&
  components.length > 0 &&
  components.length <= (components[0].type === 3 ? 1 : 5) &&
  components.every(isComponent);

const isEmbed = ({ title, description, fields, color }: Json): boolean =>
  title.length <= 256 &&
  description.length <= 4_096 &&
  Number.isInteger(color) &&
  fields.length <= 25 &&
  fields.every(({ name, value }: Json) => name !== "" && value !== "" && value.length <= 1_024);

/** Whether a message keeps Discord's limits. */
export function isMessage({ content = "", embeds = [], components = [], ...more }: Json): boolean {
  return (
    content.length <= 2_000 &&
    (content !== "" || embeds.length > 0) &&
    embeds.every(isEmbed) &&
    components.length <= 5 &&
    components.every(isRow) &&
    more.allowed_mentions?.parse.length === 0
  );
}

/** The names of a message's actions. */
export const actionsOf = ({ components }: Json): string[] =>
  (components as Json[]).flatMap((row) =>
    row.components.map(({ custom_id: id }: Json) => id.split(":")[0]),
  );
