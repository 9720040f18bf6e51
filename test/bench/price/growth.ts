// Divides the growth of a database between alerts and their request logs. Pure.
import type { TreeSizes } from "./bytes.ts";

export type Growth = {
  readonly name: string;
  /** Bytes per alert that stay when the request logs are deleted, and those that go. */
  readonly kept: number;
  readonly requestLog: number;
};

/**
 * The growth of each table and index per alert, the largest first. The share of the request logs is
 * that of the rows which their deletion takes from the tree.
 *
 * @param before before the alerts
 * @param after with the alerts
 * @param left after the deletion of their request logs
 */
export function growthPerAlert(
  before: TreeSizes,
  after: TreeSizes,
  left: TreeSizes,
  alerts: number,
): Growth[] {
  const growths = [...after].map(([name, { bytes, payload }]) => {
    const earlier = before.get(name) ?? { bytes: 0, payload: 0 };
    const grown = (bytes - earlier.bytes) / alerts;
    const rows = payload - earlier.payload;
    const deleted = payload - (left.get(name)?.payload ?? 0);
    const share = rows > 0 ? Math.min(1, Math.max(0, deleted / rows)) : 0;
    return { name, kept: grown * (1 - share), requestLog: grown * share };
  });
  const total = (it: Growth) => it.kept + it.requestLog;
  return growths.filter((it) => total(it) > 0).sort((a, b) => total(b) - total(a));
}
