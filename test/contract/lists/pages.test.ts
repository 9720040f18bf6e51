// Order and pages (contract 1, Lists): sorting by every scalar attribute, pages that together contain the list once,
// and totals that stay consistent during concurrent writes.
import { beforeAll, describe, expect, test } from "vitest";
import type { AnyAttribute } from "../../../src/kernel/db/attributes.ts";
import { makeVaried } from "../../support/alerts/varied.ts";
import { makeAccount } from "../../support/api/api.ts";
import {
  addressOf,
  isSortable,
  listsOfEachKind,
  shownLists,
} from "../../support/api/shown-lists.ts";
import { plain } from "../../support/integrations/plain.ts";
import type { Inhabited } from "../../support/worker/inhabited.ts";

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

let world: Inhabited;
beforeAll(async () => {
  world = await makeVaried("pages");
});

async function read(path: string) {
  const { status, body, text } = await plain(world, "GET", path);
  expect(status, `${path} ${text}`).toBe(200);
  return body as { data: Row[]; has_more: boolean; total_count: number };
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

const URGENCIES = ["silent", "low", "medium", "high", "critical"];

/** A sort key in the order of the database: null, then numbers, then strings by their bytes. */
function rank(attribute: AnyAttribute, value: unknown): [number, number, string] {
  if (value === null) return [0, 0, ""];
  // Only an alert's urgency is sorted by anything but the value itself.
  if (attribute.sortedBy) return [1, URGENCIES.indexOf(String(value)), ""];
  if (attribute.kind === "instant") return [1, Date.parse(String(value)), ""];
  if (attribute.kind === "string") {
    return [2, 0, Array.from(new TextEncoder().encode(String(value)), hex).join("")];
  }
  return [1, Number(value), ""];
}
const hex = (byte: number) => byte.toString(16).padStart(2, "0");

function compare(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  const at = one.findIndex((value, i) => value !== other[i]);
  if (at < 0) return 0;
  return (one[at] as number) < (other[at] as number) ? -1 : 1;
}

describe.each(listsOfEachKind.map((list) => [list.path, list] as const))("%s", (_, list) => {
  const names = Object.entries(list.attributes)
    .filter(([, attribute]) => isSortable(attribute))
    .map(([name]) => name);

  test("is sorted by every scalar attribute, ties by id, in either direction", async () => {
    const address = addressOf(list, world);
    const { data: rows } = await read(`${address}?limit=100`);
    await Promise.all(
      names.flatMap((name) =>
        ["asc", "desc"].map(async (direction) => {
          const attribute = list.attributes[name] as AnyAttribute;
          const ascending = [...rows].sort((one, other) =>
            compare(
              [...rank(attribute, one[name]), one.id],
              [...rank(attribute, other[name]), other.id],
            ),
          );
          const expected = direction === "asc" ? ascending : ascending.reverse();
          const path = `${address}?sort=${name}&direction=${direction}&limit=100`;
          expect(idsOf((await read(path)).data), path).toEqual(idsOf(expected));
        }),
      ),
    );
  });

  test("is sorted newest first by default", async () => {
    const address = addressOf(list, world);
    const expected = idsOf(
      (await read(`${address}?sort=created_at&direction=desc&limit=100`)).data,
    );
    expect(idsOf((await read(`${address}?limit=100`)).data)).toEqual(expected);
    expect(idsOf((await read(address)).data)).toEqual(expected.slice(0, 10));
  });
});

describe("pages", () => {
  test.each(shownLists.map((list) => [list.path, list] as const))(
    "of %s contain each row of the list once",
    async (_, list) => {
      const address = addressOf(list, world);
      const all = await read(`${address}?limit=100`);
      expect(all.total_count).toBe(all.data.length);
      expect(all.has_more).toBe(false);
      for (const way of ["page", "offset"]) {
        const seen: string[] = [];
        for (let at = 0; at * 3 < all.total_count; at += 1) {
          const place = way === "page" ? `page=${at + 1}` : `offset=${at * 3}`;
          const { data, has_more, total_count } = await read(`${address}?limit=3&${place}`);
          seen.push(...idsOf(data));
          expect(total_count).toBe(all.total_count);
          expect(has_more).toBe(seen.length < all.total_count);
        }
        expect(seen).toEqual(idsOf(all.data));
      }
      const beyond = await read(`${address}?offset=${all.total_count}`);
      expect(beyond).toEqual({ data: [], has_more: false, total_count: all.total_count });
    },
  );

  test("offset wins over page", async () => {
    const expected = await read("/alerts?limit=2&offset=1");
    expect(await read("/alerts?limit=2&offset=1&page=4")).toEqual(expected);
  });

  test("has_more and total_count match their page during concurrent writes", async () => {
    const { api } = await makeAccount();
    const check = async (offset: number) => {
      const { body } = await api("GET", `/schedules?limit=5&offset=${offset}`);
      const left = Math.max(0, body.total_count - offset);
      expect(body.data).toHaveLength(Math.min(5, left));
      expect(body.has_more).toBe(left > 5);
    };
    const writing = Array.from({ length: 40 }, (_, i) =>
      api("POST", "/schedules", { name: `${i}` }),
    );
    let done = false;
    const written = Promise.all(writing).then(() => {
      done = true;
    });
    for (let i = 0; !done; i += 1) await Promise.all([check(i % 40), check(39), check(0)]);
    await written;
    expect((await api("GET", "/schedules")).body.total_count).toBe(40);
  });

  test("total_count follows every write and ignores refused ones", async () => {
    const { api, accountUserId } = await makeAccount();
    const count = async (query = "") => (await api("GET", `/alerts${query}`)).body.total_count;
    const alert = { title: "x", urgency: "silent", destination_account_user_ids: [accountUserId] };
    const made = [await api("POST", "/alerts", alert), await api("POST", "/alerts", alert)];
    await api("POST", "/alerts", { ...alert, destination_account_user_ids: ["nobody"] });
    expect([await count(), await count("?status=open")]).toEqual([2, 2]);
    await api("POST", `/alerts/${made[0]?.body.id}/resolve`);
    expect([await count("?status=open"), await count("?status=resolved")]).toEqual([1, 1]);
    await api("DELETE", `/alerts/${made[0]?.body.id}`);
    expect([await count(), await count("?status=resolved")]).toEqual([1, 0]);
  });
});
