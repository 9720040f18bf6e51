// An operation of the API as a section of its page.
import { block, code, escapeHtml } from "../html.ts";
import { renderInline } from "../markdown.ts";
import { curlOf } from "./curl.ts";
import { type AddressOf, bodyFields, kindOf, parameterFields } from "./fields.ts";
import {
  type Document,
  exampleOf,
  isReference,
  type Media,
  nameOf,
  type OpenApiOperation,
  type OpenApiParameter,
  parametersOf,
  type Response,
  resolved,
} from "./openapi.ts";

/** An operation with its place. */
export type Placed = {
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  readonly operation: OpenApiOperation;
  /** The `PATCH` that does the same as this `PUT`. */
  readonly alias?: OpenApiOperation;
};

export const methodBadges = ({ method, alias }: Placed): string =>
  [method, ...(alias ? ["patch"] : [])]
    .map((it) => `<b class="method ${it}">${it.toUpperCase()}</b>`)
    .join(" ");

/** The parameters that every list has, and the headers that every request may have: described once, on the page "API". */
const isShared = (document: Document, { name }: OpenApiParameter): boolean =>
  Object.values(document.components.parameters).some((it) => it.name === name);

/** The sentence about roles, with which a description ends. */
const PERMISSION = /\s*(Requires the role .*)$/;

function permissionOf(document: Document, { operation, method }: Placed): string {
  const { description = "", security } = operation;
  const schemes = security ?? document.security;
  if (security === undefined) {
    const [, needed] = PERMISSION.exec(description) ?? [];
    if (needed) return renderInline(needed);
    return method === "get" ? "Every API key." : "Every API key that is not read-only.";
  }
  const names = schemes.flatMap((it) => Object.keys(it));
  if (names.length === 0) return "Everybody who has the address.";
  return names
    .map((name) => renderInline(document.components.securitySchemes[name]?.description ?? name))
    .join(" ");
}

function parameterSections(
  document: Document,
  operation: OpenApiOperation,
  addressOf: AddressOf,
): string {
  const parameters = parametersOf(document, operation);
  const shared = parameters.filter((it) => isShared(document, it));
  const own = parameters.filter((it) => !shared.includes(it));
  const isList = own.some(({ name }) => name === "sort");
  const isFilter = (it: OpenApiParameter) =>
    isList && it.in === "query" && !["sort", "q"].includes(it.name);
  const filters = own.filter(isFilter);
  const others = own.filter((it) => !isFilter(it));
  return [
    others.length > 0 && `<h3>Parameters</h3>${parameterFields(others, addressOf)}`,
    filters.length > 0 &&
      `<details><summary>Filters: ${filters.length}</summary>${parameterFields(filters, addressOf)}</details>`,
    shared.length > 0 &&
      `<p class="soft">${others.length > 0 ? "Also" : "Takes"} ${shared
        .map(({ name }) => `<a href="/docs/api#parameter-${name}">${code(name)}</a>`)
        .join(", ")}.</p>`,
  ]
    .filter(Boolean)
    .join("\n");
}

function bodySection(
  document: Document,
  operation: OpenApiOperation,
  addressOf: AddressOf,
): string {
  const { requestBody } = operation;
  const [media] = Object.values(requestBody?.content ?? {});
  if (!requestBody || !media) return "";
  return `<h3>Body</h3>${requestBody.description ? `<p>${renderInline(requestBody.description)}</p>` : ""}${bodyFields(document, media.schema, addressOf)}`;
}

/** The record of a list's page, if an answer is one. */
function listedRecord(document: Document, { schema }: Media): string | undefined {
  const { data } = resolved(document, schema).properties ?? {};
  return data?.items?.$ref ? nameOf({ $ref: data.items.$ref }) : undefined;
}

function answer(document: Document, status: string, response: Response, addressOf: AddressOf) {
  const [content] = Object.entries(response.content ?? {});
  const description = renderInline(response.description);
  if (!content) return `<p><b class="status">${status}</b> ${description}</p>`;
  const [type, media] = content;
  const listed = listedRecord(document, media);
  const example = exampleOf(document, media);
  const isRecord = media.schema.$ref !== undefined || media.schema.items?.$ref !== undefined;
  const kind = listed
    ? `<a href="/docs/api#lists">list</a> of <a href="${addressOf(listed)}">${listed}</a>`
    : isRecord || media.schema.anyOf
      ? kindOf(media.schema, addressOf)
      : escapeHtml(type);
  return `<p><b class="status">${status}</b> ${description} <span class="kind">${kind}</span></p>${
    isRecord || listed || example === undefined
      ? ""
      : block(typeof example === "string" ? example : JSON.stringify(example, null, 2))
  }`;
}

function answerSections(document: Document, { responses }: OpenApiOperation, addressOf: AddressOf) {
  const answers: string[] = [];
  const refusals: string[] = [];
  for (const [status, response] of Object.entries(responses)) {
    if (isReference(response)) {
      const name = nameOf(response);
      refusals.push(`<a href="/docs/api#${name}">${status} ${name}</a>`);
    } else answers.push(answer(document, status, response, addressOf));
  }
  return [
    answers.length > 0 && `<h3>Answer</h3>${answers.join("\n")}`,
    refusals.length > 0 && `<p class="refusals">Refusals: ${refusals.join(", ")}.</p>`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Renders the section. */
export function operationSection(document: Document, placed: Placed, addressOf: AddressOf): string {
  const { path, method, operation, alias } = placed;
  const { operationId, summary, description = "", deprecated } = operation;
  const about = description.replace(PERMISSION, "");
  const curl = curlOf(document, path, method, operation);
  return `<section class="operation" id="${operationId}">
<h2><a href="#${operationId}">${escapeHtml(summary)}</a></h2>
<p class="call"${alias ? ` id="${alias.operationId}"` : ""}>${methodBadges(placed)} ${code(path)}</p>
${deprecated ? "<p>Not supported: every request is refused.</p>" : ""}${about ? `<p>${renderInline(about)}</p>` : ""}
<p class="soft">Permission: ${permissionOf(document, placed)}</p>
${parameterSections(document, operation, addressOf)}
${bodySection(document, operation, addressOf)}
${curl === null ? "" : `<h3>Request</h3>${block(curl)}`}
${answerSections(document, operation, addressOf)}
</section>`;
}
