// The limits of Block Kit, each from its page at https://docs.slack.dev/reference/block-kit:
// - blocks: a message has at most 50; `block_id` ≤ 255
// - header: `plain_text` of at most 150 characters; section: text of 1 to 3,000
// - actions: 1 to 25 elements, each with its own `action_id` of at most 255
// - button: text ≤ 75, url ≤ 3,000, `primary` for one button of a set
// - static and external select: placeholder ≤ 150; at most 100 options, text ≤ 75, value ≤ 150
// - confirmation dialog: title ≤ 100, text ≤ 300, confirm and deny ≤ 30
// - rich text: sections of text, emoji and date; a text is not empty, a date has a format in braces
type Json = Record<string, any>;

const isPlain = (text: Json | undefined, most: number): boolean =>
  text?.type === "plain_text" &&
  typeof text.text === "string" &&
  text.text.length >= 1 &&
  text.text.length <= most;

const isMenu = (element: Json): boolean =>
  isPlain(element.placeholder, 150) &&
  (element.confirm === undefined ||
    (isPlain(element.confirm.title, 100) &&
      isPlain(element.confirm.text, 300) &&
      isPlain(element.confirm.confirm, 30) &&
      isPlain(element.confirm.deny, 30)));

export const isOption = (option: Json): boolean =>
  isPlain(option.text, 75) && typeof option.value === "string" && option.value.length <= 150;

function isElement(element: Json): boolean {
  if (!/^.{1,255}$/.test(String(element.action_id))) return false;
  switch (element.type) {
    case "button":
      return isPlain(element.text, 75) && String(element.url ?? "").length <= 3_000;
    case "static_select":
      return (
        isMenu(element) &&
        element.options.length >= 1 &&
        element.options.length <= 100 &&
        element.options.every(isOption)
      );
    case "external_select":
      return isMenu(element) && element.options === undefined;
    default:
      return false;
  }
}

function isRichText(element: Json): boolean {
  switch (element.type) {
    case "text":
      return typeof element.text === "string" && element.text !== "";
    case "emoji":
      return /^[a-z_]+$/.test(element.name);
    case "date":
      return Number.isInteger(element.timestamp) && /\{\w+\}/.test(element.format);
    default:
      return false;
  }
}

function isBlock(block: Json): boolean {
  if (String(block.block_id ?? "").length > 255) return false;
  switch (block.type) {
    case "header":
      return isPlain(block.text, 150);
    case "section":
      return isPlain(block.text, 3_000);
    case "rich_text":
      return block.elements.every(
        (it: Json) => it.type === "rich_text_section" && it.elements.every(isRichText),
      );
    case "actions": {
      const { elements } = block as { elements: Json[] };
      const ids = new Set(elements.map((it) => it.action_id));
      const primary = elements.filter((it) => it.style === "primary");
      const isCounted = elements.length >= 1 && elements.length <= 25 && primary.length <= 1;
      return isCounted && ids.size === elements.length && elements.every(isElement);
    }
    default:
      return false;
  }
}

/** Whether Slack would accept the blocks of a message. */
export const areBlocks = (blocks: unknown): boolean =>
  blocks === undefined || (Array.isArray(blocks) && blocks.length <= 50 && blocks.every(isBlock));
