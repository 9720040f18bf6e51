// Reads the rows of one account. Objects of earlier tests may still write rows of theirs, so a test
// that compares what is stored before and after compares its own account's rows only.
import { env } from "cloudflare:workers";

/** The statement that selects an account's rows of a table, by the columns that the table has. */
function ownRows(table: string, columns: ReadonlySet<string>): string {
  const members = "(select user_id from account_users where account_id = ?1)";
  const select = `select * from "${table}" where `;
  if (columns.has("account_id")) return `${select}account_id = ?1 order by 1`;
  if (columns.has("user_id")) return `${select}user_id in ${members} order by 1`;
  if (table === "users") return `${select}id in ${members} order by 1`;
  if (table === "accounts") return `${select}id = ?1`;
  throw new Error(`no column of "${table}" names an account`);
}

/** Tables of the deployment, which have no row of any account. */
const OF_NO_ACCOUNT: ReadonlySet<string> = new Set(["daily_use", "database_size"]);

/** Every table that stores records, with its columns; tables that are added later are included. */
async function tables(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { results } = await env.DB.prepare(
    `select t.name as name, c.name as column from sqlite_master t, pragma_table_info(t.name) c
     where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like '_cf%'
     order by t.name, c.cid`,
  ).all<{ name: string; column: string }>();
  const found = new Map<string, Set<string>>();
  for (const { name, column } of results) {
    if (OF_NO_ACCOUNT.has(name)) continue;
    found.set(name, (found.get(name) ?? new Set()).add(column));
  }
  return found;
}

/** An account's rows by table; of its members also what belongs to no account (addresses, phones). */
export async function rowsOfAccount(
  accountId: string,
  isCompared: (table: string) => boolean = () => true,
): Promise<Record<string, unknown[]>> {
  const compared = [...(await tables())].filter(([name]) => isCompared(name));
  const rows = await env.DB.batch(
    compared.map(([name, columns]) => env.DB.prepare(ownRows(name, columns)).bind(accountId)),
  );
  return Object.fromEntries(compared.map(([name], at) => [name, rows[at]?.results ?? []]));
}
