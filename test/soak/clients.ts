// `npm run soak:clients`: generates clients from the document with common generators, and
// type-checks a call of every operation with its published example. Needs npm and PyPI, so it is
// not part of `npm test`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentOf } from "../../src/reference/document.ts";
import { routes } from "../../src/routes.ts";

type Json = Record<string, any>;

const VERSIONS = {
  npm: ["openapi-typescript@7.13.0", "@hey-api/openapi-ts@0.99.0", "typescript@5.9.3"],
  pip: ["openapi-python-client==0.29.1", "ruff==0.17.6"],
};

const home = mkdtempSync(join(tmpdir(), "clients-"));
const document: Json = JSON.parse(JSON.stringify(documentOf(routes)));

const run = (command: string, ...args: string[]): string => {
  const { status, stdout } = spawnSync(command, args, {
    cwd: home,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PATH: `${join(home, "venv/bin")}:${process.env.PATH}` },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${stdout}`);
  return stdout;
};

type Operation = { readonly id: string; readonly tag: string; readonly body: string | null };

/** Every operation, with the name of the schema of its JSON body. */
const operations: readonly Operation[] = Object.values<Json>(document.paths).flatMap((item) =>
  Object.values<Json>(item).map((operation) => {
    const ref = operation.requestBody?.content?.["application/json"]?.schema?.$ref ?? null;
    return {
      id: operation.operationId,
      tag: operation.tags[0],
      body: ref?.split("/").at(-1) ?? null,
    };
  }),
);

const withBody = operations.filter((it) => it.body !== null);
const exampleOf = (body: string) => document.components.examples[body].value as Json;

/** Whether a body has no properties. */
const isEmpty = (body: string): boolean => {
  const { properties } = document.components.schemas[body];
  return properties !== undefined && Object.keys(properties).length === 0;
};

/** A body with a property of the wrong type, which a generated type must reject. */
const wrongOf = (body: string): Json | null => {
  const [name] = Object.entries(exampleOf(body)).find(([, it]) => typeof it === "string") ?? [];
  return name === undefined ? null : { ...exampleOf(body), [name]: { wrong: true } };
};

const CHECKS = `type IsOpen<T> = 0 extends 1 & T ? true : string extends keyof T ? true : false;
const isClosed = <T>(_: IsOpen<T> extends true ? never : true) => {};
`;

/** TypeScript code that checks each body's type: closed, accepts the example, rejects others. */
function callsInTypeScript(head: string, typeOf: (operation: Operation) => string): string {
  const lines = withBody.flatMap((operation) => {
    const { id, body } = operation;
    const wrong = wrongOf(body as string);
    const example = JSON.stringify(exampleOf(body as string));
    return [
      `type ${id} = ${typeOf(operation)};`,
      ...(isEmpty(body as string) ? [] : [`isClosed<${id}>(true);`]),
      `export const ${id}: ${id} = ${example};`,
      ...(wrong
        ? ["// @ts-expect-error", `export const ${id}Wrong: ${id} = ${JSON.stringify(wrong)};`]
        : []),
    ];
  });
  const typed = `export const typed: createIntegration = { name: "Chat", urgency: "low",
  integration_type_id: "slack", team_ids: ["tem_1"], option_webhook_url: "https://example.com/hook" };`;
  return [head, CHECKS, ...lines, typed].join("\n");
}

function inTypeScript(): void {
  run("npm", "init", "-y");
  run("npm", "install", "--no-audit", "--no-fund", ...VERSIONS.npm);
  run("npx", "openapi-typescript", "openapi.json", "-o", "one.ts");
  const one = readFileSync(join(home, "one.ts"), "utf8");
  report("openapi-typescript", ({ id }) => one.includes(`operations["${id}"]`));
  const bodyIn = 'requestBody"]>["content"]["application/json';
  const oneCalls = callsInTypeScript(
    'import type { operations } from "./one.ts";',
    ({ id }) => `NonNullable<operations["${id}"]["${bodyIn}"]`,
  );
  run("npx", "openapi-ts", "-i", "openapi.json", "-o", "other");
  const other = readFileSync(join(home, "other/sdk.gen.ts"), "utf8");
  report("@hey-api/openapi-ts", ({ id }) => other.includes(`export const ${id} =`));
  const otherCalls = callsInTypeScript(
    'import type * as sdk from "./other/types.gen.ts";',
    ({ id }) => `NonNullable<sdk.${id.replace(/^./, (it) => it.toUpperCase())}Data["body"]>`,
  );
  writeFileSync(join(home, "one-calls.ts"), oneCalls);
  writeFileSync(join(home, "other-calls.ts"), otherCalls);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions"];
  const target = ["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];
  run("npx", "tsc", ...options, ...target, "one-calls.ts", "other-calls.ts");
  console.log(`  ${withBody.length} typed bodies each, type-checked`);
}

/** `createAlert` → `create_alert`. */
const snake = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();

/** Python code that checks every module's types and round-trips its example through the model. */
function callsInPython(packageName: string): string {
  const calls = withBody.map(({ id, tag, body }) => {
    const example = exampleOf(body as string);
    const type = String(example.integration_type_id ?? "").replace(/^./, (it) => it.toUpperCase());
    const model = body === "CreateIntegration" ? `Create${type}Integration` : body;
    return [snake(tag), snake(id), model, JSON.stringify(example)];
  });
  return `
import importlib, json, typing
from datetime import datetime
calls = json.loads(${JSON.stringify(JSON.stringify(calls))})
def instants(value):
    if isinstance(value, dict): return {k: instants(v) for k, v in value.items()}
    if isinstance(value, list): return [instants(v) for v in value]
    try: return datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp() if isinstance(value, str) and "T" in value else value
    except ValueError: return value
for tag, name, model, example in calls:
    module = importlib.import_module(f"${packageName}.api.{tag}.{name}")
    body = typing.get_type_hints(module.sync_detailed)["body"]
    assert body is not typing.Any and "Any" not in str(typing.get_args(body)), (name, body)
    cls = getattr(importlib.import_module("${packageName}.models"), model)
    assert cls in (body, *typing.get_args(body)), (name, body)
    sent = cls.from_dict(json.loads(example)).to_dict()
    assert instants(sent) == instants(json.loads(example)), (name, sent)
print(f"  {len(calls)} typed bodies, each example sent through its model")
`;
}

function inPython(): void {
  run("python3", "-m", "venv", "venv");
  run("venv/bin/pip", "install", "--quiet", ...VERSIONS.pip);
  const document = ["--path", "openapi.json", "--output-path", "py"];
  const output = run("venv/bin/openapi-python-client", "generate", ...document);
  if (/will not be generated|unable to|warning/i.test(output)) throw new Error(output);
  const packages = readdirSync(join(home, "py"), { withFileTypes: true });
  const [packageName = ""] = packages
    .filter(({ name }) => name.endsWith("_client"))
    .map(({ name }) => name);
  const files = readdirSync(join(home, "py", packageName, "api"), { recursive: true });
  const modules = new Set(files.map((name) => String(name).split("/").at(-1)));
  report("openapi-python-client", ({ id }) => modules.has(`${snake(id)}.py`));
  writeFileSync(join(home, "py", "calls.py"), callsInPython(packageName));
  console.log(run("venv/bin/python", "py/calls.py").trimEnd());
}

function report(generator: string, isGenerated: (operation: Operation) => boolean): void {
  const missing = operations.filter((it) => !isGenerated(it)).map(({ id }) => id);
  console.log(
    `${generator}: ${operations.length - missing.length} of ${operations.length} operations`,
  );
  if (missing.length > 0) throw new Error(`left out: ${missing.join(", ")}`);
}

writeFileSync(join(home, "openapi.json"), JSON.stringify(document));
inTypeScript();
inPython();
rmSync(home, { recursive: true, force: true });
