// What becomes of each pasted address: before an import, and after it.
import { Badge, type Tone } from "../../kernel/console/badge.tsx";
import { Table } from "../../kernel/console/table.tsx";
import type { Names } from "../names.ts";
import { type AddressEntry, hasAddress } from "./address-lines.ts";

type EntryStatus = "new" | "member" | "pending" | "repeated" | "invalid" | "refused";

export type ImportEntry = AddressEntry & {
  readonly status: EntryStatus;
  /** What the API says about it, if anything. */
  readonly message?: string | null;
};

const WORDS: Readonly<Record<EntryStatus, readonly [Tone, string]>> = {
  new: ["good", "new"],
  member: ["quiet", "already a member"],
  pending: ["quiet", "already invited"],
  repeated: ["quiet", "repeated"],
  invalid: ["bad", "not an e-mail address"],
  refused: ["bad", "not added"],
};

/** What would become of each entry. */
export function judgeEntries(
  entries: readonly AddressEntry[],
  { people }: Pick<Names, "people">,
): readonly ImportEntry[] {
  const states = new Map(
    people.flatMap(({ state, user }) =>
      user.emails.map(({ email }) => [email.toLowerCase(), state] as const),
    ),
  );
  const seen = new Set<string>();
  return entries.map((entry) => {
    const isRepeated = seen.has(entry.email);
    seen.add(entry.email);
    if (!hasAddress(entry)) return { ...entry, status: "invalid" };
    if (isRepeated) return { ...entry, status: "repeated" };
    const state = states.get(entry.email);
    if (state === undefined) return { ...entry, status: "new" };
    return { ...entry, status: state === "pending" ? "pending" : "member" };
  });
}

export const ImportTable = ({ entries }: { readonly entries: readonly ImportEntry[] }) => (
  <Table
    label="Pasted addresses"
    rows={entries}
    columns={[
      { title: "Line", kind: "number", cell: ({ line }) => line },
      { title: "Name", cell: ({ name, email }) => name || email.split("@", 1)[0] },
      { title: "E-mail", cell: ({ email, text }) => email || text },
      {
        title: "Status",
        cell: ({ status, message }) => {
          const [tone, word] = WORDS[status];
          return (
            <>
              <Badge tone={tone}>{word}</Badge> {message}
            </>
          );
        },
      },
    ]}
  />
);
