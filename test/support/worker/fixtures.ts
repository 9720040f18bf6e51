// Recorded requests of real senders, with their original headers and bodies.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { InboundRequest } from "../../../src/products/integration-type.ts";
import { parseInbound } from "../../../src/products/reading/inbound.ts";

const encoder = new TextEncoder();

/** A POST of this body, parsed as the receiver does. */
export function inbound(
  body: unknown,
  headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
  url = "https://tocsin.example.org/integration/int_AAAAAAAAAAAAAA",
): InboundRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return parseInbound("POST", new URL(url), new Headers(headers), encoder.encode(text));
}

/** The request in `test/fixtures/<name>.json`, parsed as the receiver does. */
export function fixture(name: string): InboundRequest {
  const file = resolve(import.meta.dirname, `../../fixtures/${name}.json`);
  const { headers, body } = JSON.parse(readFileSync(file, "utf8"));
  return inbound(body, headers);
}
