// Finds the API routes of a path: for the `Allow` header of a 405.
import type { Route } from "./route.ts";

function isMatch(pattern: string, parts: readonly string[]): boolean {
  const names = pattern.split("/");
  return (
    names.length === parts.length &&
    names.every((name, i) => (name.startsWith(":") && parts[i] !== "") || name === parts[i])
  );
}

/** All routes of a path below `/api/v4` (still encoded), in the order of the list. */
export function findRoutes(routes: readonly Route[], path: string): Route[] {
  const parts = path.replace(/\/$/, "").split("/").map(decode);
  return routes.filter((route) => isMatch(route.path, parts));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
