// The Workers part of the stand-in: scripts with their metadata, secrets, versions, assets, cron triggers and consumers.
import { createHash, randomUUID } from "node:crypto";
import { type ApiAnswer, type ApiRequest, jsonOf, refusal } from "./cloudflare.ts";

type Binding = {
  readonly type: string;
  readonly name: string;
  readonly text?: string;
  readonly [key: string]: unknown;
};

/** The metadata part of an uploaded script: bindings, exports, compatibility date. */
type Metadata = {
  readonly main_module: string;
  readonly bindings: readonly Binding[];
  readonly keep_bindings?: readonly string[];
  readonly [key: string]: unknown;
};

type Script = {
  metadata: Metadata;
  /** Names of the uploaded modules. */
  modules: readonly string[];
  secrets: Map<string, string>;
  readonly versions: { readonly id: string; readonly metadata: Metadata }[];
  schedules: unknown;
  deployments: readonly Deployment[];
};

/** The cron triggers that the free plan has over all workers. */
const FREE_CRONS = 5;

export class Workers {
  /** The account's plan. */
  plan: "paid" | "free" = "paid";
  /** Cron triggers of other workers. */
  cronsElsewhere = 0;
  /** The most bytes that an upload may have. */
  maxUploadBytes = Number.POSITIVE_INFINITY;
  readonly scripts = new Map<string, Script>();
  /** By queue. */
  readonly consumers = new Map<string, Record<string, unknown>>();
  /** Attached domains, with their worker. */
  readonly domains = new Map<string, string>();

  async answer(request: ApiRequest): Promise<ApiAnswer | undefined> {
    const { path, method } = request;
    if (path === "/workers/subdomain") return { result: { subdomain: "acme" } };
    if (path === "/workers/domains") {
      return { result: [...this.domains].map(([hostname, service]) => ({ hostname, service })) };
    }
    const [, worker] = /^\/workers\/workers\/([^/]+)$/.exec(path) ?? [];
    if (worker !== undefined) {
      return {
        result: { id: worker, name: worker, subdomain: { enabled: true, previews_enabled: false } },
      };
    }
    const [, service] = /^\/workers\/services\/([^/]+)/.exec(path) ?? [];
    if (service !== undefined) return this.#service(service);
    const [, name, rest = ""] = /^\/workers\/scripts\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    if (name === undefined) return undefined;
    if (rest === "assets-upload-session")
      return { result: { jwt: jwt(), buckets: [] }, status: 201 };
    if (rest === "" && method === "PUT") return this.#upload(name, request);
    const script = this.scripts.get(name);
    if (script === undefined)
      return refusal(404, 10007, "This Worker does not exist on your account.");
    return this.#of(name, script, rest, request);
  }

  #service(name: string): ApiAnswer {
    const script = this.scripts.get(name);
    if (script === undefined) return refusal(404, 10090, "workers.api.error.service_not_found");
    const environment = {
      environment: "production",
      script: { id: name, last_deployed_from: "wrangler", tag: "t" },
    };
    return { result: { id: name, default_environment: environment, environments: [environment] } };
  }

  async #upload(name: string, request: ApiRequest): Promise<ApiAnswer> {
    const known = this.scripts.get(name);
    const { metadata: uploaded, modules } = await formOf(request);
    if (request.body.length > this.maxUploadBytes) {
      return refusal(400, 10027, "Your Worker exceeded the size limit of 3 MiB.");
    }
    if (this.plan === "free" && uploaded.limits !== undefined) {
      const words = "CPU limits are not supported for the Free plan. Switch to a paid plan";
      return refusal(400, 100328, words);
    }
    const metadata = withInherited(uploaded, known?.metadata);
    const version = { id: randomUUID(), metadata };
    const secrets = secretsAfter(metadata, known?.secrets ?? new Map());
    const versions = [...(known?.versions ?? []), version];
    this.scripts.set(name, {
      schedules: [],
      ...known,
      deployments: [deploymentOf(version.id), ...(known?.deployments ?? [])],
      metadata,
      modules,
      secrets,
      versions,
    });
    return { result: { id: name, etag: "e", startup_time_ms: 5, deployment_id: version.id } };
  }

  #deploy(script: Script, body: { readonly versions: Deployment["versions"] }): ApiAnswer {
    const deployment = deploymentOf("", body.versions);
    script.deployments = [deployment, ...script.deployments];
    return { result: deployment };
  }

  async #addVersion(script: Script, request: ApiRequest): Promise<ApiAnswer> {
    const { metadata: uploaded, modules } = await formOf(request);
    const metadata = withInherited(uploaded, script.metadata);
    const version = { id: randomUUID(), metadata };
    script.versions.push(version);
    script.modules = modules;
    script.secrets = secretsAfter(metadata, script.secrets);
    return { result: { ...shownVersion(version), startup_time_ms: 5 } };
  }

  async #of(
    name: string,
    script: Script,
    rest: string,
    request: ApiRequest,
  ): Promise<ApiAnswer | undefined> {
    const { method } = request;
    if (rest === "secrets" && method === "GET") {
      return {
        result: [...script.secrets.keys()].map((it) => ({ name: it, type: "secret_text" })),
      };
    }
    if (rest === "secrets" && method === "PUT") {
      const secret = jsonOf(request);
      script.secrets.set(secret.name, secret.text);
      return { result: { name: secret.name, type: "secret_text" } };
    }
    if (rest === "domains/changeset") {
      return { result: { added: [], removed: [], updated: [], conflicting: [] } };
    }
    if (rest === "domains/records") {
      const { origins } = jsonOf(request);
      for (const { hostname } of origins) this.domains.set(hostname, name);
      return { result: [] };
    }
    if (rest === "settings") return { result: { bindings: script.metadata.bindings } };
    if (rest === "schedules") {
      const count = (jsonOf(request) as readonly unknown[]).length + this.cronsElsewhere;
      if (this.plan === "free" && count > FREE_CRONS) {
        const words =
          "This account has reached the Workers Free limit of 5 cron triggers per account.";
        return refusal(400, 10072, words);
      }
      script.schedules = jsonOf(request);
      return { result: { schedules: script.schedules } };
    }
    if (rest === "deployments" && method === "GET")
      return { result: { deployments: script.deployments } };
    if (rest === "deployments" && method === "POST") return this.#deploy(script, jsonOf(request));
    if (rest === "versions" && method === "POST") return this.#addVersion(script, request);
    const version = script.versions.find(({ id }) => rest === `versions/${id}`);
    if (version !== undefined) return { result: shownVersion(version) };
    if (rest === "subdomain") return { result: { enabled: true, previews_enabled: false } };
    return { result: {} };
  }
}

type Deployment = {
  readonly id: string;
  readonly source: string;
  readonly strategy: string;
  readonly created_on: string;
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
};

const deploymentOf = (
  id: string,
  versions: Deployment["versions"] = [{ version_id: id, percentage: 100 }],
): Deployment => ({
  id: randomUUID(),
  source: "wrangler",
  strategy: "percentage",
  created_on: new Date().toISOString(),
  versions,
});

const shownVersion = ({ id, metadata }: Script["versions"][number]) => ({
  id,
  number: 1,
  metadata: { created_on: new Date().toISOString(), source: "wrangler" },
  resources: { bindings: metadata.bindings, script: {}, script_runtime: {} },
});

/** The metadata with what it inherits from the version before. */
function withInherited(metadata: Metadata, before: Metadata | undefined): Metadata {
  const bindings = metadata.bindings.map((it) =>
    it.type === "inherit" ? (before?.bindings.find(({ name }) => name === it.name) ?? it) : it,
  );
  return { ...metadata, bindings };
}

/** An upload ends the secrets that it neither contains nor keeps. */
function secretsAfter(metadata: Metadata, before: ReadonlyMap<string, string>) {
  const kept = metadata.keep_bindings?.includes("secret_text") ? [...before] : [];
  const uploaded = metadata.bindings
    .filter(({ type }) => type === "secret_text")
    .map(({ name, text = "" }) => [name, text] as const);
  return new Map([...kept, ...uploaded]);
}

/** Whether the request uploads a worker's code. */
export const isUpload = ({ method, path }: ApiRequest): boolean =>
  (method === "PUT" && /^\/workers\/scripts\/[^/]+$/.test(path)) ||
  (method === "POST" && /^\/workers\/scripts\/[^/]+\/versions$/.test(path));

export async function formOf(request: ApiRequest) {
  const form = await new Response(new Uint8Array(request.body), {
    headers: { "content-type": request.type },
  }).formData();
  const metadata: Metadata = JSON.parse(String(form.get("metadata")));
  return { metadata, modules: [...form.keys()].filter((it) => it !== "metadata") };
}

function jwt(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = part({ alg: "HS256", typ: "JWT" });
  const body = part({ exp: Math.floor(Date.now() / 1_000) + 3_600 });
  return `${head}.${body}.${createHash("sha256").update(body).digest("base64url")}`;
}
