// Finds routers of a configuration that lead back to themselves: such a loop would page nobody.
import { mapReceivers } from "../../../domain/routing/builder/receivers-in-text.ts";
import type { Entry } from "./section.ts";

/** The keys of the routers to which a router leads, by its default or a rule. */
function nextOf({ default_receiver: receiver, rules }: Entry): readonly string[] {
  const named = new Set<string>();
  const note = (text: string) => {
    if (text.startsWith("router:")) named.add(text.slice("router:".length));
    return text;
  };
  if (typeof receiver === "string") note(receiver);
  if (typeof rules === "string") mapReceivers(rules, note);
  else if (typeof rules === "object" && rules !== null) mapReceivers(JSON.stringify(rules), note);
  return [...named];
}

/**
 * Finds a loop among routers.
 *
 * @param routers their entries by key
 * @returns the keys on the way, the first again at the end; null if there is no loop
 */
export function findRouterLoop(routers: ReadonlyMap<string, Entry>): readonly string[] | null {
  const edges = new Map([...routers].map(([key, entry]) => [key, nextOf(entry)]));
  const done = new Set<string>();
  const walk = (key: string, way: readonly string[]): readonly string[] | null => {
    const at = way.indexOf(key);
    if (at >= 0) return [...way.slice(at), key];
    if (done.has(key)) return null;
    for (const next of edges.get(key) ?? []) {
      const loop = walk(next, [...way, key]);
      if (loop) return loop;
    }
    done.add(key);
    return null;
  };
  for (const key of edges.keys()) {
    const loop = walk(key, []);
    if (loop) return loop;
  }
  return null;
}
