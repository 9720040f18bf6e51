// Applies an integration's title and description templates. Mustache has no logic, so a template
// cannot loop forever; its cost is still bounded, because nested lists and the texts in them
// multiply.
import Mustache from "mustache";
import type { IntegrationFacts } from "../../domain/integrations/integration-facts.ts";
import { EVENT_NAMES, templateWarning } from "../../domain/integrations/template-warnings.ts";
import { isJsonObject } from "../../domain/shared/json.ts";
import type { CreateEvent, InboundRequest, Options } from "../integration-type.ts";
import { MAX_DESCRIPTION, MAX_TITLE } from "../reading/bounds.ts";
import { textOf } from "../reading/payload.ts";

const MAX_TEMPLATE = 16_384;
/** Limits on the tokens that a rendering visits and the characters it writes. */
const MAX_STEPS = 20_000;
const MAX_WRITTEN = 2 * MAX_DESCRIPTION;
const MAX_LIST_ITEMS = 100;

/** Leaves a rendering of the library. Caught where it begins. */
const TOO_LARGE = new Error("the output is too large");

type View = Parameters<typeof Mustache.Writer.prototype.renderTokens>[1];
type Token = string[];

/** Mustache's writer for plain text with cost limits. Does not cache templates. */
class BoundedWriter extends Mustache.Writer {
  #steps = 0;
  #written = 0;

  override renderTokens(
    tokens: string[][],
    context: View,
    partials?: never,
    original?: string,
  ): string {
    this.#steps += tokens.length + 1;
    if (this.#steps > MAX_STEPS) throw TOO_LARGE;
    const text = super.renderTokens(tokens, context, partials, original);
    this.#written += text.length;
    if (this.#written > MAX_WRITTEN) throw TOO_LARGE;
    return text;
  }

  override escapedValue(token: Token, context: View): string {
    return this.unescapedValue(token, context);
  }

  override unescapedValue(token: Token, context: View): string {
    const text = textOf(context.lookup(token[1] ?? "")) ?? "";
    this.#written += text.length;
    if (this.#written > MAX_WRITTEN) throw TOO_LARGE;
    return text;
  }
}

/** The validation error of a template, or null. */
export function templateFault(template: string): string | null {
  if (template.length > MAX_TEMPLATE) return `is longer than ${MAX_TEMPLATE} characters`;
  try {
    new Mustache.Writer().parse(template);
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : "it cannot be read";
    return `is not a Mustache template: ${why.slice(0, 200)}`;
  }
}

/**
 * Warnings about tags in an integration's templates that are always empty, each with its parameter.
 */
export function templateWarnings(options: Options): string[] {
  return ["title_template", "description_template"].flatMap((key) => {
    const template = options[key];
    const warning = typeof template === "string" ? templateWarning(template, EVENT_NAMES) : null;
    return warning === null ? [] : [`option_${key}: ${warning}`];
  });
}

/**
 * Applies the integration's templates to an event. They can use `title`, `description`, `urgency`,
 * `tags`, `id` and `meta` of the event, `data` (the payload), `params` (the query) and
 * `integration`. If a template's output is empty or exceeds a limit, the original text stays.
 */
export function applyTemplates(
  event: CreateEvent,
  data: () => unknown,
  { query }: InboundRequest,
  options: Options,
  integration: IntegrationFacts | null = null,
): CreateEvent {
  const { title_template: title, description_template: description } = options;
  if (typeof title !== "string" && typeof description !== "string") return event;
  const { thirdpartyId, urgency, tags, meta } = event;
  const texts = { title: event.title, description: event.description };
  const view = withoutPrototypes({
    ...texts,
    id: thirdpartyId,
    urgency,
    tags,
    meta,
    data: data(),
    params: query,
    integration,
  });
  return {
    ...event,
    title: renderTemplate(title, view)?.slice(0, MAX_TITLE) ?? event.title,
    description: renderTemplate(description, view)?.slice(0, MAX_DESCRIPTION) ?? event.description,
  };
}

function renderTemplate(template: unknown, view: unknown): string | null {
  if (typeof template !== "string") return null;
  try {
    const writer = new BoundedWriter();
    const context = new Mustache.Context(view);
    return textOf(writer.renderTokens(writer.parse(template), context, undefined, template));
  } catch {
    return null;
  }
}

/** A copy without prototypes, so that a template cannot reach a function. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_LIST_ITEMS).map(withoutPrototypes);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[key] = withoutPrototypes(inner);
  return copy;
}
