// Asks the deployed worker whether it answers, as one version if several are deployed.

export type Check = { readonly isReady: boolean; readonly text: string };

export type CheckOptions = {
  readonly url: string;
  /** The name of the worker and the version that is to answer. */
  readonly version?: { readonly worker: string; readonly id: string };
  readonly attempts: number;
  readonly pauseMs: number;
};

const PATIENCE_MS = 10_000;

/** Sends a request to this version, whatever its share (Cloudflare's version overrides). */
const overrideOf = ({ version }: CheckOptions): Readonly<Record<string, string>> =>
  version ? { "Cloudflare-Workers-Version-Overrides": `${version.worker}="${version.id}"` } : {};

async function ask(options: CheckOptions): Promise<Check> {
  const { url, version } = options;
  try {
    const response = await fetch(`${url}/health`, {
      headers: overrideOf(options),
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) return { isReady: false, text: `it answers with status ${response.status}` };
    const { version: answering } = (await response.json()) as { readonly version?: string };
    if (version && answering !== version.id) {
      return { isReady: false, text: `version ${answering ?? "unknown"} answers` };
    }
    return { isReady: true, text: "it answers" };
  } catch (error) {
    const { cause, message } = error as Error;
    return { isReady: false, text: cause instanceof Error ? cause.message : message };
  }
}

/** Asks `/health` until it answers; a new address takes a while to be known everywhere. */
export async function checkDeployment(options: CheckOptions): Promise<Check> {
  for (let attempt = 1; ; attempt++) {
    const check = await ask(options);
    if (check.isReady || attempt >= options.attempts) return check;
    await new Promise((done) => setTimeout(done, options.pauseMs));
  }
}
