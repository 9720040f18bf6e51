// Requests to providers whose APIs take and return JSON. Never logs a number or a text.
import type { Proof } from "../domain/operations/provider-health.ts";
import { type JsonObject, objectOf } from "../domain/shared/json.ts";

/** The status and body of a response. A body that is not an object reads as an empty one. */
export type ApiResponse = { readonly status: number; readonly body: JsonObject };

/** The first element of a list as an object. */
export const firstOf = (value: unknown): JsonObject =>
  objectOf(Array.isArray(value) ? value[0] : null);

/** Sends JSON. Returns null if there is no response in time. Never throws. */
export const sendJson = (
  method: "POST" | "PUT",
  url: string,
  authorization: string,
  body: JsonObject,
  timeoutMs: number,
): Promise<ApiResponse | null> => {
  const headers = { Authorization: authorization, "Content-Type": "application/json" };
  return request(url, { method, headers, body: JSON.stringify(body) }, timeoutMs);
};

/** Reads JSON. Returns null if there is no response in time. Never throws. */
export const readJson = (
  url: string,
  authorization: string,
  timeoutMs: number,
): Promise<ApiResponse | null> =>
  request(url, { headers: { Authorization: authorization, "User-Agent": "Tocsin" } }, timeoutMs);

async function request(
  url: string,
  init: RequestInit,
  timeoutMs: number,
): Promise<ApiResponse | null> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    // The request is accepted even if the response body cannot be read.
    return { status: response.status, body: objectOf(await response.json().catch(() => null)) };
  } catch {
    return null;
  }
}

/** Whether a request with this status may succeed later. */
export const isTemporaryStatus = (status: number): boolean =>
  status === 408 || status === 429 || status >= 500;

/**
 * What a response proves of a provider. A status that says nothing of our credentials proves nothing.
 *
 * @param refused the statuses of refused credentials
 * @param credit what is left, in the provider's currency; null: it does not say
 */
export function proofOf(
  response: ApiResponse | null,
  refused: readonly number[],
  credit: number | null = null,
): Proof {
  if (response === null || isTemporaryStatus(response.status)) return { kind: "unreachable" };
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: "accepted", credit };
  return { kind: refused.includes(status) ? "refused" : "unknown" };
}

/** An amount, as a number or in decimals; null for anything else. */
export function amountOf(value: unknown): number | null {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof amount === "number" && Number.isFinite(amount) ? amount : null;
}
