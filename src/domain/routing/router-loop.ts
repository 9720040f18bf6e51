// Finds loops of routers. A loop would page nobody. Pure.

/** One router leads to another, by its default receiver or a rule. */
export type RouterEdge = {
  readonly id: string;
  readonly name: string;
  /** The id of the router it leads to. */
  readonly receiverId: string;
};

/**
 * The names along a path from a router back to itself; null when there is none.
 *
 * @param next the routers it will lead to
 * @param edges the stored edges of the account; those of the router itself are outdated
 */
export function findLoop(
  router: { readonly id: string; readonly name: string },
  next: readonly string[],
  edges: readonly RouterEdge[],
): readonly string[] | null {
  const names = new Map(edges.map(({ id, name }) => [id, name]));
  const leads = Map.groupBy(edges, ({ id }) => id);
  const seen = new Set<string>();
  const open = next.map((id) => [id]);
  for (let way = open.shift(); way; way = open.shift()) {
    const last = way.at(-1) ?? "";
    if (last === router.id) {
      return [router.name, ...way.slice(0, -1).map((id) => names.get(id) ?? id), router.name];
    }
    if (seen.has(last)) continue;
    seen.add(last);
    for (const { receiverId } of leads.get(last) ?? []) open.push([...way, receiverId]);
  }
  return null;
}
