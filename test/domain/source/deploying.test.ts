// The decisions of `npm run deploy`: its arguments, its settings, and the configuration that it gives to wrangler.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readBaseConfig } from "../../../src/setup/deploying/base-config.ts";
import { parseDeployArguments } from "../../../src/setup/deploying/deploy-arguments.ts";
import {
  readSettings,
  type Settings,
  writeSettings,
} from "../../../src/setup/deploying/settings.ts";
import { buildWorkerConfig, unknownVariables } from "../../../src/setup/deploying/worker-config.ts";

const settings: Settings = {
  name: "acme-pager",
  account_id: "0".repeat(32),
  database_id: "an id",
  archive: true,
};

describe("the arguments of npm run deploy", () => {
  test("are read, addresses without their last slash", () => {
    const args = ["--url", "https://pager.acme.example/", "--email-from=Pager@Acme.example"];
    expect(parseDeployArguments(args)).toMatchObject({
      given: { public_url: "https://pager.acme.example", email_from: "pager@acme.example" },
      isGradual: false,
      createsAccount: true,
      isChecked: true,
      isSilent: false,
    });
    expect(parseDeployArguments(["--no-account"])).toMatchObject({ createsAccount: false });
  });

  test.each([
    ["an address without https", ["--url", "http://pager.acme.example"], "--url must be an https"],
    ["an address with a path", ["--url", "https://acme.example/pager"], "--url must be an https"],
    ["a sender that is no address", ["--email-from", "pager"], "--email-from must be"],
    ["a name that no bucket can have", ["--name", "Acme_Pager"], "--name must be"],
    ["an unknown jurisdiction", ["--jurisdiction", "mars"], "--jurisdiction is one of"],
    ["a location beside a jurisdiction", ["--jurisdiction=eu", "--location=weur"], "give one"],
    ["an unknown flag", ["--urll", "https://acme.example"], "urll"],
  ])("%s is refused", (_, args, words) => {
    expect(parseDeployArguments(args)).toEqual({ refused: expect.stringContaining(words) });
  });

  test("are refused with all their faults at once", () => {
    const parsed = parseDeployArguments(["--url", "pager", "--name", "X", "--location", "mars"]);
    for (const flag of ["--url", "--name", "--location"]) {
      expect(parsed).toEqual({ refused: expect.stringContaining(flag) });
    }
  });
});

describe("the settings", () => {
  const path = () => join(mkdtempSync(join(tmpdir(), "tocsin-settings-")), "deployment.json");

  test("are read as they were written; without a file there are none", () => {
    const file = path();
    expect(readSettings(file)).toBeNull();
    writeSettings(file, settings);
    expect(readSettings(file)).toEqual(settings);
  });

  test.each([
    ["no JSON", "{", "is not JSON"],
    ["a misspelled name", JSON.stringify({ ...settings, publik_url: "x" }), "publik_url"],
    ["a faulty value", JSON.stringify({ ...settings, account_id: "acme" }), "account_id: must be"],
  ])("%s is refused by its name", (_, text, words) => {
    const file = path();
    writeFileSync(file, text);
    expect(readSettings(file)).toEqual({ refused: expect.stringContaining(words) });
  });
});

describe("the configuration for wrangler", () => {
  const base = readBaseConfig();

  test("names the deployment's resources and keeps everything else", () => {
    const config = buildWorkerConfig(base, settings);
    expect(config).toMatchObject({
      name: "acme-pager",
      workers_dev: true,
      d1_databases: [{ binding: "DB", database_name: "acme-pager", database_id: "an id" }],
      r2_buckets: [{ binding: "ARCHIVE", bucket_name: "acme-pager-archive" }],
      queues: {
        producers: [{ binding: "PAGES", queue: "acme-pager-pages" }],
        consumers: [
          { queue: "acme-pager-pages", dead_letter_queue: "acme-pager-pages-dead" },
          { queue: "acme-pager-pages-dead" },
        ],
      },
    });
    for (const key of ["main", "alias", "assets", "durable_objects", "exports", "triggers"]) {
      expect(config[key], key).toEqual(base[key]);
    }
    expect(config.vars).toEqual(base.vars);
  });

  test("attaches a domain of one's own, and takes the worker from workers.dev", () => {
    const config = buildWorkerConfig(base, {
      ...settings,
      public_url: "https://pager.acme.example",
    });
    expect(config).toMatchObject({
      workers_dev: false,
      routes: [{ pattern: "pager.acme.example", custom_domain: true }],
      vars: { PUBLIC_URL: "https://pager.acme.example" },
    });
    const own = buildWorkerConfig(base, { ...settings, public_url: "https://a.b.workers.dev" });
    expect(own).toMatchObject({ workers_dev: true });
    expect(own.routes).toBeUndefined();
  });

  test("takes jurisdiction, location, variables and the lack of an archive from the settings", () => {
    const chosen = { ...settings, archive: false, jurisdiction: "eu" as const };
    const config = buildWorkerConfig(base, { ...chosen, variables: { PAGES_AT_ONCE: "5" } });
    expect(config.vars).toMatchObject({ JURISDICTION: "eu", PAGES_AT_ONCE: "5" });
    expect(config.r2_buckets).toEqual([]);
    expect(buildWorkerConfig(base, { ...settings, location: "weur" }).vars.LOCATION_HINT).toBe(
      "weur",
    );
  });

  test("has no variable that wrangler.toml does not know", () => {
    const variables = { PAGES_AT_ONCE: "5", PAGES_AT_ONE: "5" };
    expect(unknownVariables(base, { ...settings, variables })).toEqual(["PAGES_AT_ONE"]);
  });
});
