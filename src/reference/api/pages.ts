// The pages of the API: one for each group of operations, with the records that they answer, and one of what all share.
import { block, code, escapeHtml, textOf } from "../html.ts";
import { renderInline, renderMarkdown } from "../markdown.ts";
import { contentsOf, type DocsPage } from "../page.ts";
import type { SearchEntry } from "../search.ts";
import { type AddressOf, answerFields, parameterFields } from "./fields.ts";
import {
  type Document,
  exampleOf,
  isReference,
  type OpenApiOperation,
  referencesOf,
  resolved,
} from "./openapi.ts";
import { methodBadges, operationSection, type Placed } from "./operation.ts";

/** `On-call events` → `/docs/api/on-call-events` */
const tagPath = (tag: string): string => `/docs/api/${tag.toLowerCase().replaceAll(" ", "-")}`;

/** All operations. `PATCH` of a path that has the same `PUT` is a part of it. */
function operationsOf({ paths }: Document): Placed[] {
  return Object.entries(paths).flatMap(([path, { patch, ...item }]) =>
    Object.entries(patch && !item.put ? { ...item, patch } : item).map(([method, operation]) => ({
      ...{ path, method, operation },
      ...(method === "put" && patch && { alias: patch }),
    })),
  );
}

/** The schemas that an operation's answers name. */
const answeredBy = ({ responses }: OpenApiOperation): string[] =>
  Object.values(responses).flatMap((it) =>
    isReference(it)
      ? []
      : Object.values(it.content ?? {}).flatMap(({ schema }) => referencesOf(schema)),
  );

/** The schemas that an operation's body refers to, without the one that is the body: its fields are at the operation. */
const referredByBody = (document: Document, { requestBody }: OpenApiOperation): string[] =>
  Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => {
    const whole = resolved(document, schema);
    return whole.oneOf || whole.allOf ? [] : referencesOf(whole);
  });

/** What a refused request is answered with: on the overview. */
const REFUSAL_RECORDS = ["Error", "ErrorMessage"] as const;

/**
 * The group on whose page each record is: the one whose operations answer it most often. A record that is only a part of
 * others is on the page of the first of them.
 */
function homesOf(document: Document, operations: readonly Placed[]): ReadonlyMap<string, string> {
  const uses = new Map<string, Map<string, number>>();
  const isList = (name: string) => document.components.schemas[name]?.properties?.data?.items?.$ref;
  const recordsIn = (names: readonly string[]): string[] =>
    names.flatMap((name) =>
      isList(name) ? referencesOf(document.components.schemas[name] ?? {}) : [name],
    );
  for (const { operation } of operations) {
    const [tag = ""] = operation.tags;
    for (const name of recordsIn(answeredBy(operation))) {
      const counts = uses.get(name) ?? new Map<string, number>();
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
      uses.set(name, counts);
    }
  }
  const homes = new Map<string, string>();
  for (const [name, counts] of uses) {
    const [[tag] = [""]] = [...counts].sort(([, one], [, other]) => other - one);
    homes.set(name, tag);
  }
  for (const { operation } of operations) {
    for (const name of referredByBody(document, operation)) {
      if (!homes.has(name)) homes.set(name, operation.tags[0] ?? "");
    }
  }
  // A Map's iteration reaches what is added during it: parts of parts, too.
  for (const [name, tag] of homes) {
    for (const part of referencesOf(document.components.schemas[name] ?? {})) {
      if (!homes.has(part)) homes.set(part, tag);
    }
  }
  for (const name of REFUSAL_RECORDS) homes.delete(name);
  return homes;
}

function recordSection(document: Document, name: string, addressOf: AddressOf): string {
  const schema = document.components.schemas[name] ?? {};
  const example = document.components.examples[name]?.value;
  return `<section class="record" id="${name}">
<h2><a href="#${name}">${name}</a></h2>
${schema.description ? `<p>${renderInline(schema.description)}</p>` : ""}
${answerFields(document, schema, addressOf)}
${example === undefined ? "" : `<details><summary>Example</summary>${block(JSON.stringify(example, null, 2))}</details>`}
</section>`;
}

const fieldNames = (document: Document, operation: OpenApiOperation): string[] =>
  Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(resolved(document, schema).properties ?? {}),
  );

function operationEntry(document: Document, placed: Placed): SearchEntry {
  const { path, operation, alias } = placed;
  const { operationId, summary, description = "", tags } = operation;
  const text = `${textOf(methodBadges(placed))} ${path} ${operationId} ${alias?.operationId ?? ""} ${textOf(renderInline(description))} ${fieldNames(document, operation).join(" ")}`;
  const page = tags[0] ?? "";
  return { title: summary, page, url: `${tagPath(page)}#${operationId}`, text: text.trim() };
}

const recordEntry = (document: Document, name: string, page: string): SearchEntry => ({
  title: name,
  page,
  url: `${tagPath(page)}#${name}`,
  text: `Attributes: ${Object.keys(document.components.schemas[name]?.properties ?? {}).join(" ")}`,
});

function tagPage(
  document: Document,
  tag: Document["tags"][number],
  operations: readonly Placed[],
  records: readonly string[],
  addressOf: AddressOf,
): DocsPage {
  const list = operations.map(
    (it) =>
      `<li><a href="#${it.operation.operationId}">${escapeHtml(it.operation.summary)}</a> <span class="call">${methodBadges(it)} ${code(it.path)}</span></li>`,
  );
  return {
    path: tagPath(tag.name),
    title: tag.name,
    lead: textOf(renderInline(tag.description)),
    body: `<p class="lead">${renderInline(tag.description)}</p>
<nav aria-label="On this page"><ul class="operations">${list.join("\n")}</ul>${
      records.length > 0
        ? `<p class="words"><span>Records:</span>${records.map((name) => `<a href="#${name}">${code(name)}</a>`).join(" ")}</p>`
        : ""
    }</nav>
${operations.map((it) => operationSection(document, it, addressOf)).join("\n")}
${records.map((name) => recordSection(document, name, addressOf)).join("\n")}`,
    entries: [
      ...operations.map((it) => operationEntry(document, it)),
      ...records.map((name) => recordEntry(document, name, tag.name)),
    ],
  };
}

const OVERVIEW = "API overview";

const SHELL = `export TOCSIN_URL=https://pager.example.com   # or what npm start printed
export TOCSIN_KEY=...                         # an API key
curl "$TOCSIN_URL/api/v4/alerts" -H "Authorization: Bearer $TOCSIN_KEY"
`;

function refusalSection(document: Document, name: string, status: string): string {
  const response = document.components.responses[name];
  const [media] = Object.values(response?.content ?? {});
  return `<section id="${name}"><h3>${status} ${name}</h3><p>${renderInline(response?.description ?? "")}</p>${
    media ? block(JSON.stringify(exampleOf(document, media), null, 2)) : ""
  }</section>`;
}

const SECTIONS = [
  ["requests", "Requests"],
  ["authentication", "Authentication"],
  ["parameters", "Shared parameters"],
  ["refusals", "Refusals"],
  ["generators", "For generators of clients"],
] as const;

const heading = (anchor: (typeof SECTIONS)[number][0]): string =>
  `<h2 id="${anchor}">${SECTIONS.find(([it]) => it === anchor)?.[1]}</h2>`;

/** What all operations share. */
function overviewPage(document: Document, addressOf: AddressOf): DocsPage {
  const { securitySchemes, parameters } = document.components;
  const statuses = new Map<string, string>();
  for (const { operation } of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (isReference(response)) statuses.set(response.$ref.replace(/^.*\//, ""), status);
    }
  }
  const refusals = [...statuses].sort(([, one], [, other]) => Number(one) - Number(other));
  // `**Lists** have …` begins a paragraph that other pages refer to.
  const conventions = renderMarkdown(document.info.description).replaceAll(
    /<p><strong>(\w+)<\/strong>/g,
    (_, word: string) => `<p id="${word.toLowerCase()}"><strong>${word}</strong>`,
  );
  const schemes = Object.entries(securitySchemes).map(
    ([name, { description }]) =>
      `<div><dt>${code(name)}</dt><dd><p>${renderInline(description)}</p></dd></div>`,
  );
  const lead =
    "Everything that the console does, programs do by this API: it has the same permissions, refusals and history.";
  return {
    path: "/docs/api",
    title: OVERVIEW,
    lead,
    body: `<p class="lead">${lead}</p>
${contentsOf(SECTIONS.map(([anchor, title]) => ({ anchor, title })))}
${block(SHELL)}
<p>The requests on the pages of this reference use these two variables, so that they can be pasted as they are.</p>
${heading("requests")}
${conventions}
${heading("authentication")}
<p>An operation says under <i>Permission</i> who may call it. Keys are made in the console or by <a href="${tagPath("API keys")}#createApiKey">POST /api/v4/api_keys</a>.</p>
<dl class="fields">${schemes.join("\n")}</dl>
${heading("parameters")}
<p>Of lists, unless they are headers; an operation names those that it takes.</p>
${Object.values(parameters)
  .map((it) => `<div id="parameter-${it.name}">${parameterFields([it], addressOf)}</div>`)
  .join("\n")}
${heading("refusals")}
<p>An operation lists the statuses with which it refuses a request. All have the same body.</p>
${REFUSAL_RECORDS.map(
  (name) =>
    `<div id="${name}">${answerFields(document, document.components.schemas[name] ?? {}, addressOf)}</div>`,
).join("\n")}
${refusals.map(([name, status]) => refusalSection(document, name, status)).join("\n")}
${heading("generators")}
<p><a href="/openapi.json">openapi.json</a> describes all of this in OpenAPI 3.1. <code>npm run soak:clients</code> generates clients in
TypeScript and Python from it, and checks them.</p>`,
    entries: [
      ...SECTIONS.map(([anchor, title]) => ({
        ...{ title, page: OVERVIEW, url: `/docs/api#${anchor}` },
        text: anchor === "requests" ? textOf(conventions) : "",
      })),
      ...refusals.map(([name, status]) => ({
        ...{ title: `${status} ${name}`, page: OVERVIEW, url: `/docs/api#${name}` },
        text: textOf(renderInline(document.components.responses[name]?.description ?? "")),
      })),
    ],
  };
}

/** The page of what all operations share, and one of each group in the order of the document. */
export function apiPages(document: Document): DocsPage[] {
  const operations = operationsOf(document);
  const homes = homesOf(document, operations);
  const addressOf: AddressOf = (name) => {
    const home = homes.get(name);
    return home === undefined ? `/docs/api#${name}` : `${tagPath(home)}#${name}`;
  };
  const groups = document.tags.map((tag) =>
    tagPage(
      document,
      tag,
      operations.filter(({ operation }) => operation.tags[0] === tag.name),
      [...homes].filter(([, home]) => home === tag.name).map(([name]) => name),
      addressOf,
    ),
  );
  return [overviewPage(document, addressOf), ...groups];
}
