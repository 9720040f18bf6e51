// `npm run archive`: prints archived records of an account as NDJSON, or lists the days that have any.

import { ndjsonOf } from "../domain/shared/archive.ts";
import { listDays, readDay, withArchive } from "./archive-bucket.ts";
import { ARCHIVE_USAGE, type ArchiveArguments, parseArchiveArguments } from "./arguments.ts";
import { exitForHelp } from "./help.ts";

/** Runs the command and returns its exit code: 1 if there is nothing to print. */
async function run(options: ArchiveArguments): Promise<number> {
  const { account, day } = options;
  const text = await withArchive(options, async (bucket) =>
    day === null
      ? (await listDays(bucket, account)).map((it) => `${it}\n`).join("")
      : ndjsonOf(await readDay(bucket, account, day)),
  );
  if (text === "") {
    console.error(`nothing is archived of ${account}${day === null ? "" : ` on ${day}`}`);
    return 1;
  }
  await new Promise((written) => process.stdout.write(text, written));
  return 0;
}

exitForHelp(ARCHIVE_USAGE);
const options = parseArchiveArguments(process.argv.slice(2));
if ("refused" in options) {
  console.error(`${options.refused}\n${ARCHIVE_USAGE}`);
  process.exitCode = 2;
} else {
  process.exitCode = await run(options).catch((error: Error) => {
    console.error(error.message);
    return 1;
  });
}
