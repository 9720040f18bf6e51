// A request of each operation as a command that can be pasted into a shell.
import {
  type Document,
  exampleOf,
  type OpenApiOperation,
  type OpenApiParameter,
  parametersOf,
} from "./openapi.ts";

/** How a request proves who sends it, by the scheme of the document; providers sign theirs themselves. */
const HEADERS: Readonly<Record<string, string>> = {
  api_key: "Authorization: Bearer $TOCSIN_KEY",
  metrics_token: "Authorization: Bearer $METRICS_TOKEN",
  genie_key: "Authorization: GenieKey $INTAKE_KEY",
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const exampleValue = ({ example, schema }: OpenApiParameter): string =>
  String(example ?? schema.enum?.[0] ?? schema.default ?? "");

function addressOf(path: string, parameters: readonly OpenApiParameter[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((it) => it.in === "path" && it.name === name);
    return parameter ? encodeURIComponent(exampleValue(parameter)) : "";
  });
  const query = parameters
    .filter((it) => it.in === "query" && it.required)
    .map((it) => `${it.name}=${encodeURIComponent(exampleValue(it))}`);
  return query.length > 0 ? `${filled}?${query.join("&")}` : filled;
}

/** The header of the operation's first scheme; null if only a provider can sign its requests. */
function credentialsOf(document: Document, { security }: OpenApiOperation): string[] | null {
  const [first = {}] = security ?? document.security;
  const [scheme] = Object.keys(first);
  if (scheme === undefined) return [];
  const header = HEADERS[scheme];
  return header === undefined ? null : [`-H "${header}"`];
}

/**
 * The command, with the variables of the page "API": the address, and the key. Null for what only a provider sends.
 *
 * @param method in lower case
 */
export function curlOf(
  document: Document,
  path: string,
  method: string,
  operation: OpenApiOperation,
): string | null {
  const credentials = credentialsOf(document, operation);
  if (credentials === null) return null;
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const body = content && exampleOf(document, content[1]);
  const address = addressOf(path, parametersOf(document, operation));
  const parts = [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"$TOCSIN_URL${address}"`,
    ...credentials,
    ...(content && body !== undefined
      ? [
          `-H 'Content-Type: ${content[0]}'`,
          `-d ${quoted(typeof body === "string" ? body : JSON.stringify(body, null, 2))}`,
        ]
      : []),
  ];
  return parts.join(" \\\n  ");
}
