// A stand-in for Cloudflare's API that wrangler talks to when CLOUDFLARE_API_BASE_URL names it. Remembers databases (real
// SQLite), queues, buckets, workers and their secrets; records every request; can refuse or break off at any of them.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { Databases } from "./databases.ts";
import { formOf, isUpload, Workers } from "./workers.ts";

const ACCOUNT = "0123456789abcdef0123456789abcdef";

export type ApiRequest = {
  readonly method: string;
  /** Below the account: `/d1/database`; else whole, as in `/user`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly type: string;
  readonly body: Buffer;
};

/** What a part of the stand-in answers; `undefined`: the path is not its. */
export type ApiAnswer =
  | { readonly result: unknown; readonly status?: number }
  | { readonly status: number; readonly code: number; readonly message: string };

type ApiPart = (request: ApiRequest) => ApiAnswer | undefined | Promise<ApiAnswer | undefined>;

export const refusal = (status: number, code: number, message: string): ApiAnswer => ({
  status,
  code,
  message,
});

/** The JSON of a request's body. */
export const jsonOf = (request: ApiRequest) =>
  JSON.parse(request.body.length === 0 ? "{}" : request.body.toString());

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A fault: which requests it meets, and what happens to them instead. */
export type Fault = {
  readonly matches: (request: ApiRequest) => boolean;
  /** `before`: refused. `after`: done, but the answer is lost. */
  readonly at: "before" | "after";
  readonly answer: ApiAnswer;
  /** How many requests it meets. */
  times: number;
};

type Named = { readonly id: string; readonly name: string; readonly jurisdiction: string | null };

export class CloudflareApi {
  readonly requests: ApiRequest[] = [];
  readonly databases = new Databases();
  readonly workers = new Workers();
  readonly queues = new Map<string, Named>();
  readonly buckets = new Map<string, Named>();
  readonly faults: Fault[] = [];
  /** Domains from which the account may send e-mail. */
  readonly sendingDomains: string[] = [];
  readonly dnsRecords: { readonly name: string; readonly type: string }[] = [];
  hasR2 = true;
  /** Whether the sign-in may read the account's subscriptions. */
  showsPlan = true;
  hasQueues = true;
  #url = "";
  readonly #server = createServer(async (message, response) => {
    const body = await read(message);
    const answer = await this.#answer(message, body);
    const isRefusal = "code" in answer;
    response.statusCode = answer.status ?? 200;
    response.setHeader("content-type", "application/json");
    const errors = isRefusal ? [{ code: answer.code, message: answer.message }] : [];
    const result = isRefusal ? null : answer.result;
    const count = Array.isArray(result) ? result.length : 1;
    const result_info = { page: 1, per_page: 1000, total_pages: 1, count, total_count: count };
    response.end(
      JSON.stringify({ success: !isRefusal, errors, messages: [], result, result_info }),
    );
  });

  /** The address for CLOUDFLARE_API_BASE_URL. */
  get url(): string {
    return this.#url;
  }

  /** An account on the free plan: no R2, no paid subscription. */
  becomeFree(): void {
    this.workers.plan = "free";
    this.databases.most = 10;
    this.hasR2 = false;
  }

  async listen(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("not listening");
    this.#url = `http://127.0.0.1:${address.port}/client/v4`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(message: IncomingMessage, body: Buffer): Promise<ApiAnswer> {
    const url = new URL(message.url ?? "/", "http://api");
    const prefix = `/client/v4/accounts/${ACCOUNT}`;
    const whole = url.pathname;
    const request: ApiRequest = {
      method: message.method ?? "GET",
      path: whole.startsWith(`${prefix}/`)
        ? whole.slice(prefix.length)
        : whole.replace("/client/v4", ""),
      query: url.searchParams,
      type: message.headers["content-type"] ?? "",
      body,
    };
    this.requests.push(request);
    if (message.headers.authorization === undefined) {
      return refusal(401, 10000, "Authentication error");
    }
    const fault = this.faults.find((it) => it.times > 0 && it.matches(request));
    if (fault !== undefined) fault.times -= 1;
    if (fault?.at === "before") return fault.answer;
    const answer = await this.#done(request);
    return fault?.answer ?? answer;
  }

  async #done(request: ApiRequest): Promise<ApiAnswer> {
    const parts: readonly ApiPart[] = [
      (it) => this.#account(it),
      (it) => this.databases.answer(it),
      (it) => this.#queues(it),
      (it) => this.#buckets(it),
      (it) => this.#zones(it),
      (it) => this.#email(it),
      (it) => this.#refusedUpload(it),
      (it) => this.workers.answer(it),
    ];
    for (const part of parts) {
      const answer = await part(request);
      if (answer !== undefined) return answer;
    }
    return refusal(404, 7003, `No route for ${request.method} ${request.path}`);
  }

  #account({ method, path }: ApiRequest): ApiAnswer | undefined {
    if (method !== "GET") return undefined;
    if (path === "/accounts") return { result: [{ id: ACCOUNT, name: "Acme" }] };
    if (path === "/memberships") {
      return { result: [{ id: "m", account: { id: ACCOUNT, name: "Acme" } }] };
    }
    if (path === "/subscriptions") {
      if (!this.showsPlan) return refusal(403, 10000, "Authentication error");
      const id = this.workers.plan === "paid" ? "workers_paid" : "free";
      return { result: [{ rate_plan: { id } }] };
    }
    if (path === "/user") return { result: { id: "u", email: "ada@acme.example" } };
    if (path === "/user/tokens/verify") return { result: { id: "t", status: "active" } };
    return undefined;
  }

  #queues(request: ApiRequest): ApiAnswer | undefined {
    const { method, path, query } = request;
    if (path.startsWith("/queues") && !this.hasQueues) {
      return refusal(403, 11002, "In order to use Queues, you must enable your account");
    }
    if (path === "/queues" && method === "GET") {
      const all = [...this.queues.values()].map((it) => this.#queueOf(it));
      const names = query.getAll("name");
      return { result: all.filter((it) => names.length === 0 || names.includes(it.queue_name)) };
    }
    if (path === "/queues" && method === "POST") {
      const { queue_name: name, jurisdiction = null, settings } = jsonOf(request);
      const isFree = this.workers.plan === "free";
      if (isFree && (settings?.message_retention_period ?? 0) > 86_400) {
        return refusal(400, 10026, "message_retention_period must be 86400 on the free plan");
      }
      if (this.queues.has(name)) return refusal(409, 11009, "Queue name is already taken");
      const queue = { id: randomUUID().replaceAll("-", ""), name, jurisdiction };
      this.queues.set(name, queue);
      return { result: this.#queueOf(queue) };
    }
    const [, id] = /^\/queues\/([0-9a-f]+)\/consumers/.exec(path) ?? [];
    const queue = [...this.queues.values()].find((it) => it.id === id);
    if (queue === undefined) return undefined;
    if (method === "GET") return { result: this.#queueOf(queue).consumers };
    const consumer = jsonOf(request);
    this.workers.consumers.set(queue.name, consumer);
    return { result: consumer };
  }

  #queueOf({ id, name }: Named) {
    const consumer = this.workers.consumers.get(name);
    const consumers =
      consumer === undefined
        ? []
        : [{ ...consumer, consumer_id: id, script: consumer.script_name }];
    return { queue_id: id, queue_name: name, producers: [], consumers, producers_total_count: 0 };
  }

  #buckets(request: ApiRequest): ApiAnswer | undefined {
    const { method, path } = request;
    if (!path.startsWith("/r2/buckets")) return undefined;
    if (!this.hasR2) {
      return refusal(403, 10042, "Please enable R2 through the Cloudflare Dashboard.");
    }
    if (path === "/r2/buckets" && method === "GET") {
      return { result: { buckets: [...this.buckets.values()].map(({ name }) => ({ name })) } };
    }
    if (path === "/r2/buckets" && method === "POST") {
      const { name } = jsonOf(request);
      if (this.buckets.has(name)) return refusal(409, 10004, "The bucket already exists");
      this.buckets.set(name, { id: name, name, jurisdiction: null });
      return { result: { name } };
    }
    const bucket = this.buckets.get(path.split("/").at(-1) ?? "");
    return bucket ? { result: bucket } : refusal(404, 10006, "The bucket does not exist");
  }

  /** Cloudflare refuses a worker that names what the account does not have. */
  async #refusedUpload(request: ApiRequest): Promise<ApiAnswer | undefined> {
    if (!isUpload(request)) return undefined;
    const { metadata } = await formOf(request);
    for (const binding of metadata.bindings) {
      const { type, name, id, queue_name: queue, bucket_name: bucket } = binding;
      const isThere =
        (type !== "d1" || this.databases.all.some((it) => it.uuid === id)) &&
        (type !== "queue" || this.queues.has(String(queue))) &&
        (type !== "r2_bucket" || this.buckets.has(String(bucket)));
      if (!isThere) return refusal(400, 10021, `binding ${name} of type ${type} is not valid`);
    }
    return undefined;
  }

  #zones({ path, query }: ApiRequest): ApiAnswer | undefined {
    const zone = { id: "zone", name: "acme.example" };
    if (path === "/zones") return { result: query.get("name") === zone.name ? [zone] : [] };
    if (path !== "/zones/zone/dns_records") return undefined;
    return { result: this.dnsRecords.filter((it) => it.name === query.get("name")) };
  }

  #email({ path }: ApiRequest): ApiAnswer | undefined {
    const zone = { id: "zone", name: "acme.example" };
    if (path === "/email/sending/zones") return { result: [zone] };
    if (path !== "/zones/zone/email/sending/subdomains") return undefined;
    return { result: this.sendingDomains.map((name) => ({ name, tag: name, enabled: true })) };
  }
}
