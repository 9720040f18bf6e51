// An OpenID Connect provider (the npm package `oidc-provider`) that behaves like Microsoft Entra:
// one discovery document for many tenants with a placeholder for the tenant's id in its issuer,
// tokens with one tenant's issuer, and e-mail addresses without `email_verified`.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const TENANT = "8f2c6f0e-5d43-4b7e-9f6a-2c1d0e9b7a55";

export type Entra = {
  /** The deployment's configuration. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claims about a person, by the name with which they sign in. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>;
  readonly stop: () => void;
};

/** @param back the redirect URI */
export async function startEntra(port: number, back: string): Promise<Entra> {
  const origin = `http://127.0.0.1:${port}`;
  const people: Entra["people"] = new Map();
  const client = { client_id: "tocsin", client_secret: "only the provider knows" };
  const provider = new Provider(`${origin}/${TENANT}/v2.0`, {
    clients: [{ ...client, redirect_uris: [back] }],
    claims: { openid: ["sub", "tid"], email: ["email", "email_verified", "xms_edov"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["only the tests sign with this"] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: `subject of ${id}`, tid: TENANT, ...people.get(id) }),
    }),
  });
  const serve = provider.callback();
  const server = createServer((request, response) => {
    const { url = "" } = request;
    if (url === "/common/v2.0/.well-known/openid-configuration") {
      void fetch(`${origin}/${TENANT}/v2.0/.well-known/openid-configuration`)
        .then((own) => own.json() as Promise<object>)
        .then((own) => {
          response.setHeader("Content-Type", "application/json");
          const others = {
            issuer: `${origin}/{tenantid}/v2.0`,
            authorization_response_iss_parameter_supported: undefined,
          };
          response.end(JSON.stringify({ ...own, ...others }));
        });
      return;
    }
    Object.assign(request, { originalUrl: url, url: url.replace(`/${TENANT}/v2.0`, "") || "/" });
    void serve(request, response);
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return {
    issuer: `${origin}/common/v2.0`,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    people,
    stop,
  };
}

/** A browser without scripts, with cookies by host. */
export function newJar() {
  const cookies = new Map<string, string>();
  const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { host, origin } = new URL(url);
    const own = [...cookies].filter(([key]) => key.startsWith(`${host} `));
    const headers = new Headers(init.headers);
    headers.set("Accept", "text/html");
    headers.set("Cookie", own.map(([key, value]) => `${key.split(" ")[1]}=${value}`).join("; "));
    if (init.method === "POST") headers.set("Origin", origin);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(`${host} ${name}`);
      else cookies.set(`${host} ${name}`, value);
    }
    return response;
  };
  return { cookies, ask };
}

type Jar = ReturnType<typeof newJar>;

/** Signs in at the provider's pages; returns the response of the redirect URI. */
export async function signInBy(
  { ask }: Jar,
  from: string,
  back: string,
  login: string,
): Promise<Response> {
  let answer = await ask(from);
  let url = from;
  for (let steps = 0; steps < 20; steps += 1) {
    const to = answer.headers.get("location");
    if (to !== null) {
      url = new URL(to, url).href;
      if (url.startsWith(back)) break;
      answer = await ask(url);
      continue;
    }
    const text = await answer.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1];
    if (!action || !prompt) throw new Error(`no form: ${answer.status} ${text.slice(0, 500)}`);
    url = new URL(action, url).href;
    const body = new URLSearchParams({ prompt, login, password: "any" });
    answer = await ask(url, { method: "POST", body });
  }
  const last = new URL(url);
  // Entra does not name the issuer here (RFC 9207).
  last.searchParams.delete("iss");
  return ask(last.href);
}
