// Whether a message keeps the limits of Google Chat's documentation, and what its buttons are.

type Json = Record<string, any>;

const isButton = ({ text, onClick }: Json): boolean =>
  text !== "" &&
  (URL.canParse(onClick.openLink?.url) ||
    (/^\w+$/.test(onClick.action.function) &&
      onClick.action.parameters.every(({ key, value }: Json) => key !== "" && value !== "") &&
      [undefined, "OPEN_DIALOG"].includes(onClick.action.interaction)));

const isCard = ({ card }: Json): boolean =>
  card.header.title !== "" &&
  card.sections.every(({ widgets }: Json) =>
    widgets.every((it: Json) => (it.buttonList?.buttons ?? []).every(isButton)),
  );

/** Whether a message keeps the limits. */
export const isMessage = (sent: Json): boolean =>
  new TextEncoder().encode(JSON.stringify(sent)).length <= 32_000 &&
  (sent.text ?? "").length <= 4_096 &&
  (sent.text || sent.cardsV2?.length > 0) &&
  (sent.cardsV2 ?? []).every(isCard);

/** The functions of a message's buttons. */
export const actionsOf = ({ cardsV2 = [] }: Json): string[] =>
  cardsV2
    .flatMap(({ card }: Json) => card.sections)
    .flatMap(({ widgets }: Json) => widgets)
    .flatMap((it: Json) => it.buttonList?.buttons ?? [])
    .flatMap(({ onClick }: Json) => onClick.action?.function ?? []);
