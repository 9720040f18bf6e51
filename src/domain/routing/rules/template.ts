// Templates in a subset of Handlebars notation: values by path, `#if`, `#unless`, `#each`,
// sections. Reads own properties only, within bounds. (Common libraries call any method a path
// leads to, and have no output limit.) Output is not escaped: titles and descriptions are plain
// text.
import { shorten } from "../conditions/located.ts";
import { lookUp, partsOf } from "../conditions/values.ts";
import { spendWork, type WorkBudget } from "../conditions/work-budget.ts";

/** Renders a document; at most `MAX_OUTPUT` characters. */
export type Template = (view: unknown, work: WorkBudget) => string;

export type TemplateResult =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly message: string };

export const MAX_OUTPUT = 65_536;
const MAX_DEPTH = 16;
/** Work units per template part: far more than reading one value. */
const WORK_PER_PART = 50;

type SectionKind = "if" | "unless" | "each" | "section" | "inverted";
type Section = {
  readonly kind: SectionKind;
  readonly path: readonly string[];
  readonly body: Part[];
  readonly otherwise: Part[];
};
type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly path: readonly string[] }
  | Section;

/** Compiles a template. */
export function compileTemplate(source: string): TemplateResult {
  const root: Section = { kind: "section", path: [], body: [], otherwise: [] };
  const open: Open[] = [{ section: root, name: "", parts: root.body }];
  let from = 0;
  while (from < source.length) {
    const start = source.indexOf("{{", from);
    const text = source.slice(from, start < 0 ? undefined : start);
    if (text !== "") open.at(-1)?.parts.push({ kind: "text", text });
    if (start < 0) break;
    const tag = readTag(source, start);
    if (tag === null) return refuse(`the tag at ${shorten(source.slice(start))} is not closed`);
    const message = applyTag(tag.text, open);
    if (message !== null) return refuse(message);
    from = tag.end;
  }
  const unclosed = open.at(-1);
  if (open.length > 1 && unclosed) return refuse(`{{#${unclosed.name}}} is not closed`);
  return { ok: true, template: (view, work) => render(root.body, view, work) };
}

type Open = { readonly section: Section; readonly name: string; parts: Part[] };

const refuse = (message: string): TemplateResult => ({ ok: false, message });

/** The tag at an offset: the text between its braces, and the offset after it. */
function readTag(source: string, start: number): { text: string; end: number } | null {
  const [opening, closing] = source.startsWith("{{!--", start)
    ? ["{{!--", "--}}"]
    : source.startsWith("{{{", start)
      ? ["{{{", "}}}"]
      : ["{{", "}}"];
  const end = source.indexOf(closing, start + opening.length);
  if (end < 0) return null;
  const inner = source.slice(start + opening.length, end).trim();
  return { text: opening === "{{!--" ? "!" : inner, end: end + closing.length };
}

/** Applies a tag to the open sections; returns an error message or null. */
function applyTag(tag: string, open: Open[]): string | null {
  const top = open.at(-1) as Open;
  if (tag.startsWith("!")) return null;
  if (tag.startsWith("/")) return close(tag.slice(1).trim(), open);
  if (tag === "else" || tag === "^") {
    if (open.length === 1) return "{{else}} stands in no section";
    top.parts = top.section.otherwise;
    return null;
  }
  if (tag.startsWith("#") || tag.startsWith("^")) return openSection(tag, open);
  const path = readPath(tag.replace(/^&\s*/, ""));
  if (path === null) return unsupportedTag(tag);
  top.parts.push({ kind: "value", path });
  return null;
}

function close(name: string, open: Open[]): string | null {
  const top = open.at(-1);
  if (open.length === 1 || top?.name !== name) return `{{/${shorten(name)}}} closes nothing`;
  open.pop();
  return null;
}

function openSection(tag: string, open: Open[]): string | null {
  if (open.length > MAX_DEPTH) return "sections nest too deeply";
  const text = tag.slice(1).trim();
  const helper = /^(if|unless|each)\s+(\S+)$/.exec(text);
  const path = readPath(helper ? (helper[2] ?? "") : text);
  if (path === null || (helper && tag.startsWith("^"))) return unsupportedTag(tag);
  const plainKind = tag.startsWith("^") ? "inverted" : "section";
  const kind = helper ? (helper[1] as SectionKind) : plainKind;
  const section: Section = { kind, path, body: [], otherwise: [] };
  open.at(-1)?.parts.push(section);
  open.push({ section, name: helper?.[1] ?? text, parts: section.body });
  return null;
}

const unsupportedTag = (tag: string) =>
  `{{${shorten(tag)}}} is not supported; use {{alert.title}}, {{#if …}}, {{#unless …}}, {{#each …}}`;

/** A path's parts; `this` and `.` are the current element. Null if invalid. */
function readPath(text: string): readonly string[] | null {
  if (text === "" || /[\s"'`()=|<>{}]|\.\.|^[#^/>!@]/.test(text)) return null;
  if (text === "." || text === "this") return [];
  const parts = partsOf(text.replace(/^this\./, "").replace(/\[(\w+)\]/g, "$1"));
  return parts.includes("") ? null : parts;
}

type Rendering = { readonly work: WorkBudget; output: string };

function render(parts: readonly Part[], view: unknown, work: WorkBudget): string {
  const rendering: Rendering = { work, output: "" };
  renderParts(rendering, parts, [view]);
  return rendering.output;
}

function renderParts(rendering: Rendering, parts: readonly Part[], scopes: readonly unknown[]) {
  for (const part of parts) {
    if (!spendWork(rendering.work, WORK_PER_PART)) return;
    if (rendering.output.length >= MAX_OUTPUT) return;
    if (part.kind === "text") append(rendering, part.text);
    else if (part.kind === "value")
      append(rendering, textOf(resolveValue(rendering, part.path, scopes)));
    else renderSection(rendering, part, scopes);
  }
}

function append(rendering: Rendering, text: string): void {
  rendering.output = (rendering.output + text).slice(0, MAX_OUTPUT);
}

function renderSection(rendering: Rendering, section: Section, scopes: readonly unknown[]): void {
  const value = resolveValue(rendering, section.path, scopes);
  const isActive = isTruthy(value) !== (section.kind === "unless" || section.kind === "inverted");
  if (!isActive) {
    renderParts(rendering, section.otherwise, scopes);
  } else if (section.kind === "each" || (section.kind === "section" && Array.isArray(value))) {
    const elements = typeof value === "object" && value !== null ? Object.values(value) : [];
    for (const element of elements) {
      if (!spendWork(rendering.work, WORK_PER_PART)) return;
      renderParts(rendering, section.body, [...scopes, element]);
    }
  } else {
    renderParts(rendering, section.body, section.kind === "section" ? [...scopes, value] : scopes);
  }
}

/** The value of a path in the innermost scope that has it. */
function resolveValue(rendering: Rendering, path: readonly string[], scopes: readonly unknown[]) {
  if (path.length === 0) return scopes.at(-1);
  for (let i = scopes.length - 1; i >= 0; i -= 1) {
    const found = lookUp(scopes[i], path, rendering.work).filter((value) => value !== undefined);
    if (found.length > 0) return found.length === 1 ? found[0] : found;
  }
  return undefined;
}

function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}

/** The text of a value: lists are joined, objects are empty. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, 1000).map(scalarText).join(", ");
  return scalarText(value);
}

function scalarText(value: unknown): string {
  const isScalar =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isScalar ? String(value).slice(0, MAX_OUTPUT) : "";
}
