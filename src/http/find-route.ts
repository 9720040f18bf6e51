// Which routes a path of the API has: for the answer to a method that it has not.
import type { Route } from "./route.ts";

function isMatch(pattern: string, parts: readonly string[]): boolean {
  const names = pattern.split("/");
  return (
    names.length === parts.length &&
    names.every((name, i) => (name.startsWith(":") && parts[i] !== "") || name === parts[i])
  );
}

/** Every route of a path (below `/api/v4`, still encoded), in the list's order. */
export function findRoutes(routes: readonly Route[], path: string): Route[] {
  const parts = path.replace(/\/$/, "").split("/").map(decoded);
  return routes.filter((route) => isMatch(route.path, parts));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
