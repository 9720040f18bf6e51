// Requests for tests that send thousands: like `call`, but without the check against the reference.
import { exports } from "cloudflare:workers";
import type { Account, Reply } from "../api/api.ts";

/** Sends one request with the account's key; the body is sent as JSON unless it is a string. */
export async function plain(
  { key }: Pick<Account, "key">,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Reply> {
  const { body, headers } = options;
  const response = await exports.default.fetch(`https://tocsin.test/api/v4${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    redirect: "manual",
  });
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  const parsed = type.startsWith("application/json") ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, body: parsed, text };
}
