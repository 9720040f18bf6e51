// Requests to providers whose APIs take and return JSON. Never logs a number or a text.

type Json = Readonly<Record<string, unknown>>;

/** The status and body of a response. A body that is not an object reads as an empty one. */
export type ApiResponse = { readonly status: number; readonly body: Json };

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** A value as an object; anything else as an empty one. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** A value as a text; anything else as an empty one. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The first element of a list as an object. */
export const firstOf = (value: unknown): Json => objectOf(Array.isArray(value) ? value[0] : null);

/** Parses JSON; an invalid text as an empty object. */
export function parseObject(text: string): Json {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Sends JSON. Returns null if there is no response in time. Never throws. */
export async function sendJson(
  method: "POST" | "PUT",
  url: string,
  authorization: string,
  body: Json,
  timeoutMs: number,
): Promise<ApiResponse | null> {
  try {
    const response = await fetch(url, {
      method,
      headers: { Authorization: authorization, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    // The request is accepted even if the response body cannot be read.
    return { status: response.status, body: objectOf(await response.json().catch(() => null)) };
  } catch {
    return null;
  }
}

/** Whether a request with this status may succeed later. */
export const isTemporaryStatus = (status: number): boolean =>
  status === 408 || status === 429 || status >= 500;
