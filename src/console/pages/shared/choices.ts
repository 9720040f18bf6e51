// Finds choices while somebody types in a field that picks from many records, for the script.
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { regionChoices } from "../../forms/choices.ts";
import { type ConsolePage, page, type Reply, type Visit } from "../../page.ts";
import { findChoices } from "../../pickers/picker-search.ts";
import { partsOf } from "../../pickers/sources.ts";
import { allOf } from "../../shared/api.ts";

/** Per list. */
const MOST = 10;

/** A record's name, and an address that tells two people of one name apart. */
function labelled(record: NamedRecord): { readonly name: string; readonly note?: string } {
  if (!("user" in record)) return { name: record.name };
  const [email] = record.user.emails;
  return { name: record.user.name, ...(email && { note: email.email }) };
}

type NamedRecord =
  | { readonly name: string }
  | { readonly user: { readonly name: string; readonly emails: readonly { email: string }[] } };

async function findRegions({ api, query }: Visit): Promise<Reply> {
  const regions = await api.get("/holidays/regions");
  if (isRefusal(regions)) return regions;
  const choices = findChoices(regionChoices(regions.data), query.get("q") ?? "");
  return { kind: "data", value: { choices, more: false } };
}

async function find(visit: Visit): Promise<Reply> {
  const { api, query } = visit;
  if (query.get("from") === "regions") return findRegions(visit);
  const parts = partsOf(query.get("from") ?? "");
  if (parts === null) return refuse("not_found", "no such choices");
  const q = (query.get("q") ?? "").trim().slice(0, 100);
  const lists = await allOf(
    ...parts.map(async (part) => {
      const list = await api.get(part.list, { q, limit: MOST });
      if (isRefusal(list)) return list;
      const offered = list.data.filter(({ id }) => id !== query.get("except"));
      const choices = offered.map((record) => {
        const { name, note } = labelled(record);
        return {
          value: part.kind ? `${part.kind} ${record.id}` : record.id,
          label: part.word ? `${part.word} ${name}` : name,
          ...(note && { note }),
        };
      });
      return { choices, hasMore: list.has_more };
    }),
  );
  if (isRefusal(lists)) return lists;
  const choices = lists.flatMap((list) => list.choices);
  return { kind: "data", value: { choices, more: lists.some(({ hasMore }) => hasMore) } };
}

export const choicesPages: readonly ConsolePage[] = [page("/choices", find)];
