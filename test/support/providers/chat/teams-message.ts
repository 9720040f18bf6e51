// Whether a message keeps the limits of Teams' documentation, and what its actions are.

type Json = Record<string, any>;

export const cardIn = ({ attachments }: Json): Json | undefined => attachments?.[0]?.content;

/** Every action of a card, also of those that it shows. */
export function executed({ body = [], actions = [] }: Json): Json[] {
  const inBody = body.filter(({ type }: Json) => type === "ActionSet").flatMap(executed);
  const below = actions.flatMap((it: Json) => {
    if (it.type === "Action.ShowCard") return executed(it.card);
    return it.type === "Action.Execute" ? [it] : [];
  });
  return [...inBody, ...below];
}

/** The verbs of a message's actions. */
export const actionsOf = (body: Json): string[] =>
  executed(cardIn(body) ?? {}).map(({ verb }) => verb);

/** Whether a message keeps the limits. */
export const isMessage = (sent: Json): boolean =>
  sent.type === "message" &&
  new TextEncoder().encode(JSON.stringify(sent)).length <= 40_000 &&
  (cardIn(sent) === undefined ? sent.text !== "" && sent.textFormat === "plain" : true);
