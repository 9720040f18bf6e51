/** The archive's bucket, which keeps removed records and nightly backups; null if none is bound. */
export const archiveOf = (env: Cloudflare.Env): R2Bucket | null => env.ARCHIVE ?? null;
