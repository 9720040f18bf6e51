// The snapshot as a standby stores it, sealed as it came, and what it restores of it.
import {
  type BackupOrigin,
  type BackupPart,
  inRestoreOrder,
} from "../../../domain/operations/backup/backup-format.ts";
import type { DueDrill } from "../../../domain/operations/standby-drill.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { SlicedValue } from "../../../kernel/objects/sliced-value.ts";
import { openPart } from "../backup/backup-part.ts";
import { type BackupKeys, signManifest } from "../backup/backup-seal.ts";
import { stepNamed } from "../backup/backup-steps.ts";
import { readOrigin } from "../backup/read-part.ts";
import {
  completeTables,
  findMismatch,
  finishRestore,
  restorePart,
  startRestore,
} from "../backup/restore-part.ts";
import {
  digestOf,
  SNAPSHOT_ID,
  type SnapshotAnswer,
  type SnapshotPart,
  type SnapshotRequest,
} from "./snapshot.ts";

type Index = {
  readonly parts: readonly BackupPart[];
  readonly origin: BackupOrigin | null;
  /** The names of the inboxes: an event of another integration is not held. */
  readonly inboxes: readonly string[];
};

type Files = { readonly files: Readonly<Record<string, string>> };

const VERSION = 1;

/** The tables of what goes on; rows that refer to theirs are left out with them. */
const GOES_ON: readonly string[] = ["alerts", "broadcasts"];

const bytesOf = ({ files }: Files) =>
  new Map(
    Object.entries(files).map(([name, it]) => [name, new Uint8Array(Buffer.from(it, "base64"))]),
  );

export class SnapshotStorage {
  readonly #kv: SyncKvStorage;
  readonly #index: SlicedValue<Index>;
  #inboxes: ReadonlySet<string> | null = null;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#index = new SlicedValue(kv, "snapshot", VERSION);
  }

  get #stored(): Index {
    return this.#index.get() ?? { parts: [], origin: null, inboxes: [] };
  }

  #filesOf({ name }: BackupPart): SlicedValue<Files> {
    return new SlicedValue(this.#kv, `part ${name}`, VERSION);
  }

  /** Whether the snapshot has this inbox. */
  hasInbox(name: string): boolean {
    this.#inboxes ??= new Set(this.#stored.inboxes);
    return this.#inboxes.has(name);
  }

  /**
   * Pulls what has changed, and stores it once all of it is there: a snapshot is never half of one and half of
   * another. Throws if the primary does not answer, or with something that this standby could not restore.
   *
   * @returns what the standby is to drill
   */
  async pull(
    env: Cloudflare.Env,
    keys: BackupKeys,
    ask: (request: Omit<SnapshotRequest, "card">) => Promise<SnapshotAnswer>,
  ): Promise<readonly DueDrill[]> {
    const { parts: known } = this.#stored;
    const have = Object.fromEntries(known.map((part) => [part.name, digestOf(part)]));
    const pulled: SnapshotPart[] = [];
    let answer: SnapshotAnswer | null = null;
    do {
      answer = await ask({ have, cursor: answer?.next ?? null, number: pulled.length });
      pulled.push(...answer.parts);
    } while (answer.next !== null);
    const { origin } = answer;
    const mismatch = findMismatch(origin, await readOrigin(env, keys));
    if (mismatch !== null) throw new Error(`this standby could not take over: ${mismatch}`);
    const inboxes: string[] = [];
    for (const { part, files } of pulled) {
      const stored = files === null ? this.#filesOf(part).get() : { files };
      const lines = stored && (await openPart(keys, SNAPSHOT_ID, part, bytesOf(stored)));
      if (!lines) throw new Error(`${part.name} is not as the primary wrote it`);
      const step = part.step === "integrations" ? stepNamed(part.step) : null;
      if (step?.kind !== "table") continue;
      const at = step.table.plain.indexOf("prefix_id");
      inboxes.push(...lines.plain.map((row) => String((row as unknown[])[at])));
    }
    // Nothing is awaited from here on: one commit.
    for (const { part, files } of pulled) if (files !== null) this.#filesOf(part).put({ files });
    const names = new Set(pulled.map(({ part }) => part.name));
    for (const part of known) {
      if (names.has(part.name)) continue;
      // What nobody needs may be somebody's data.
      const former = this.#filesOf(part);
      if (former.get() !== null) former.put({ files: {} });
    }
    this.#index.put({ parts: pulled.map(({ part }) => part), origin, inboxes });
    this.#inboxes = null;
    return answer.due ?? [];
  }

  /**
   * Restores it into the empty database and objects, or goes on with that. Throws where it is refused.
   *
   * @param extent `settings`: without what goes on, and without objects, so that nothing happens by itself
   */
  async restore(
    env: Cloudflare.Env,
    keys: BackupKeys,
    extent: "everything" | "settings",
  ): Promise<void> {
    const { parts, origin } = this.#stored;
    if (origin === null) throw new Error("there is no snapshot");
    const at = new Date().toISOString();
    const dates = { startedAt: at, finishedAt: at };
    const manifest = { ...origin, id: SNAPSHOT_ID, ...dates, parts, unread: [] };
    const assertDone = <Outcome>(outcome: Outcome) => {
      if (!isRefusal(outcome)) return outcome;
      throw new Error(outcome.errors.map(({ message }) => message).join("; "));
    };
    assertDone(await startRestore(env, keys, await signManifest(keys, manifest)));
    const isRestored = ({ step }: BackupPart) =>
      extent === "everything" || !(step.startsWith("objects.") || GOES_ON.includes(step));
    const ordered = inRestoreOrder(parts).filter(isRestored);
    const firstObjects = ordered.findIndex(({ step }) => step.startsWith("objects."));
    for (const [number, part] of ordered.entries()) {
      // Objects read rows when they start.
      if (number === firstObjects) await completeTables(env, []);
      const files = this.#filesOf(part).get();
      if (files === null) throw new Error(`${part.name} is missing`);
      assertDone(await restorePart(env, keys, number, part, bytesOf(files)));
    }
    await completeTables(env, []);
    await finishRestore(env);
  }
}
