// Reads pasted addresses: `Ana Silva <ana@example.com>, ben@example.com`, one or several in a line.
import { addressParser } from "postal-mime";

export type AddressEntry = {
  /** The line it stands on, from 1. */
  readonly line: number;
  /** As it was pasted, to be shown again. */
  readonly text: string;
  readonly name: string;
  /** Lower case; empty if there is none. */
  readonly email: string;
};

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Whether the entry has an address. The API decides whether it is valid. */
export const hasAddress = ({ email }: AddressEntry): boolean => ADDRESS.test(email);

/** A name as it can be pasted again: special characters need quotes. */
const quoted = (name: string): string =>
  /[,;:<>@"()]/.test(name) ? `"${name.replaceAll(/["\\]/g, "")}"` : name;

/** The entry as text, in the form in which it can be pasted again. */
const textOf = (name: string, address: string): string =>
  name === "" ? address : address === "" ? name : `${quoted(name)} <${address}>`;

/** A name that has no address, because the address parser takes any word for a name. */
function entryOf(line: number, name = "", address = ""): AddressEntry {
  const bare = address === "" && name.includes("@") ? name : address;
  const ownName = bare === name ? "" : name;
  const email = bare.trim().toLowerCase();
  return { line, text: textOf(ownName, bare), name: ownName.trim(), email };
}

/** The entries of a pasted text, in order. Semicolons separate like commas. */
export function readAddresses(text: string): readonly AddressEntry[] {
  return text.split(/\r?\n/).flatMap((content, at) =>
    addressParser(content.replaceAll(";", ",").replaceAll("\t", " "), { flatten: true })
      .map(({ name, address }) => entryOf(at + 1, name, address))
      .filter((entry) => entry.text.trim() !== ""),
  );
}
