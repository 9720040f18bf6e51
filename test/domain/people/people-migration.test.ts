// How the migration treats existing people, contacts and API keys: a contact that one account may have entered is not
// used for another account's pages, and nobody loses a contact that only their own account uses.
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { filesBelow } from "../../support/source/source-files.ts";

const migrations = filesBelow("migrations", ".sql").toSorted((a, b) => (a.path < b.path ? -1 : 1));
const first = migrations.findIndex(({ path }) => path.includes("people_provenance"));

const apply = (database: DatabaseSync, files: typeof migrations) => {
  for (const { text } of files) database.exec(text.replaceAll("--> statement-breakpoint", ""));
};

/** A database before the migration, with accounts a and b. */
function before(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  apply(database, migrations.slice(0, first));
  for (const [id, at] of [
    ["a", 100],
    ["b", 100],
  ] as const) {
    database
      .prepare(
        "insert into accounts (id, prefix_id, created_at, updated_at, name) values (?,?,?,?,?)",
      )
      .run(id, id, at, at, id);
  }
  return database;
}

type Membership = readonly [account: string, at: number];

function person(database: DatabaseSync, id: string, memberships: readonly Membership[]): void {
  database
    .prepare("insert into users (id, prefix_id, created_at, updated_at, name) values (?,?,?,?,?)")
    .run(id, id, 100, 100, id);
  for (const [account, at] of memberships) {
    const key = `${id}${account}`;
    database
      .prepare(
        `insert into account_users (id, prefix_id, created_at, updated_at, account_id, user_id)
          values (?,?,?,?,?,?)`,
      )
      .run(key, key, at, at, account, id);
  }
}

function contacts(database: DatabaseSync, user: string, at: number): void {
  database
    .prepare(
      "insert into user_emails (id, prefix_id, created_at, updated_at, user_id, email) values (?,?,?,?,?,?)",
    )
    .run(user, user, at, at, user, `${user}@x`);
  database
    .prepare(
      `insert into user_phones (id, prefix_id, created_at, updated_at, user_id, phone, confirmed_at)
        values (?,?,?,?,?,?,?)`,
    )
    .run(user, user, at, at, user, "+1", at);
}

test.each<[string, readonly Membership[], string | null, [string | null, number]]>([
  ["a member of one account, entered there", [["a", 100]], "a", ["a", 0]],
  ["a member of one account, entered before they joined", [["a", 300]], null, [null, 0]],
  [
    "a member of two accounts",
    [
      ["a", 100],
      ["b", 100],
    ],
    null,
    [null, 1],
  ],
  ["a member of no account", [], null, [null, 0]],
])("contacts of %s", (_, memberships, email, phone) => {
  const database = before();
  person(database, "p", memberships);
  contacts(database, "p", 200);
  apply(database, migrations.slice(first));
  const [mail] = database.prepare("select account_id from user_emails").all();
  const [number] = database.prepare("select account_id, confirmed_by_self from user_phones").all();
  expect(mail?.account_id).toBe(email);
  expect([number?.account_id, number?.confirmed_by_self]).toEqual(phone);
});

test("marks only the API key of the setup as created by its holder", () => {
  const database = before();
  person(database, "p", [["a", 100]]);
  for (const [id, at] of [
    ["setup", 100],
    ["later", 101],
  ] as const) {
    database
      .prepare(
        `insert into api_keys (id, prefix_id, created_at, updated_at, account_id, account_user_id, key_hash)
          values (?,?,?,?,?,?,?)`,
      )
      .run(id, id, at, at, "a", "pa", id);
  }
  apply(database, migrations.slice(first));
  const rows = database.prepare("select id, self_made from api_keys order by id").all();
  expect(rows.map(({ id, self_made }) => [id, self_made])).toEqual([
    ["later", 0],
    ["setup", 1],
  ]);
});
