import { writeConfiguration } from "./configuration-file.ts";
import { readConfiguration } from "./read-configuration.ts";
import type { AdminContext } from "./section.ts";

/**
 * Writes the configuration of an account as a YAML file (contract 2, Configuration). The same
 * configuration is the same text, in whatever account.
 */
export async function exportConfiguration(context: AdminContext): Promise<string> {
  const configuration = await readConfiguration(context);
  return writeConfiguration(
    [...configuration.values()].flatMap((records) => {
      const [first] = records;
      return first ? [[first.section.name, records.map(({ entry }) => entry)] as const] : [];
    }),
  );
}
