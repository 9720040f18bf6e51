// What start and setup decide before they touch anything: their arguments, and statements with values in them.
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { allowedHosts, outboundUrlFault } from "../../../src/domain/integrations/outbound-url.ts";
import {
  parseSetupArguments,
  parseStartArguments,
  START_USAGE,
  type StartArguments,
} from "../../../src/setup/arguments.ts";
import { type Demo, describeDemo, withBaseUrl } from "../../../src/setup/demo.ts";
import { buildFirstAccount } from "../../../src/setup/first-account.ts";
import { inlineParameters } from "../../../src/setup/inline-parameters.ts";
import { variablesOf } from "../../../src/setup/processes/dev-server.ts";
import { root } from "../../support/source/source-files.ts";

describe("npm start's arguments", () => {
  test("none: the usual port, the state of the project, no limits", () => {
    expect(parseStartArguments([])).toEqual({
      port: 8787,
      state: `${root}/.wrangler/state`,
      rateLimits: false,
      allowedHosts: [],
    });
  });

  test("all of them, in either form", () => {
    const args = ["--port=8700", "--persist-to", "/tmp/elsewhere", "--rate-limits"];
    expect(parseStartArguments(args)).toEqual({
      port: 8700,
      state: "/tmp/elsewhere",
      rateLimits: true,
      allowedHosts: [],
    });
  });

  test("--allow-host, as often as there are hosts: users' addresses may name them", () => {
    const args = [
      "--allow-host",
      "LocalHost:9000",
      "--allow-host=[::1]:9001",
      "--allow-host=hooks",
    ];
    const given = parseStartArguments(args);
    const hosts = ["localhost:9000", "[::1]:9001", "hooks"];
    expect(given).toMatchObject({ allowedHosts: hosts });
    const variables = variablesOf({ ...(given as StartArguments), port: 8787 }, { SECRET: "s" });
    const [value = ""] = variables.flatMap((it) => it.match(/^ALLOWED_HOSTS:(.*)$/)?.[1] ?? []);
    const allowed = allowedHosts(value);
    for (const host of hosts) expect(outboundUrlFault(`http://${host}/hook`, allowed)).toBeNull();
    expect(outboundUrlFault("http://localhost:9002/hook", allowed)).not.toBeNull();
    expect(START_USAGE).toContain("--allow-host");
  });

  test.each([
    ["an unknown flag", ["--prot", "8700"]],
    ["a word that belongs to no flag", ["8700"]],
    ["a flag without its value", ["--port"]],
    ["a port of words", ["--port", "http"]],
    ["port 0", ["--port", "0"]],
    ["a port past the last", ["--port", "65536"]],
    ["no directory", ["--persist-to", ""]],
    ["an address in place of a host", ["--allow-host", "http://localhost:9000"]],
    ["a host with a path", ["--allow-host", "localhost/hook"]],
    ["no host", ["--allow-host", ""]],
    ["two hosts in one", ["--allow-host", "a,b"]],
  ])("%s is refused", (_, args) => {
    expect(parseStartArguments(args)).toEqual({ refused: expect.stringMatching(/./) });
  });
});

describe("npm run setup's arguments", () => {
  test("a name and an address are enough, and mean the deployment", () => {
    expect(parseSetupArguments(["--name", "Acme", "--email", "Ada@Acme.com"])).toMatchObject({
      name: "Acme",
      email: "ada@acme.com",
      person: "ada",
      remote: true,
    });
  });

  test.each([
    ["no name", ["--email", "ada@acme.com"]],
    ["no address", ["--name", "Acme"]],
    ["half an address", ["--name", "Acme", "--email", "ada@"]],
    ["both places", ["--name", "Acme", "--email", "ada@acme.com", "--local", "--remote"]],
  ])("%s is refused", (_, args) => {
    expect(parseSetupArguments(args)).toEqual({ refused: expect.stringMatching(/^\S/) });
  });
});

describe("values written into a statement", () => {
  const hostile = [
    "O'Brien",
    "'); drop table accounts; --",
    'a "quoted" ? mark',
    "two\nlines; and /* more */",
    "💡 \\ %s $1 $& {}",
    "",
  ];

  test.each(hostile)("%j comes out of SQLite as it went in", (text) => {
    using database = new DatabaseSync(":memory:");
    const sql = inlineParameters({
      sql: "select ? as \"a?\", '?' as b, ? as c",
      params: [text, null],
    });
    expect({ ...database.prepare(sql).get() }).toEqual({ "a?": text, b: "?", c: null });
  });

  test("numbers and truths are SQLite's", () => {
    expect(
      inlineParameters({ sql: "values (?, ?, ?)", params: [1_790_000_000_000, true, false] }),
    ).toBe("values (1790000000000, 1, 0)");
  });

  test.each([
    ["too few", { sql: "values (?, ?)", params: [1] }],
    ["too many", { sql: "values (?)", params: [1, 2] }],
    ["one that has no literal", { sql: "values (?)", params: [Number.NaN] }],
    ["a text that SQLite would cut short", { sql: "values (?)", params: ["a\0b"] }],
  ])("%s: thrown", (_, bound) => {
    expect(() => inlineParameters(bound)).toThrow();
  });

  test("a first account's statements carry the key's hash and never the key", () => {
    const named = { account: hostile[1] ?? "", person: "Ada", email: "Ada@Example.com" };
    const { statements, apiKey } = buildFirstAccount(named, 0);
    const sql = statements.map(inlineParameters).join("; ");
    expect(sql).toContain('"self_made"');
    expect(sql).not.toContain(apiKey);
    expect(sql).toContain("'ada@example.com'");
  });
});

describe("the demonstration", () => {
  const demo: Demo = {
    base_url: "http://127.0.0.1:8787",
    api_key: "k1",
    member_api_key: "k2",
    other_account_api_key: "k3",
    account_user_ids: ["a", "b"],
    team_id: "t",
    schedule_id: "s",
    escalation_policy_id: "e",
    integration_url: "http://127.0.0.1:8787/integration/i",
    console_email: "ada@example.com",
    console_password: "a-password",
  };

  test("moves to another port with everything but its addresses unchanged", () => {
    expect(withBaseUrl(demo, "http://127.0.0.1:8700")).toEqual({
      ...demo,
      base_url: "http://127.0.0.1:8700",
      integration_url: "http://127.0.0.1:8700/integration/i",
      console_email: "ada@example.com",
      console_password: "a-password",
    });
  });

  test("invites to page somebody by the integration", () => {
    expect(describeDemo(demo)).toMatch(/curl .*http:\/\/127\.0\.0\.1:8787\/integration\/i/);
  });
});
