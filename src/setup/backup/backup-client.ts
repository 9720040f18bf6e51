// Requests of `npm run backup` and `npm run restore` to the deployment.
import type {
  BackupCursor,
  BackupOrigin,
  BackupPart,
  SignedManifest,
} from "../../domain/operations/backup/backup-format.ts";

/** A part, as `GET /backup` answers it. */
export type FetchedPart = {
  readonly part: BackupPart;
  /** `content` in base64. */
  readonly files: readonly { readonly name: string; readonly content: string }[];
  readonly unread: readonly string[];
  readonly next: BackupCursor | null;
  readonly origin: BackupOrigin;
};

export type RestoreProgress = {
  readonly next: number;
  readonly leftOut: number;
  readonly differing: readonly string[];
};

const ATTEMPTS = 5;
const PAUSE_MS = 1_000;

/** Whether the same request may succeed later. */
const isTemporary = (status: number) => status === 429 || status >= 500;

/** The messages of a refusal; the text itself if it is none. */
function messageOf(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { errors: readonly { message: string }[] };
    return errors.map(({ message }) => message).join("; ");
  } catch {
    return text.slice(0, 200);
  }
}

export class BackupClient {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Reads one part of a backup. `cursor`: null for the first. */
  readPart(id: string, cursor: BackupCursor | null, number: number): Promise<FetchedPart> {
    const query = new URLSearchParams({ id, number: String(number) });
    if (cursor !== null) query.set("cursor", JSON.stringify({ ...cursor }));
    return this.#request<FetchedPart>("GET", `/backup?${query}`);
  }

  start(manifest: SignedManifest): Promise<RestoreProgress> {
    return this.#request("POST", "/restore/start", manifest);
  }

  /** `files`: their content in base64, by name. */
  restorePart(
    number: number,
    part: BackupPart,
    files: Readonly<Record<string, string>>,
  ): Promise<RestoreProgress> {
    return this.#request("POST", "/restore/part", { number, part, files });
  }

  /** Ends the restore of the tables. `differing`: the names of parts that are not the backup's. */
  async completeTables(differing: readonly string[]): Promise<void> {
    await this.#request("POST", "/restore/tables", { differing });
  }

  async finish(): Promise<void> {
    await this.#request("POST", "/restore/finish", {});
  }

  /** Every request may be repeated. Throws with the deployment's message. */
  async #request<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const init = { method, headers: { Authorization: `Bearer ${this.#token}` } };
      const request = body === undefined ? init : { ...init, body: JSON.stringify(body) };
      const response = await fetch(this.#url + path, request).catch((error: Error) => error);
      const isLast = attempt === ATTEMPTS;
      if (response instanceof Error) {
        if (isLast) throw new Error(`${this.#url} cannot be reached: ${response.message}`);
      } else {
        const text = await response.text();
        if (response.ok) return JSON.parse(text) as Answer;
        if (isLast || !isTemporary(response.status)) {
          throw new Error(`${this.#url} refuses: ${messageOf(text) || response.status}`);
        }
      }
      await new Promise((done) => setTimeout(done, PAUSE_MS * attempt));
    }
  }
}
