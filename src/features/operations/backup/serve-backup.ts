// Reads and restores backups of the deployment, part by part, for `npm run backup` and `npm run
// restore`. Authorized by a token that is derived from the secret `BACKUP_KEY`.

import type { Context } from "hono";
import type {
  BackupCursor,
  BackupPart,
  SignedManifest,
} from "../../../domain/operations/backup/backup-format.ts";
import { isJsonObject, parseJson } from "../../../domain/shared/json.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { respond } from "../../../kernel/http/answers.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { refuseWithoutToken } from "../audits/deployment-token.ts";
import { type BackupKeys, backupKeys, isBackupKey } from "./backup-seal.ts";
import { nextStep, stepNamed } from "./backup-steps.ts";
import { readOrigin, readPart } from "./read-part.ts";
import { completeTables, finishRestore, restorePart, startRestore } from "./restore-part.ts";
import { readRestore } from "./restore-rows.ts";

type Request = Context<Environment>;

const UNKNOWN = refuse("not_found", "no such endpoint");
const NO_MANIFEST = refuse("malformed", "the body is no manifest, or no part, of a backup");
const NO_CURSOR = refuse("malformed", "the cursor is not one of a backup");

/** The keys of the deployment, for who has the token; 404 if the deployment has no key. */
export async function authorize(context: Request): Promise<BackupKeys | Refusal> {
  const { BACKUP_KEY } = context.env;
  if (!isBackupKey(BACKUP_KEY)) return UNKNOWN;
  const keys = await backupKeys(BACKUP_KEY);
  return (await refuseWithoutToken(context, keys.token)) ?? keys;
}

const isCursor = (value: unknown): value is BackupCursor =>
  isJsonObject(value) &&
  typeof value.step === "string" &&
  stepNamed(value.step) !== null &&
  (value.after === null || Array.isArray(value.after));

const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const decoded = (text: unknown): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(String(text), "base64"));

/** Serves `GET /backup?id=…&cursor=…&number=…`: one part, and where the next one begins. */
export async function serveBackup(context: Request): Promise<Response> {
  const { env, req } = context;
  const requestId = context.get("requestId");
  const keys = await authorize(context);
  if (isRefusal(keys)) return respond(keys, requestId);
  const given = req.query("cursor");
  const cursor = given === undefined ? nextStep(null) : parseJson(given);
  if (!isCursor(cursor)) return respond(NO_CURSOR, requestId);
  const number = Number(req.query("number") ?? 0);
  const { files, ...read } = await readPart(env, keys, req.query("id") ?? "", cursor, number);
  const listed = [...files].map(([name, bytes]) => ({ name, content: encoded(bytes) }));
  const origin = await readOrigin(env, keys);
  return Response.json({ ...read, origin, files: listed });
}

async function runStep(context: Request, keys: BackupKeys, body: unknown): Promise<unknown> {
  const { env, req } = context;
  const step = req.param("step");
  if (step === "start") {
    const isManifest =
      isJsonObject(body) && typeof body.id === "string" && Array.isArray(body.parts);
    return isManifest ? startRestore(env, keys, body as SignedManifest) : NO_MANIFEST;
  }
  if (step === "part") {
    if (!isJsonObject(body) || !isJsonObject(body.part) || !isJsonObject(body.files))
      return NO_MANIFEST;
    const entries = Object.entries(body.files).map(([name, it]) => [name, decoded(it)] as const);
    const part = body.part as BackupPart;
    return restorePart(env, keys, Number(body.number), part, new Map(entries));
  }
  if ((await readRestore(env.DB)) === null) return refuse("conflict", "no restore is in progress");
  if (step === "tables") await completeTables(env, differingIn(body));
  else if (step === "finish") await finishRestore(env);
  else return UNKNOWN;
  return {};
}

/** The names of parts that a request says to differ. */
const differingIn = (body: unknown): readonly string[] =>
  isJsonObject(body) && Array.isArray(body.differing) ? body.differing.map(String) : [];

/** Serves `POST /restore/start`, then `/part` for each part, `/tables` in between, and `/finish`. */
export async function serveRestore(context: Request): Promise<Response> {
  const requestId = context.get("requestId");
  const keys = await authorize(context);
  if (isRefusal(keys)) return respond(keys, requestId);
  const outcome = await runStep(context, keys, parseJson(await context.req.text()));
  if (isJsonObject(outcome) && isRefusal(outcome)) return respond(outcome, requestId);
  return Response.json(outcome);
}
