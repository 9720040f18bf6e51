// Finds the API routes of a path: for the `Allow` header of a 405, and for calls within the worker.
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

/** All routes of a path below `/api/v4` (still encoded). The first one of a method serves it. */
export function findRoutes(routes: readonly Route[], path: string): Found[] {
  const parts = path.replace(/\/$/, "").split("/").map(decode);
  return routes.flatMap((route) => {
    const params = paramsOf(route.path, parts);
    return params ? [{ route, params }] : [];
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
