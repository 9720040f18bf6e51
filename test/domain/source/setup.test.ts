// The arguments of start and setup, statements with inlined values, and the demonstration.
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { allowedHosts, outboundUrlFault } from "../../../src/domain/integrations/outbound-url.ts";
import {
  parseArchiveArguments,
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
  test("default to the usual port, the state of the project and no rate limits", () => {
    expect(parseStartArguments([])).toEqual({
      port: 8787,
      state: `${root}/.wrangler/state`,
      demo: false,
      rateLimits: false,
      allowedHosts: [],
    });
  });

  test("may have either form", () => {
    const args = ["--port=8700", "--persist-to", "/tmp/elsewhere", "--demo", "--rate-limits"];
    expect(parseStartArguments(args)).toEqual({
      port: 8700,
      state: "/tmp/elsewhere",
      demo: true,
      rateLimits: true,
      allowedHosts: [],
    });
  });

  test("may repeat --allow-host, which allows these hosts in users' URLs", () => {
    const args = [
      "--allow-host",
      "LocalHost:9000",
      "--allow-host=[::1]:9001",
      "--allow-host=hooks",
    ];
    const given = parseStartArguments(args);
    const hosts = ["localhost:9000", "[::1]:9001", "hooks"];
    expect(given).toMatchObject({ allowedHosts: hosts });
    const variables = variablesOf({ ...(given as StartArguments), port: 8787 });
    const [value = ""] = variables.flatMap((it) => it.match(/^ALLOWED_HOSTS:(.*)$/)?.[1] ?? []);
    const allowed = allowedHosts(value);
    for (const host of hosts) expect(outboundUrlFault(`http://${host}/hook`, allowed)).toBeNull();
    expect(outboundUrlFault("http://localhost:9002/hook", allowed)).not.toBeNull();
    expect(START_USAGE).toContain("--allow-host");
  });

  test.each([
    ["an unknown flag", ["--prot", "8700"]],
    ["a value without a flag", ["8700"]],
    ["a flag without its value", ["--port"]],
    ["a port that is not a number", ["--port", "http"]],
    ["port 0", ["--port", "0"]],
    ["a port above 65535", ["--port", "65536"]],
    ["no directory", ["--persist-to", ""]],
    ["a URL instead of a host", ["--allow-host", "http://localhost:9000"]],
    ["a host with a path", ["--allow-host", "localhost/hook"]],
    ["no host", ["--allow-host", ""]],
    ["two hosts in one", ["--allow-host", "a,b"]],
  ])("%s is refused", (_, args) => {
    expect(parseStartArguments(args)).toEqual({ refused: expect.stringMatching(/./) });
  });
});

describe("npm run setup's arguments", () => {
  test("need only a name and an address, and default to the deployment", () => {
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
    ["an incomplete address", ["--name", "Acme", "--email", "ada@"]],
    [
      "both --local and --remote",
      ["--name", "Acme", "--email", "ada@acme.com", "--local", "--remote"],
    ],
  ])("%s is refused", (_, args) => {
    expect(parseSetupArguments(args)).toEqual({ refused: expect.stringMatching(/^\S/) });
  });
});

describe("npm run archive's arguments", () => {
  const account = "acc_AAAAAAAAAAAAAA";

  test("name an account in either form and a day, or ask for the days", () => {
    const deployed = { account, remote: true, state: `${root}/.wrangler/state` };
    expect(parseArchiveArguments(["--account", account, "--list"])).toEqual({
      ...deployed,
      day: null,
    });
    const id = "01M81Q0DDB0000000000000000";
    expect(parseArchiveArguments(["--account", id, "--day", "2024-02-29"])).toEqual({
      ...deployed,
      day: "2024-02-29",
    });
    const local = ["--account", account, "--list", "--local", "--persist-to", "/tmp/elsewhere"];
    expect(parseArchiveArguments(local)).toMatchObject({ remote: false, state: "/tmp/elsewhere" });
  });

  test.each([
    ["no account", ["--list"]],
    ["an id of another kind", ["--account", "alt_AAAAAAAAAAAAAA", "--list"]],
    ["neither a day nor --list", ["--account", account]],
    ["both a day and --list", ["--account", account, "--list", "--day", "2024-02-29"]],
    ["a day that does not exist", ["--account", account, "--day", "2023-02-29"]],
    ["a time", ["--account", account, "--day", "2024-02-29T00:00"]],
    ["both --local and --remote", ["--account", account, "--list", "--local", "--remote"]],
  ])("%s is refused", (_, args) => {
    expect(parseArchiveArguments(args)).toEqual({ refused: expect.stringMatching(/./) });
  });
});

describe("inlined values of a statement", () => {
  const hostile = [
    "O'Brien",
    "'); drop table accounts; --",
    'a "quoted" ? mark',
    "two\nlines; and /* more */",
    "💡 \\ %s $1 $& {}",
    "",
  ];

  test.each(hostile)("%j is read from SQLite unchanged", (text) => {
    using database = new DatabaseSync(":memory:");
    const sql = inlineParameters({
      sql: "select ? as \"a?\", '?' as b, ? as c",
      params: [text, null],
    });
    expect({ ...database.prepare(sql).get() }).toEqual({ "a?": text, b: "?", c: null });
  });

  test("numbers and booleans are SQLite literals", () => {
    expect(
      inlineParameters({ sql: "values (?, ?, ?)", params: [1_790_000_000_000, true, false] }),
    ).toBe("values (1790000000000, 1, 0)");
  });

  test.each([
    ["too few values", { sql: "values (?, ?)", params: [1] }],
    ["too many values", { sql: "values (?)", params: [1, 2] }],
    ["a value without a literal", { sql: "values (?)", params: [Number.NaN] }],
    ["a text that SQLite would truncate", { sql: "values (?)", params: ["a\0b"] }],
  ])("throws on %s", (_, bound) => {
    expect(() => inlineParameters(bound)).toThrow();
  });

  test("the statements of a first account never contain the key itself", () => {
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
    integration_id: "i",
    integration_url: "http://127.0.0.1:8787/integration/i",
    console_email: "ada@example.com",
    console_password: "a-password",
    member_email: "mo@example.com",
  };

  test("changes only its URLs on another port", () => {
    expect(withBaseUrl(demo, "http://127.0.0.1:8700")).toEqual({
      ...demo,
      base_url: "http://127.0.0.1:8700",
      integration_url: "http://127.0.0.1:8700/integration/i",
      console_email: "ada@example.com",
      console_password: "a-password",
    });
  });

  test("is a box of at most twelve lines: address, both people, and a command that pages", () => {
    const text = describeDemo(demo);
    expect(text.split("\n").length).toBeLessThanOrEqual(12);
    expect(text).toMatch(/^curl .*http:\/\/127\.0\.0\.1:8787\/integration\/i/m);
    for (const it of ["http://127.0.0.1:8787", "ada@example.com", "mo@example.com", "a-password"])
      expect(text).toContain(it);
  });
});
