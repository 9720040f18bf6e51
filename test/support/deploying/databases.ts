// The D1 part of the stand-in: each database is SQLite in memory, so that migrations and statements really run.
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { type ApiAnswer, type ApiRequest, jsonOf, refusal } from "./cloudflare.ts";

type Stored = {
  readonly uuid: string;
  readonly name: string;
  readonly jurisdiction: string | null;
  readonly location: string | null;
  readonly database: DatabaseSync;
};

/** Runs the statements of a text one after another, as D1 does: SQLite itself says where each ends. */
function runAll(database: DatabaseSync, sql: string, params: readonly (string | number | null)[]) {
  const answers: { readonly results: unknown[] }[] = [];
  let rest = sql;
  while (rest.replace(/^(?:\s|;|--[^\n]*(?:\n|$))+/, "") !== "") {
    const statement = database.prepare(rest);
    answers.push({ results: statement.all(...params) });
    rest = rest.slice(statement.sourceSQL.length);
  }
  return answers;
}

export class Databases {
  /** How many the account's plan allows. */
  most = Number.POSITIVE_INFINITY;
  readonly #byId = new Map<string, Stored>();

  get all(): readonly Stored[] {
    return [...this.#byId.values()];
  }

  /** The database of this name, to look into. */
  named(name: string): DatabaseSync {
    const found = this.all.find((it) => it.name === name);
    if (found === undefined) throw new Error(`no database ${name}`);
    return found.database;
  }

  answer(request: ApiRequest): ApiAnswer | undefined {
    const { method, path, query } = request;
    if (!path.startsWith("/d1/database")) return undefined;
    if (path === "/d1/database" && method === "GET") {
      const name = query.get("name");
      const found = this.all.filter((it) => name === null || it.name === name);
      return { result: found.map(({ database: _, ...shown }) => shown) };
    }
    if (path === "/d1/database" && method === "POST") return this.#create(jsonOf(request));
    const [, id = "", verb = ""] = /^\/d1\/database\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    const stored = this.#byId.get(id);
    if (stored === undefined) return refusal(404, 7404, "The database could not be found");
    if (verb === "query") return this.#query(stored, jsonOf(request));
    if (verb.startsWith("time_travel/bookmark")) {
      return { result: { bookmark: `00000001-00000002-${stored.uuid.slice(0, 8)}` } };
    }
    const { database: _, ...shown } = stored;
    return { result: { ...shown, num_tables: 0, version: "production" } };
  }

  #create(body: Record<string, string>): ApiAnswer {
    if (this.#byId.size >= this.most) {
      return refusal(400, 7406, `System limit reached: databases per account (${this.most})`);
    }
    const { name = "", jurisdiction = null, primary_location_hint: location = null } = body;
    if (this.all.some((it) => it.name === name)) {
      return refusal(400, 7502, `Database with name '${name}' already exists`);
    }
    const uuid = randomUUID();
    const database = new DatabaseSync(":memory:");
    this.#byId.set(uuid, { uuid, name, jurisdiction, location, database });
    return { result: { uuid, name, jurisdiction } };
  }

  #query(
    { database }: Stored,
    body: { readonly sql: string; readonly params?: readonly (string | number | null)[] },
  ): ApiAnswer {
    try {
      const answers = runAll(database, body.sql, body.params ?? []);
      return { result: answers.map((it) => ({ ...it, success: true, meta: { duration: 0 } })) };
    } catch (error) {
      return refusal(400, 7500, error instanceof Error ? error.message : "refused");
    }
  }
}
