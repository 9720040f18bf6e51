// Which routes a path of the API has: for the answer to a method that it has not, and for calls without a hop.
import type { Route } from "./route.ts";

export type Found = {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
};

function paramsOf(pattern: string, parts: readonly string[]): Record<string, string> | null {
  const names = pattern.split("/");
  if (names.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const part = parts[i] ?? "";
    if (name.startsWith(":") && part !== "") params[name.slice(1)] = part;
    else if (name !== part) return null;
  }
  return params;
}

/** Every route of a path (below `/api/v4`, still encoded), in the list's order: the first of a method is its. */
export function findRoutes(routes: readonly Route[], path: string): Found[] {
  const parts = path.replace(/\/$/, "").split("/").map(decoded);
  return routes.flatMap((route) => {
    const params = paramsOf(route.path, parts);
    return params ? [{ route, params }] : [];
  });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
