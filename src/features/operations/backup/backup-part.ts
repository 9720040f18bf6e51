// The files of one part of a backup: made of its lines, and opened again only if nothing in them was
// changed.
import {
  type BackupPart,
  linesOf,
  parseLines,
  partName,
  plainFile,
  sealedFile,
} from "../../../domain/operations/backup/backup-format.ts";
import {
  type BackupKeys,
  compress,
  decompress,
  digestOfLines,
  seal,
  unseal,
} from "./backup-seal.ts";
import { linesExpectedOf, stepNamed } from "./backup-steps.ts";

export type PartLines = { readonly plain: readonly unknown[]; readonly secret: readonly unknown[] };

export type BackupFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** The files of a part's lines, and their digests; null lines make no file. */
export async function closePart(
  keys: BackupKeys,
  backupId: string,
  name: string,
  lines: { readonly plain: readonly unknown[] | null; readonly secret: readonly unknown[] | null },
): Promise<{ files: BackupFiles } & Pick<BackupPart, "plainDigest" | "secretDigest">> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const digest = (file: string, text: string) => digestOfLines(keys, backupId, file, text);
  let [plainDigest, secretDigest]: (string | null)[] = [null, null];
  if (lines.plain !== null) {
    const [file, text] = [plainFile(name), linesOf(lines.plain)];
    files.set(file, await compress(text));
    plainDigest = await digest(file, text);
  }
  if (lines.secret !== null) {
    const [file, text] = [sealedFile(name), linesOf(lines.secret)];
    files.set(file, await seal(keys, backupId, name, text));
    secretDigest = await digest(file, text);
  }
  return { files, plainDigest: plainDigest ?? null, secretDigest: secretDigest ?? null };
}

/**
 * The lines of a part's files; null if they are not those with which the backup was made, or one is
 * missing: whoever can write to where backups lie decides nothing about what is restored.
 */
export async function openPart(
  keys: BackupKeys,
  backupId: string,
  part: BackupPart,
  files: BackupFiles,
): Promise<PartLines | null> {
  const step = stepNamed(part.step);
  if (step === null || part.name !== partName(numberOf(part), part.step)) return null;
  const expected = linesExpectedOf(step);
  const opened = async (isExpected: boolean, file: string, digest: string | null) => {
    if (!isExpected) return [];
    const bytes = files.get(file);
    if (bytes === undefined) return null;
    const text = await (file === plainFile(part.name)
      ? decompress(bytes)
      : unseal(keys, backupId, part.name, bytes)
    ).catch(() => null);
    if (text === null || digest !== (await digestOfLines(keys, backupId, file, text))) return null;
    return parseLines(text);
  };
  const plain = await opened(expected.plain, plainFile(part.name), part.plainDigest);
  const secret = await opened(expected.secret, sealedFile(part.name), part.secretDigest);
  return plain === null || secret === null ? null : { plain, secret };
}

/** The position of a part in its backup, from 0. */
export const numberOf = ({ name }: Pick<BackupPart, "name">): number => Number(name.slice(0, 6));
