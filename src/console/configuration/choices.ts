// Finds choices while somebody types in a field that picks from many records, for the script.

import { findByName } from "../../domain/shared/name-search.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import type { AccountUser } from "../../features/people/account-users/contract.ts";
import { findChoices } from "../../kernel/console/picker-search.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { partsOf, type SourcePart } from "../../kernel/console/sources.ts";
import { alertsQuery } from "../alerts/alert-query.ts";
import { factsOfCandidate } from "../alerts/alert-sheet.tsx";
import { isRunning } from "../alerts/alert-state.ts";
import { MOST_RECORDS } from "../api.ts";
import type { Api } from "../api-client.ts";
import { regionChoices } from "../choices.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { allOf, readNames } from "../reads.ts";

/** The most choices that a search finds; further letters find the others. */
const MOST = 12;

type Contacts = Pick<AccountUser["user"], "name" | "emails" | "phones">;

type NamedRecord = { readonly id: string } & (
  | { readonly name: string }
  | { readonly user: Contacts }
);

/** A record as its source offers it. */
type Offered = {
  readonly choice: { readonly value: string; readonly label: string; readonly note?: string };
  /** Addresses that lead to it too. */
  readonly further: readonly string[];
};

/** The first address tells two people of one name apart. */
function offer({ kind, word }: SourcePart, record: NamedRecord): Offered {
  const { name, emails, phones }: Contacts =
    "user" in record ? record.user : { name: record.name, emails: [], phones: [] };
  const [first] = emails;
  return {
    choice: {
      value: kind ? `${kind} ${record.id}` : record.id,
      label: word ? `${word} ${name}` : name,
      note: first?.email,
    },
    further: [...emails.map(({ email }) => email), ...phones.map(({ phone }) => phone)],
  };
}

/**
 * Reads a whole list: the word before a name is searched too, which the API does not have. Of a list
 * that is longer than a page, also what the API's search finds: the best match may be the oldest.
 */
async function readList(
  api: Api,
  { list }: SourcePart,
  q: string,
): Promise<readonly NamedRecord[] | Refusal> {
  const newest = await api.get(list, { limit: MOST_RECORDS });
  if (isRefusal(newest)) return newest;
  if (!newest.has_more || q === "") return newest.data;
  const found = await api.get(list, { q, limit: MOST_RECORDS });
  if (isRefusal(found)) return found;
  const records: readonly NamedRecord[] = [...newest.data, ...found.data];
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

const byLabel = new Intl.Collator("en", { numeric: true }).compare;

/** What matches a text, best first; without one everything, in alphabetical order. */
function search(offered: readonly Offered[], q: string): readonly Offered[] {
  if (q === "") return offered.toSorted((a, b) => byLabel(a.choice.label, b.choice.label));
  return findByName(offered, q, ({ choice, further }) => ({ name: choice.label, further }));
}

async function findRegions({ api, query }: Visit): Promise<Reply> {
  const regions = await api.get("/holidays/regions");
  if (isRefusal(regions)) return regions;
  const choices = findChoices(regionChoices(regions.data), query.get("q") ?? "");
  return { kind: "data", value: { choices, more: false } };
}

/** The alerts into which others can be merged, newest first. */
async function findAlerts(visit: Visit): Promise<Reply> {
  const { api, query } = visit;
  const q = (query.get("q") ?? "").trim().slice(0, 100);
  const read = await allOf(
    api.get("/alerts", { ...alertsQuery(q === "" ? {} : { q }, "all"), limit: MOST + 1 }),
    readNames(api),
  );
  if (isRefusal(read)) return read;
  const [{ data, has_more: more }, names] = read;
  const choices = data
    .filter((alert) => alert.id !== query.get("except") && isRunning(alert))
    .slice(0, MOST)
    .map((alert) => ({
      value: alert.prefix_id,
      label: alert.title.slice(0, 100),
      note: factsOfCandidate(alert, names, visit),
    }));
  return { kind: "data", value: { choices, more } };
}

async function find(visit: Visit): Promise<Reply> {
  const { api, query } = visit;
  if (query.get("from") === "regions") return findRegions(visit);
  if (query.get("from") === "alerts") return findAlerts(visit);
  const parts = partsOf(query.get("from") ?? "");
  if (parts === null) return refuse("not_found", "no such choices");
  const q = (query.get("q") ?? "").trim().slice(0, 100);
  const lists = await allOf(
    ...parts.map(async (part) => {
      const records = await readList(api, part, q);
      if (isRefusal(records)) return records;
      return records
        .filter(({ id }) => id !== query.get("except"))
        .map((record) => offer(part, record));
    }),
  );
  if (isRefusal(lists)) return lists;
  // In the order of the parts: among many teams nobody would find a person.
  const found = lists.map((list) => search(list, q));
  const choices = found.flatMap((list) => list.slice(0, MOST).map(({ choice }) => choice));
  return { kind: "data", value: { choices, more: found.flat().length > choices.length } };
}

export const choicesPages: readonly ConsolePage[] = [page("/choices", find)];
