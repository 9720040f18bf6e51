// An integration's own words for its alerts' titles and descriptions: Mustache, which has no logic to hang in. What
// a template costs is bounded all the same: lists in lists, and texts in them, multiply.
import Mustache from "mustache";
import type { IntegrationFacts } from "../domain/integration-facts.ts";
import { EVENT_NAMES, warningOf } from "../domain/template-warnings.ts";
import { MAX_DESCRIPTION, MAX_TITLE } from "./bounds.ts";
import type { CreateEvent, InboundRequest, Options } from "./integration-type.ts";
import { isPayload, textOf } from "./payload.ts";

const MAX_TEMPLATE = 16_384;
/** How many tokens a rendering may visit, and how many characters it may write. */
const MOST_STEPS = 20_000;
const MOST_WRITTEN = 2 * MAX_DESCRIPTION;
const MOST_OF_A_LIST = 100;

class TooLarge extends Error {}

type View = Parameters<typeof Mustache.Writer.prototype.renderTokens>[1];
type Token = string[];

/** Mustache's writer, for plain text, that stops when it has done too much. It keeps no template. */
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
    if (this.#steps > MOST_STEPS) throw new TooLarge();
    const text = super.renderTokens(tokens, context, partials, original);
    this.#written += text.length;
    if (this.#written > MOST_WRITTEN) throw new TooLarge();
    return text;
  }

  override escapedValue(token: Token, context: View): string {
    return this.unescapedValue(token, context);
  }

  override unescapedValue(token: Token, context: View): string {
    const text = textOf(context.lookup(token[1] ?? "")) ?? "";
    this.#written += text.length;
    if (this.#written > MOST_WRITTEN) throw new TooLarge();
    return text;
  }
}

/** What is wrong with a template, else null. */
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

/** What in an integration's templates is always empty, each with its parameter's name. */
export function templateWarnings(options: Options): string[] {
  return ["title_template", "description_template"].flatMap((key) => {
    const template = options[key];
    const warning = typeof template === "string" ? warningOf(template, EVENT_NAMES) : null;
    return warning === null ? [] : [`option_${key}: ${warning}`];
  });
}

/**
 * The event with the title and description that the integration's templates make of it. They see `title`,
 * `description`, `urgency`, `tags`, `id`, `meta` of the event, `data` (what was sent), `params` (the query) and
 * `integration`. A template that makes nothing, or too much, leaves its text as it was.
 */
export function templated(
  event: CreateEvent,
  data: () => unknown,
  { query }: InboundRequest,
  options: Options,
  integration: IntegrationFacts | null = null,
): CreateEvent {
  const { title_template: title, description_template: description } = options;
  if (typeof title !== "string" && typeof description !== "string") return event;
  const { thirdpartyId, urgency, tags, meta } = event;
  const words = { title: event.title, description: event.description };
  const view = plain({
    ...words,
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
    title: rendered(title, view)?.slice(0, MAX_TITLE) ?? event.title,
    description: rendered(description, view)?.slice(0, MAX_DESCRIPTION) ?? event.description,
  };
}

function rendered(template: unknown, view: unknown): string | null {
  if (typeof template !== "string") return null;
  try {
    const writer = new BoundedWriter();
    const context = new Mustache.Context(view);
    return textOf(writer.renderTokens(writer.parse(template), context, undefined, template));
  } catch {
    return null;
  }
}

/** A copy without anything but data: no template may reach a function through a prototype. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MOST_OF_A_LIST).map(plain);
  if (!isPayload(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[key] = plain(inner);
  return copy;
}
