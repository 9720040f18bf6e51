// Writes records that are about to be removed to the archive, an R2 bucket. A deployment without the
// bucket removes them without a copy.
import {
  type ArchiveBatch,
  mergedRecords,
  ndjsonOf,
  recordsOf,
} from "../../../domain/shared/archive.ts";
import { gunzip, gzip } from "./gzip.ts";

/**
 * Writes objects to the archive. Resolves once R2 has confirmed all of them. An object that exists
 * already, from a run that was interrupted, keeps its records.
 *
 * @throws if one could not be written; the others may have been
 */
export async function writeArchive(
  bucket: R2Bucket,
  batches: readonly ArchiveBatch[],
): Promise<void> {
  for (const batch of batches) await writeBatch(bucket, batch);
}

async function writeBatch(bucket: R2Bucket, { key, records }: ArchiveBatch): Promise<void> {
  const existing = await bucket.get(key);
  const earlier = existing === null ? [] : recordsOf(await gunzip(existing.body));
  const body = await gzip(ndjsonOf(mergedRecords([...earlier, ...records])));
  const written = await bucket.put(key, body, {
    httpMetadata: { contentType: "application/gzip" },
    // Never replaces an object that it has not read.
    onlyIf: new Headers(
      existing === null ? { "If-None-Match": "*" } : { "If-Match": existing.httpEtag },
    ),
  });
  if (written === null) throw new Error(`${key} was written by another run`);
}
